// What somebody finds who has nothing yet: what to do first, and help.
import { ALL, examine } from './axe.ts';
import { createLink, expect, HANDS, post, press, signIn, test, unique } from './fixtures.ts';
import { settled } from './pages.ts';

for (const hand of HANDS) {
  test.describe(hand, () => {
    test('an account without links gets three steps, and its figures with the first link', async ({ page, person, service }) => {
      await signIn(page, person);
      const steps = page.getByRole('region', { name: /^Three steps/ });
      const step = (title: string) => steps.getByRole('listitem').filter({ hasText: title });
      const figures = page.locator('.figure');
      await expect(steps.getByRole('listitem')).toHaveCount(3);
      await expect(figures).toHaveCount(0);
      await expect(page.getByText('none before')).toHaveCount(0);
      await expect(page.getByRole('navigation', { name: 'Period' })).toHaveCount(0);

      for (const [label, address] of [
        ['New link', '/app/links/new'],
        ['Add a domain', '/app/domains'],
        ['Create a key', '/app/developers'],
      ] as const) {
        await page.goto('/app');
        await press(hand, steps.getByRole('link', { name: label }));
        await expect(page).toHaveURL(address);
        await settled(page);
      }

      const { accessToken } = await post(`${service}/auth/login`, person);
      await post(`${service}/domains`, { domain: `${unique('go')}.example.com` }, accessToken);
      await page.goto('/app');
      await expect(step('Use a domain of your own')).toContainText('Done');
      await expect(step('Make links from your own programs')).not.toContainText('Done');
      await examine(page, 'the first steps', ALL);

      await createLink(service, person, unique('first'), 'https://example.com/');
      await page.goto('/app');
      await expect(figures).toHaveCount(3);
      await expect(steps).toHaveCount(0);
      // Nothing is said of the time before where there was nothing then and now.
      await expect(page.getByText('none before')).toHaveCount(0);
      await expect(page.getByText('No clicks in this time')).toBeVisible();
    });

    test('help is in the navigation, with the documents and the keys', async ({ page, person, service }) => {
      await signIn(page, person);
      if (hand === 'keyboard') {
        await settled(page);
        await page.keyboard.press('g');
        await page.keyboard.press('h');
      } else await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Help' }).click();
      await expect(page.getByRole('heading', { name: 'Help', level: 1 })).toBeVisible();
      for (const [name, path] of [
        ['GraphiQL', '/graphql'],
        ['OpenAPI: the public API', '/api/v1/openapi.json'],
        ['OpenAPI: all paths', '/openapi.json'],
        ['GraphQL schema', '/schema.graphql'],
        ['Licences', '/app/LICENSES.txt'],
      ] as const) {
        await expect(page.getByRole('link', { name })).toHaveAttribute('href', path);
        expect((await fetch(service + path, { headers: { accept: 'text/html' } })).status).toBe(200);
      }
      await press(hand, page.getByRole('button', { name: 'Keyboard shortcuts' }));
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
      await page.keyboard.press('Escape');
      await press(hand, page.getByRole('main').getByRole('link', { name: 'Import links' }));
      await expect(page).toHaveURL('/app/links/import');
    });
  });
}
