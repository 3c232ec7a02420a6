import { createLink, expect, HANDS, post, press, signIn, test, type, unique, visit } from './fixtures.ts';

for (const hand of HANDS) {
  test.describe(hand, () => {
    test('J1: from nothing to the first link and its first click, in 30 seconds', async ({ page }) => {
      const email = `grace.${crypto.randomUUID()}@example.com`;
      await page.goto('/app/register');
      const began = Date.now();
      await type(hand, page.getByLabel('E-mail address'), email);
      await type(hand, page.getByLabel('Password', { exact: true }), 'correct horse battery staple');
      await press(hand, page.getByRole('button', { name: 'Create the account' }));

      // The field has the focus: paste and Enter are enough.
      await page.waitForURL('**/app/links/new');
      await expect(page.getByLabel('Destination')).toBeFocused();
      await page.evaluate(() => navigator.clipboard.writeText('https://example.com/spring?x=1'));
      await page.keyboard.press('Control+V');
      await page.keyboard.press('Enter');

      const ready = page.getByRole('textbox', { name: 'Your link is ready' });
      await expect(ready).toBeFocused();
      const shortUrl = await ready.inputValue();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shortUrl);
      expect(await page.evaluate(() => String(getSelection()))).toBe(shortUrl);
      await expect(page.getByRole('img', { name: `QR code of ${shortUrl}` })).toBeVisible();

      await expect(page.getByText('0 Clicks')).toBeVisible();
      const opened = page.context().waitForEvent('page');
      await press(hand, page.getByRole('link', { name: 'Open it and watch' }));
      await (await opened).close();
      await expect(page.getByText('1 Click', { exact: false })).toBeVisible();
      expect(Date.now() - began).toBeLessThan(30_000);

      await press(hand, page.getByRole('link', { name: 'Details' }));
      await expect(page.getByRole('status').filter({ hasText: '1 click' })).toBeVisible();
      await expect(page.getByText('Live', { exact: true })).toBeVisible();
      await visit(shortUrl);
      await expect(page.getByRole('status').filter({ hasText: '2 clicks' })).toBeVisible();
    });

    test('J2: search, edit, switch off and on', async ({ page, person, service }) => {
      const [wanted, other] = [unique('wanted'), unique('other')];
      await createLink(service, person, wanted, 'https://example.com/before');
      await createLink(service, person, other, 'https://example.com/other');
      await signIn(page, person, '/app/links');

      await expect(page.getByRole('row')).toHaveCount(3);
      if (hand === 'keyboard') {
        await page.keyboard.press('/');
        await page.keyboard.type(wanted);
      } else await page.getByRole('searchbox').fill(wanted);
      await expect(page.getByRole('row')).toHaveCount(2);
      await expect(page).toHaveURL(/search=wanted/);

      const row = page.getByRole('row').filter({ hasText: wanted });
      if (hand === 'keyboard') {
        await page.keyboard.press('Escape');
        await page.keyboard.press('j');
        await page.keyboard.press('e');
      } else {
        await row.getByRole('button', { name: /^Actions/ }).click();
        await page.getByRole('menuitem', { name: 'Edit' }).click();
      }
      const dialog = page.getByRole('dialog');
      await type(hand, dialog.getByLabel('Destination'), 'not a url at all');
      await press(hand, dialog.getByRole('button', { name: 'Save' }));
      await expect(dialog.getByLabel('Destination')).toHaveAttribute('aria-invalid', 'true');
      await expect(dialog.getByLabel('Destination')).toBeFocused();
      await type(hand, dialog.getByLabel('Destination'), 'https://example.com/after');
      await press(hand, dialog.getByRole('button', { name: 'Save' }));
      await expect(dialog).toBeHidden();
      await expect(row).toContainText('example.com/after');
      expect((await visit(`${service}/${wanted}`)).headers.get('location')).toBe('https://example.com/after');

      await press(hand, row.getByRole('switch'));
      await expect(page.getByText('answers 404')).toBeVisible();
      expect((await visit(`${service}/${wanted}`)).status).toBe(404);
      await press(hand, row.getByRole('switch'));
      await expect(page.getByText('redirects', { exact: false })).toBeVisible();
      await expect.poll(async () => (await visit(`${service}/${wanted}`)).status).toBeLessThan(400);
    });

    test('J9: the session ends in the middle of a form, and nothing typed is lost', async ({ page, person, service, allowed }) => {
      allowed.push(/status of 401/);
      const slug = unique('kept');
      await signIn(page, person, '/app/links/new');
      // A look-up for a field would find earlier that the session is over.
      const lookup = (query: string, value: string) =>
        page.waitForResponse((response) => {
          const body = response.request().postData();
          return (body?.includes(`query ${query}`) && body.includes(`${value}"`)) ?? false;
        });
      const known = lookup('KnownLinks', 'example.com/kept');
      await type(hand, page.getByLabel('Destination'), 'https://example.com/kept');
      await known;
      const taken = lookup('SlugAvailability', slug);
      await type(hand, page.getByLabel('Short path'), slug);
      await taken;

      // The socket may be told first: the dialog waits until the form is sent.
      let tell = () => {};
      const sent = new Promise<void>((resolve) => {
        tell = resolve;
      });
      await page.route('**/refresh', async (route) => {
        await sent;
        await route.continue();
      });
      // A new password, set elsewhere, ends all sessions.
      const { accessToken } = await post(`${service}/auth/login`, person);
      const password = 'an even better passphrase';
      await post(`${service}/me`, { password, currentPassword: person.password }, accessToken, 'PATCH');
      if (hand === 'mouse') await page.getByRole('button', { name: 'Create the link' }).click();
      else await page.keyboard.press('Enter');
      tell();

      const dialog = page.getByRole('dialog', { name: 'Your session is over' });
      await expect(dialog).toBeVisible();
      await expect(page.getByLabel('Destination')).toHaveValue('https://example.com/kept');
      await type(hand, dialog.getByLabel('Password', { exact: true }), password);
      await press(hand, dialog.getByRole('button', { name: 'Sign in' }));
      await expect(dialog).toBeHidden();
      await expect(page.getByRole('textbox', { name: 'Your link is ready' })).toHaveValue(`${service}/${slug}`);
    });

    test('J13: signing out in one tab signs out in the other', async ({ page, person, context, allowed }) => {
      // What the other tab asks for at that moment is refused.
      allowed.push(/status of 401/);
      await signIn(page, person, '/app/links');
      const second = await context.newPage();
      await second.goto('/app');
      await expect(second.getByRole('heading', { name: 'Overview' })).toBeVisible();

      await press(hand, page.getByRole('button', { name: 'Account' }));
      const out = page.getByRole('menuitem', { name: 'Sign out' });
      if (hand === 'keyboard') {
        await page.keyboard.press('End');
        await expect(out).toBeFocused();
        await page.keyboard.press('Enter');
      } else await out.click();
      await page.waitForURL('**/app/login');
      await second.waitForURL('**/app/login');
      await second.goto('/app/links');
      await second.waitForURL('**/app/login?next=*');
    });
  });
}
