// What the form of a new link says while one types, and what it keeps.
import type { Page } from '@playwright/test';
import { ALL, examine } from './axe.ts';
import { createLink, expect, type Hand, HANDS, post, press, signIn, test, type, unique } from './fixtures.ts';
import { settled } from './pages.ts';

const destination = (page: Page) => page.getByLabel('Destination');
const path = (page: Page) => page.getByLabel('Short path');
const submit = (page: Page) => page.getByRole('button', { name: 'Create the link' });
const ready = (page: Page) => page.getByRole('textbox', { name: 'Your link is ready' });

/** Leaves by the navigation, and comes back by the button above every page. */
async function leaveAndComeBack(hand: Hand, page: Page): Promise<void> {
  await press(hand, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Domains' }));
  await expect(page.getByRole('heading', { level: 1, name: 'Domains' })).toBeVisible();
  await press(hand, page.getByRole('banner').getByRole('link', { name: 'New link' }));
  await expect(page.getByRole('heading', { level: 1, name: 'New link' })).toBeVisible();
}

for (const hand of HANDS) {
  test.describe(hand, () => {
    test('a path that another link has, or that is too long, is said before it is sent', async ({ page, person, service }) => {
      const slug = unique('taken');
      await createLink(service, person, slug, 'https://example.com/taken');
      await signIn(page, person, '/app/links/new');
      await type(hand, path(page), slug);
      await expect(path(page)).toHaveAccessibleDescription(/Another link has this path\./);
      await expect(path(page)).toHaveAttribute('aria-invalid', 'true');
      await examine(page, 'a path that is taken', ALL);
      await type(hand, path(page), 'pricing');
      await expect(path(page)).toHaveAccessibleDescription(/The service uses this path itself\./);
      const [other, taken] = [{ email: `${unique('other')}@example.com`, password: person.password }, unique('foreign')];
      await post(`${service}/auth/register`, { name: 'Other', ...other });
      await createLink(service, other, taken, 'https://example.com/foreign');
      await type(hand, path(page), taken);
      await expect(path(page)).toHaveAccessibleDescription(/Another link has this path\./);
      // One of which that is a part is free.
      await type(hand, path(page), slug.slice(0, -1));
      await expect(path(page)).not.toHaveAttribute('aria-invalid', 'true');

      const long = 'a'.repeat(200);
      await page.evaluate((text) => navigator.clipboard.writeText(text), long);
      await page.keyboard.press('Control+A');
      await page.keyboard.press('Control+V');
      await expect(path(page)).toHaveValue(long);
      await expect(path(page)).toHaveAccessibleDescription(/At most 64 characters, please: these are 200\./);
      await type(hand, destination(page), 'example.com/x');
      await press(hand, submit(page));
      await expect(path(page)).toBeFocused();
      await expect(ready(page)).toHaveCount(0);
      await type(hand, path(page), 'a'.repeat(64 - slug.length) + slug);
      await expect(path(page)).not.toHaveAttribute('aria-invalid', 'true');
      await press(hand, submit(page));
      await expect(ready(page)).toBeVisible();
    });

    test('a path is taken by another link, not by the one that is edited', async ({ page, person, service }) => {
      const [slug, other] = [unique('one'), unique('other')];
      await createLink(service, person, other, 'https://example.com/other');
      const { accessToken } = await post(`${service}/auth/login`, person);
      const { id } = await post(`${service}/links`, { slug, destinationUrl: 'https://example.com/' }, accessToken);
      await signIn(page, person, `/app/links/${id}`);
      await press(hand, page.getByRole('button', { name: 'Edit' }));
      const field = page.getByRole('dialog').getByLabel('Short path');
      await type(hand, field, other);
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      await type(hand, field, slug);
      await expect(field).not.toHaveAttribute('aria-invalid', 'true');
    });

    test('what names no host of the web is asked, with a port or without', async ({ page, person }) => {
      await signIn(page, person, '/app/links/new');
      for (const [typed, meant] of [['acme', 'https://acme'], ['intranet:9802/x', 'https://intranet:9802/x']] as const) {
        await type(hand, destination(page), typed);
        await expect(page.getByText(`Did you mean ${meant}`)).toBeVisible();
        await destination(page).press('Enter');
        await expect(destination(page)).toHaveAccessibleDescription(new RegExp(`Did you mean ${meant}\\?`));
        await expect(ready(page)).toHaveCount(0);
      }
      await examine(page, 'an address that is asked', ALL);
      // What people type of the web needs no question.
      await type(hand, destination(page), 'example.com:8443/x');
      await expect(page.getByText('Did you mean')).toHaveCount(0);
      await type(hand, destination(page), 'acme');
      await press(hand, page.getByRole('button', { name: 'https://acme' }));
      await expect(destination(page)).toHaveValue('https://acme');
      await expect(destination(page)).toBeFocused();
      await expect(page.getByText('Did you mean')).toHaveCount(0);
      await destination(page).press('Enter');
      await expect(ready(page)).toBeVisible();
    });

    test('a half-typed link is there for whoever comes back, until it is created or emptied', async ({ page, person }) => {
      await signIn(page, person, '/app/links/new');
      const slug = unique('half');
      await type(hand, destination(page), 'example.com/half');
      await type(hand, path(page), slug);
      await type(hand, page.getByLabel('Tags'), 'spring,');
      await press(hand, page.getByText('More', { exact: true }));
      await type(hand, page.getByLabel('Notes'), 'Poster');
      await type(hand, page.getByLabel('Click limit'), '7');
      await press(hand, page.getByRole('checkbox', { name: 'Active' }));
      const isBack = async () => {
        await expect(page.getByText('What you typed here before is back.')).toBeVisible();
        await expect(destination(page)).toHaveValue('example.com/half');
        await expect(path(page)).toHaveValue(slug);
        await expect(page.getByRole('button', { name: 'Take away spring' })).toBeVisible();
        await expect(page.getByLabel('Notes')).toHaveValue('Poster');
        await expect(page.getByLabel('Click limit')).toHaveValue('7');
        await expect(page.getByRole('checkbox', { name: 'Active' })).not.toBeChecked();
      };
      await leaveAndComeBack(hand, page);
      await isBack();
      await page.reload();
      await isBack();
      await examine(page, 'a half-typed link', ALL);

      // An address that is brought along is not mixed with it.
      await page.goto('/app/links/new?url=https%3A%2F%2Fexample.org%2F');
      await expect(destination(page)).toHaveValue('https://example.org/');
      await expect(path(page)).toHaveValue('');
      await press(hand, submit(page));
      await expect(ready(page)).toBeVisible();
      await leaveAndComeBack(hand, page);
      await expect(destination(page)).toHaveValue('');

      await type(hand, destination(page), 'example.com/again');
      await leaveAndComeBack(hand, page);
      await expect(destination(page)).toHaveValue('example.com/again');
      await press(hand, page.getByRole('button', { name: 'Begin anew' }));
      await expect(destination(page)).toHaveValue('');
      await leaveAndComeBack(hand, page);
      await expect(destination(page)).toHaveValue('');
      await expect(page.getByText('What you typed here before is back.')).toHaveCount(0);
    });
  });
}

test('a half-typed link goes with the session', async ({ page, person }) => {
  await signIn(page, person, '/app/links/new');
  await destination(page).fill('example.com/secret');
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/app/login');
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('secret');
  await signIn(page, person, '/app/links/new');
  await expect(destination(page)).toHaveValue('');
});

for (const [used, told] of [[999, 'Your plan has room for 1 more link.'], [1000, 'Your plan allows 1,000 links, and you have 1,000.']] as const) {
  test(`a plan's limit is said before the form: ${used} of 1,000`, async ({ page, person }) => {
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('query NewLink')) return route.fallback();
      const response = await route.fetch();
      const json = await response.json();
      json.data.usage.links.used = used;
      return route.fulfill({ response, json });
    });
    await signIn(page, person, '/app/links/new');
    await expect(page.getByText(told)).toBeVisible();
    await expect(page.getByRole('link', { name: 'See the plans' })).toHaveCount(used === 1000 ? 1 : 0);
    await settled(page);
    await examine(page, `a new link at ${used} of 1,000`, ALL);
    const above = await page.getByText(told).boundingBox();
    const form = await page.locator('form').boundingBox();
    expect(above!.y).toBeLessThan(form!.y);
  });
}

test('folded fields that have not come yet are sent and kept as they were typed before', async ({ page, person, service }) => {
  const slug = unique('folded');
  await signIn(page, person, '/app/links/new');
  await destination(page).fill('example.com/folded');
  await path(page).fill(slug);
  await page.getByText('More', { exact: true }).click();
  await page.getByLabel('Notes').fill('Poster');
  await page.getByRole('checkbox', { name: 'Active' }).uncheck();
  let come = () => {};
  const held = new Promise<void>((resolve) => {
    come = resolve;
  });
  await page.route('**/dialogs-*.js', async (route) => {
    await held;
    await route.continue();
  });
  for (let times = 0; times < 2; times += 1) {
    await page.reload();
    await expect(path(page)).toHaveValue(slug);
    await expect(page.getByLabel('Notes')).toHaveCount(0);
  }
  const created = page.waitForResponse((response) => response.request().postData()?.includes('mutation CreateLink(') ?? false);
  await submit(page).click();
  await created;
  come();
  await expect(ready(page)).toHaveValue(`${service}/${slug}`);
  const { accessToken } = await post(`${service}/auth/login`, person);
  const { data } = await (await fetch(`${service}/links?search=${slug}`, { headers: { authorization: `Bearer ${accessToken}` } })).json();
  expect(data).toMatchObject([{ slug, notes: 'Poster', isActive: false }]);
});

test('a new link that can’t be shown here, since the line broke, is shown on its page', async ({ page, person, allowed }) => {
  allowed.push(/net::ERR_FAILED/);
  await signIn(page, person, '/app/links');
  await page.route('**/dialogs-*.js', (route) => route.abort());
  await page.route('**/app', (route) => (route.request().method() === 'HEAD' ? route.abort() : route.continue()));
  const slug = unique('broken');
  await page.goto('/app/links/new');
  await path(page).fill(slug);
  await destination(page).fill('example.com/broken');
  await submit(page).click();
  await expect(page.getByRole('heading', { level: 1, name: slug })).toBeVisible();
});
