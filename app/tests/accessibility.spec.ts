import { ALL, examine } from './axe.ts';
import { expect, signIn, test, unique } from './fixtures.ts';
import { addresses, addressOf, DOORS, fill, ROOMS, settled, usual } from './pages.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });
test.setTimeout(240_000);

// The fixture `person` is there so that the service has a user.
test('the doors', async ({ page, person: _user }) => {
  for (const door of DOORS) {
    // The set-up is there for the first user only, and some for whoever has a token.
    const isSetup = door === '/app/setup';
    if (isSetup) {
      await page.route('**/graphql', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: (await response.text()).replace('"needsSetup":false', '"needsSetup":true') });
      });
    }
    await page.goto(addressOf(door));
    await settled(page);
    expect(new URL(page.url()).pathname).toBe(door);
    await examine(page, door);
    if (isSetup) await page.unroute('**/graphql');
  }
  await page.goto('/app/login');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('Please fill this in.').first()).toBeVisible();
  await examine(page, 'a form with errors');
});

test('rooms with nothing in them', async ({ page, person }) => {
  await signIn(page, person);
  for (const room of [...ROOMS.filter((each) => !each.includes(':')), '/app/nowhere']) {
    await page.goto(room);
    await settled(page);
    await examine(page, `${room}, empty`, ALL);
  }
});

test('rooms with something in them', async ({ page, person, service }) => {
  await fill(service, person, usual());
  await signIn(page, person);
  for (const address of await addresses(page)) {
    await page.goto(address);
    await settled(page);
    await examine(page, address, ALL);
  }
});

test('dialogs and menus', async ({ page, person, service }) => {
  const filling = usual();
  const slug = filling.slugs[0]!;
  await fill(service, person, filling);
  await signIn(page, person, '/app/links');
  await settled(page);
  const row = page.getByRole('row').filter({ hasText: slug });
  const dialog = page.getByRole('dialog');
  const close = async () => {
    await page.keyboard.press('Escape');
    await expect(page.locator('dialog, [popover]:popover-open')).toHaveCount(0);
  };

  await page.keyboard.press('?');
  await expect(dialog).toBeVisible();
  await examine(page, 'the keys');
  await close();
  await page.keyboard.press('Control+K');
  await expect(page.getByRole('option').filter({ hasText: slug })).toBeVisible();
  await examine(page, 'the palette');
  await close();
  await page.getByRole('button', { name: 'Account' }).click();
  await examine(page, 'the menu of the account');
  await close();
  for (const item of ['Edit', 'QR code', 'Delete']) {
    await row.getByRole('button', { name: /^Actions/ }).click();
    if (item === 'Edit') await examine(page, 'the menu of a row');
    await page.getByRole('menuitem', { name: item }).click();
    await expect(dialog).toBeVisible();
    await examine(page, item);
    await close();
  }
  await row.getByRole('checkbox', { name: /^Select/ }).check();
  await examine(page, 'a selection');
  await page.goto('/app/links/new?url=https%3A%2F%2Fexample.com%2F');
  await page.getByText('Shorten any page').click();
  await page.getByText('More', { exact: true }).click();
  await examine(page, 'all of the form of a new link');
  await page.getByLabel('Destination').press('Enter');
  await expect(page.getByRole('textbox', { name: 'Your link is ready' })).toBeVisible();
  await settled(page);
  await examine(page, 'a new link');
});

test('dialogs of domains, developers and settings', async ({ page, browser, person, service, receiver }) => {
  test.setTimeout(300_000);
  await fill(service, person, usual());
  await signIn(page, person);
  const dialog = page.getByRole('dialog');
  const press = (name: string | RegExp, role: 'button' | 'menuitem' = 'button') => page.getByRole(role, { name }).first().click();
  const seen = async (what: string) => {
    await expect(dialog).toBeVisible();
    await settled(page);
    await examine(page, what, ALL);
  };
  const close = async () => {
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  };
  const done = async () => {
    await dialog.getByRole('checkbox', { name: 'I have stored it' }).check();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(dialog).toHaveCount(0);
  };

  await page.goto('/app/domains');
  for (const name of ['Add a domain', /^Remove/]) {
    await press(name);
    await seen(`domains: ${name}`);
    await close();
  }
  await page.getByLabel('Name').fill(unique('sub'));
  await press('Claim it');
  await press(/^Edit the settings of/);
  await seen('domains: the settings of the subdomain');
  await close();
  await press('Release');
  await seen('domains: release the subdomain');
  await close();

  await page.goto('/app/developers');
  await press(/^Revoke/);
  await seen('keys: revoke');
  await close();
  await press('New API key');
  await seen('keys: new');
  await dialog.getByLabel('Name').fill('CI');
  await press('Create the key');
  await expect(dialog).toContainText('Try it in a terminal');
  await seen('keys: the new one');
  await done();

  await page.goto('/app/developers/webhooks');
  await settled(page);
  for (const name of ['Edit', 'New secret', 'Delete the webhook']) {
    await press(/^Actions for/);
    await press(name, 'menuitem');
    await seen(`webhooks: ${name}`);
    await close();
  }
  await press('New webhook');
  await dialog.getByLabel('Name').fill('Mine');
  await dialog.getByLabel('URL').fill(receiver.url);
  await dialog.getByText('Filters and batches').click();
  await dialog.getByRole('combobox', { name: 'Links' }).selectOption('some');
  await dialog.getByRole('searchbox').focus();
  await dialog.getByRole('listitem').getByRole('button').first().click();
  await seen('webhooks: new');
  await press('Create the webhook');
  await expect(dialog).toContainText('The signing secret');
  await seen('webhooks: the secret');
  await done();
  await press('Send a test');
  await press('webhook.test');
  await expect(dialog).toContainText('Attempt 1');
  await seen('webhooks: a delivery');
  await close();

  await signIn(await (await browser.newContext({ baseURL: service })).newPage(), person);
  await page.goto('/app/settings');
  await settled(page);
  const changes = ['Change the name', 'Change the e-mail address', 'Change the password'];
  for (const name of [...changes, 'End all others', 'Sign out everywhere', 'Delete the account…']) {
    await press(name);
    await seen(`settings: ${name}`);
    await close();
  }
});
