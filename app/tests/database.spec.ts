// The database of the service hangs: nothing but redirects works, the pages say so, and recover by themselves.
import { createLink, expect, HANDS, press, signIn, test as base, type, unique, visit } from './fixtures.ts';
import { Postgres } from './postgres.ts';

const AWAY = 'The database is away; your links still redirect. We keep trying.';

const test = base.extend<object, { postgres: Postgres }>({
  postgres: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names
    async ({}, use) => {
      const postgres = await Postgres.start();
      try {
        await use(postgres);
      } finally {
        await postgres.end();
      }
    },
    { scope: 'worker' },
  ],
  databaseUrl: [async ({ postgres }, use) => use(postgres.url), { scope: 'worker' }],
});

test.afterEach(({ postgres }) => postgres.thaw());

for (const hand of HANDS) {
  test.describe(hand, () => {
    test('J11: the database is frozen, and links redirect', async ({ page, context, person, service, node, postgres, allowed }) => {
      test.skip(!node, 'has a service of its own');
      allowed.push(/status of 503/);
      const [cached, slug] = [unique('cached'), unique('refused')];
      await createLink(service, person, cached, 'https://example.com/cached');
      expect((await visit(`${service}/${cached}`)).status).toBe(302);
      await signIn(page, person, '/app/links/new');
      const [destination, path] = [page.getByLabel('Destination'), page.getByLabel('Short path')];
      await type(hand, destination, 'https://example.com/refused');
      await type(hand, path, slug);
      const [second, third] = [await context.newPage(), await context.newPage()];
      for (const tab of [second, third]) {
        await tab.goto('/app/links');
        await expect(tab.getByRole('row')).toHaveCount(2);
      }

      await postgres.freeze();
      // A form that is sent,
      await page.bringToFront();
      await press(hand, page.getByRole('button', { name: 'Create the link' }));
      await expect(page.getByRole('alert')).toContainText('The database is away');
      await expect(page.getByRole('alert')).toContainText('The change may have been made all the same');
      await expect(page.locator('.banner')).toHaveText(AWAY);
      // a page that is gone to,
      await second.bringToFront();
      if (hand === 'keyboard') {
        await second.keyboard.press('g');
        await second.keyboard.press('o');
      } else await second.getByRole('link', { name: 'Overview' }).click();
      await expect(second.getByRole('alert')).toContainText('The database is away');
      await expect(second.getByRole('button', { name: 'Try again' })).toBeVisible();
      await expect(second.locator('.banner')).toHaveText(AWAY);
      // and one that is loaded.
      await third.bringToFront();
      await third.reload();
      await expect(third.getByRole('heading', { name: AWAY })).toBeVisible();

      // All this time, visitors notice nothing.
      const redirect = await visit(`${service}/${cached}`);
      expect([redirect.status, redirect.headers.get('location')]).toEqual([302, 'https://example.com/cached']);
      await expect(page.locator('.banner')).toHaveText(AWAY);
      await expect(destination).toHaveValue('https://example.com/refused');
      await expect(path).toHaveValue(slug);

      await postgres.thaw();
      await expect(third.getByRole('row')).toHaveCount(2);
      await expect(second.getByRole('heading', { name: 'Top links' })).toBeVisible();
      for (const tab of [page, second, third]) await expect(tab.locator('.banner')).toHaveCount(0);
      await page.bringToFront();
      await press(hand, page.getByRole('button', { name: 'Create the link' }));
      await expect(page.getByRole('textbox', { name: 'Your link is ready' })).toHaveValue(`${service}/${slug}`);
      expect((await visit(`${service}/${slug}`)).status).toBe(302);
    });
  });
}
