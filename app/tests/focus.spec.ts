// The focus of a keyboard or a screen reader does not return to the top when the pressed element is gone.
import type { Locator } from '@playwright/test';
import { createLink, expect, post, press, signIn, test, unique } from './fixtures.ts';
import { fill, settled, usual } from './pages.ts';

test('a button that goes with what it did leaves the focus in its place', async ({ page, person, service }) => {
  await fill(service, person, usual());
  const { accessToken } = await post(`${service}/auth/login`, person);
  const { data } = await (await fetch(`${service}/webhooks`, { headers: { authorization: `Bearer ${accessToken}` } })).json();
  await post(`${service}/webhooks/${data[0].id}`, { isActive: false }, accessToken, 'PATCH');

  await signIn(page, person, `/app/developers/webhooks/${data[0].id}`);
  await press('keyboard', page.getByRole('button', { name: 'Resume' }));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Active');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  await page.goto('/app/developers');
  await press('keyboard', page.getByRole('button', { name: /^Revoke/ }));
  await press('keyboard', page.getByRole('dialog').getByRole('button', { name: 'Revoke' }));
  await expect(page.getByRole('cell', { name: 'Revoked' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Your API keys' })).toBeFocused();

  // The only domain: with it goes the table.
  await page.goto('/app/domains');
  await press('keyboard', page.getByRole('button', { name: /^Remove/ }));
  await press('keyboard', page.getByRole('button', { name: 'Remove the domain' }));
  await expect(page.getByText('Serve links on a domain of your own')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  const subdomain = page.getByRole('region', { name: 'Subdomain' });
  await subdomain.getByLabel('Name').fill(unique('sub'));
  await press('keyboard', page.getByRole('button', { name: 'Claim it' }));
  await press('keyboard', page.getByRole('button', { name: 'Activate' }));
  await expect(subdomain).toContainText('Serves your links since');
  await expect(subdomain).toBeFocused();
});

test('what comes and goes above the page gives the focus back', async ({ page, person, service }) => {
  const slugs = [unique('first'), unique('second')];
  for (const slug of slugs) await createLink(service, person, slug, 'https://example.com/');
  await signIn(page, person, '/app/links');
  await settled(page);

  const copy = page.getByRole('button', { name: /^Copy/ }).first();
  await press('keyboard', copy);
  const toast = page.getByRole('status').filter({ hasText: 'Copied' });
  await toast.getByRole('button', { name: 'Close' }).focus();
  await page.keyboard.press('Enter');
  await expect(toast).toBeHidden();
  await expect(copy).toBeFocused();

  // The row of the menu that opened the dialog is gone.
  await press('keyboard', page.getByRole('button', { name: /^Actions/ }).first());
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await press('keyboard', page.getByRole('dialog').getByRole('button', { name: 'Delete' }));
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('table')).toBeFocused();
  await page.keyboard.press('j');
  await expect(page.getByRole('link', { name: slugs[0]! })).toBeFocused();

  // A click beside everything takes the focus away on purpose.
  await page.mouse.click(5, 600);
  await page.evaluate(() => document.querySelector('main tbody')!.remove());
  await expect(page.locator('body')).toBeFocused();
});

test('whatever has the focus by keyboard shows a ring, tags that are links too', async ({ page, person, service }) => {
  await fill(service, person, usual());
  await signIn(page, person, '/app/links');
  await page.locator('a.slug').filter({ hasText: 'Ada Lovelace' }).click();
  await page.waitForURL('**/app/links/*');
  const [ring, none] = ['2px solid', '1px solid'];
  const tags = page.getByRole('list', { name: 'Tags' }).getByRole('link');
  const outline = (of: Locator) =>
    of.evaluate((element) => {
      const { outlineWidth, outlineStyle, outlineColor } = getComputedStyle(element);
      return { line: `${outlineWidth} ${outlineStyle}`, isSeen: !/, 0\)$/.test(outlineColor) };
    });
  for (const forcedColors of ['none', 'active'] as const) {
    await page.emulateMedia({ forcedColors });
    await page.reload();
    await expect(tags).toHaveCount(5);
    // In forced colours a tag has a line of its own, since it has no background then.
    expect(await outline(tags.first())).toEqual({ line: none, isSeen: forcedColors === 'active' });
    for (let tabs = 0; tabs < 40 && !(await tags.first().evaluate((tag) => tag === document.activeElement)); tabs += 1) await page.keyboard.press('Tab');
    await expect(tags.first()).toBeFocused();
    expect(await outline(tags.first())).toEqual({ line: ring, isSeen: true });
  }
});
