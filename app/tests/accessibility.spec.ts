import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, signIn, test } from './fixtures.ts';
import { addresses, DOORS, fill, ROOMS, settled, usual } from './pages.ts';

type Look = { width: number; colorScheme: 'light' | 'dark' };
/** What differs by the scheme is the same at each width in most states: two looks see both. */
const TWO: Look[] = [
  { width: 1280, colorScheme: 'light' },
  { width: 320, colorScheme: 'dark' },
];
const ALL: Look[] = [...TWO, { width: 1280, colorScheme: 'dark' }, { width: 320, colorScheme: 'light' }];

test.use({ contextOptions: { reducedMotion: 'reduce' } });
test.setTimeout(120_000);

/** No rule of any impact is broken, and nothing is wider than the page. */
async function examine(page: Page, what: string, looks = TWO): Promise<void> {
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    // Without the blank page in which results of frames would be joined: there are no frames.
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    const told = violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`));
    expect.soft(told, `${what}, ${width} px, ${colorScheme}`).toEqual([]);
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect.soft(excess, `${what} is wider than ${width} px`).toBeLessThanOrEqual(0);
  }
}

/** Every call of the API is answered as if the database were away. */
async function away(page: Page): Promise<void> {
  const error = { message: 'The database is away.', extensions: { code: 'UNAVAILABLE', requestId: 'request-1' } };
  await page.route('**/graphql', (route) => route.fulfill({ status: 503, json: { errors: [error] } }));
}

// The fixture `person` is there so that the service has a user.
test('the doors', async ({ page, person: _user }) => {
  for (const door of DOORS) {
    // The set-up is there for the first user only, and the password's page for whoever has a token.
    const isSetup = door === '/app/setup';
    if (isSetup) {
      await page.route('**/graphql', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: (await response.text()).replace('"needsSetup":false', '"needsSetup":true') });
      });
    }
    await page.goto(door === '/app/reset' ? `${door}#token=none` : door);
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
    await examine(page, `${room}, empty`);
  }
});

test('rooms with something in them, and without their data', async ({ page, person, service, allowed }) => {
  allowed.push(/status of 503/);
  await fill(service, person, usual());
  await signIn(page, person);
  const all = await addresses(page);
  for (const address of all) {
    await page.goto(address);
    await settled(page);
    await examine(page, address, ALL);
  }
  await away(page);
  for (const address of all) {
    await page.goto(address);
    await expect(page.locator('h1').first()).toBeAttached();
    await page.waitForTimeout(300);
    await examine(page, `${address}, without its data`);
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
