// Links that open an app: set on the link's page, and told to apps by keys; hosts say which apps open their links.
import { examine } from './axe.ts';
import { expect, HANDS, post, press, signIn, test, type, unique } from './fixtures.ts';

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

for (const hand of HANDS) {
  test(`${hand}: a link opens an app, and no longer`, async ({ page, person, service }) => {
    const { accessToken: token } = await post(`${service}/auth/login`, person);
    const slug = unique('opens');
    const { id } = await post(`${service}/links`, { slug, destinationUrl: 'https://example.com/offer' }, token);
    const phone = async () => {
      const answer = await fetch(`${service}/${slug}`, { headers: { 'user-agent': IPHONE }, redirect: 'manual' });
      return { status: answer.status, text: await answer.text() };
    };
    const save = page.getByRole('button', { name: 'Save', exact: true });

    await signIn(page, person, `/app/links/${id}`);
    await press(hand, page.getByRole('link', { name: 'On phones: no app' }));
    await expect(page.getByRole('heading', { name: 'Open in an app' })).toBeVisible();
    await examine(page, 'no app');
    await type(hand, page.getByLabel('Address in the app on iPhone and iPad'), 'javascript:alert(1)');
    await press(hand, save);
    await expect(page.locator('.field-error')).toBeVisible();
    expect(await phone()).toMatchObject({ status: 302 });
    await type(hand, page.getByLabel('Address in the app on iPhone and iPad'), 'acme://offers/42');
    await type(hand, page.getByLabel('Data for the app, as JSON'), '{"offer": 42}');
    await press(hand, save);
    await expect(page.getByText('Saved. The next visitor by phone gets the app.')).toBeVisible();
    const shown = await phone();
    expect(shown.status).toBe(200);
    expect(shown.text).toContain('href="acme://offers/42"');
    await page.reload();
    await expect(page.getByLabel('Data for the app, as JSON')).toHaveValue('{"offer": 42}');
    await examine(page, 'an app');
    await type(hand, page.getByLabel('Address in the app on iPhone and iPad'), '');
    await page.keyboard.press('Backspace');
    await type(hand, page.getByLabel('Data for the app, as JSON'), '');
    await page.keyboard.press('Backspace');
    await press(hand, save);
    await expect(page.getByText('Saved. The link opens no app.')).toBeVisible();
    expect(await phone()).toMatchObject({ status: 302 });
    await press(hand, page.locator('.crumb'));
    await expect(page.getByRole('link', { name: 'On phones: no app' })).toBeVisible();
  });

  test(`${hand}: a domain names its apps, and a key is made, changed and deleted`, async ({ page, person, service }) => {
    const { accessToken: token } = await post(`${service}/auth/login`, person);
    const domain = `${unique('go')}.example.com`;
    await post(`${service}/domains`, { domain }, token);
    await signIn(page, person, '/app/domains');
    await press(hand, page.getByRole('link', { name: 'Apps that open your links' }));
    await expect(page.getByRole('heading', { name: 'Apps', exact: true })).toBeVisible();
    const ios = page.getByLabel('iPhone and iPad: one app in each line');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await type(hand, ios, 'com.example.app');
    await press(hand, save);
    await expect(page.locator('.field-error')).toContainText('com.example.app');
    await type(hand, ios, 'ABCDE12345.com.example.app /offers/*');
    await press(hand, save);
    await expect(page.getByText('Saved. Apps that are installed')).toBeVisible();
    await page.reload();
    await expect(ios).toHaveValue('ABCDE12345.com.example.app /offers/*');

    await press(hand, page.getByRole('button', { name: 'Create a key' }));
    await examine(page, 'a new key');
    await type(hand, page.getByLabel('Name'), 'Acme');
    await press(hand, page.getByRole('button', { name: 'Create', exact: true }));
    await expect(page.getByText('Created the key')).toBeVisible();
    await expect(page.locator('code')).toHaveText(/^lgp_\w{22}$/);
    await examine(page, 'apps and keys');
    const slug = unique('asked');
    await post(`${service}/links`, { slug, destinationUrl: 'https://example.com/offer' }, token);
    const publishableKey = await page.locator('code').textContent();
    const told = await post(`${service}/api/v1/resolve`, { publishableKey, url: `${service}/${slug}` });
    expect(told).toMatchObject({ destinationUrl: 'https://example.com/offer', data: null });
    await press(hand, page.getByRole('button', { name: 'Change Acme' }));
    await type(hand, page.getByLabel('Name'), 'Shop');
    await press(hand, page.getByRole('button', { name: 'Save', exact: true }).last());
    await expect(page.getByText('Changed the key')).toBeVisible();
    await press(hand, page.getByRole('button', { name: 'Delete Shop' }));
    await press(hand, page.getByRole('button', { name: 'Delete the key' }));
    await expect(page.getByText('No keys yet')).toBeVisible();
  });
}
