// What the list of links shows of each, its orders, and links that come into it by themselves.
import type { Page } from '@playwright/test';
import { ALL, examine } from './axe.ts';
import { createLink, expect, HANDS, post, press, signIn, test, unique, visit } from './fixtures.ts';

const rows = (page: Page) => page.getByRole('table', { name: 'Your links' }).getByRole('row');
const rowOf = (page: Page, slug: string) => rows(page).filter({ hasText: slug });
const head = (page: Page, name: string) => page.getByRole('columnheader', { name });

for (const hand of HANDS) {
  test(`${hand}: heads of columns sort, and say in which direction`, async ({ page, person, service }) => {
    const slugs = ['first', 'second', 'third'].map(unique);
    for (const slug of slugs) await createLink(service, person, slug, 'https://example.com/');
    await visit(`${service}/${slugs[1]}`);
    await signIn(page, person, '/app/links');
    const order = () => page.locator('td.cell-link .slug').evaluateAll((all) => all.map((each) => each.textContent!.split('/')[1]));
    await expect(rowOf(page, slugs[1]!).locator('.cell-clicks')).toHaveText('1');
    expect(await order()).toEqual(slugs.toReversed());
    await expect(head(page, 'Created')).toHaveAttribute('aria-sort', 'descending');
    const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(new Date());
    await expect(rowOf(page, slugs[0]!).locator('.cell-created')).toHaveText(today);

    await press(hand, page.getByRole('link', { name: 'Clicks' }));
    await expect(page).toHaveURL('/app/links?sort=MOST_CLICKED');
    await expect.poll(order).toEqual([slugs[1], slugs[2], slugs[0]]);
    await expect(head(page, 'Clicks')).toHaveAttribute('aria-sort', 'descending');
    await expect(head(page, 'Created')).not.toHaveAttribute('aria-sort');
    await expect(page.getByLabel('Order')).toHaveValue('MOST_CLICKED');
    await press(hand, page.getByRole('link', { name: 'Created' }));
    await expect(page).toHaveURL('/app/links');
    await press(hand, page.getByRole('link', { name: 'Created' }));
    await expect.poll(order).toEqual(slugs);
    await expect(head(page, 'Created')).toHaveAttribute('aria-sort', 'ascending');
    await examine(page, 'the list in the order of a column', ALL);
  });
}

test('clicks from before an import are counted, and the external id is not in the row of the title', async ({ page, person, service }) => {
  const { accessToken } = await post(`${service}/auth/login`, person);
  const slug = unique('old');
  const data = `keyword,url,title,clicks\n${slug},https://example.com/,Old one,1284\n`;
  await post(`${service}/imports`, { source: 'YOURLS', data }, accessToken);
  await post(`${service}/links`, { destinationUrl: 'https://example.com/', title: 'New one', externalId: 'crm-4711' }, accessToken);
  const headers = { authorization: `Bearer ${accessToken}` };
  // The import is a job of the service.
  await expect.poll(async () => (await (await fetch(`${service}/links`, { headers })).json()).total).toBe(2);
  await signIn(page, person, '/app/links');
  const clicks = rowOf(page, 'Old one').locator('.cell-clicks');
  await expect(clicks).toHaveText('1,284');
  await expect(clicks).toHaveAttribute('title', '1,284 clicks. Of these, before its import: 1,284 clicks');
  // A click before the page's subscription has begun is not told of.
  await expect(async () => {
    await visit(`${service}/${slug}`);
    await expect(clicks).toHaveAttribute('title', /^1,(28[5-9]|29\d) clicks\./, { timeout: 3000 });
  }).toPass();

  const id = rowOf(page, 'New one').getByText('crm-4711');
  await expect(id).toBeVisible();
  const title = await page.getByRole('link', { name: 'New one' }).boundingBox();
  expect((await id.boundingBox())!.y).toBeGreaterThan(title!.y + title!.height / 2);
});

test('a link that is made elsewhere comes into the open list, and goes from it', async ({ page, person, service }) => {
  const { accessToken } = await post(`${service}/auth/login`, person);
  await createLink(service, person, unique('here'), 'https://example.com/');
  await page.clock.install();
  await signIn(page, person, '/app/links');
  await expect(rows(page)).toHaveCount(2);
  const slug = unique('elsewhere');
  const { id } = await post(`${service}/links`, { slug, destinationUrl: 'https://example.com/' }, accessToken);
  await page.clock.fastForward(10_000);
  await expect(rowOf(page, slug)).toBeVisible();
  await expect(page.getByText('2 links')).toBeVisible();
  await post(`${service}/links/${id}`, {}, accessToken, 'DELETE');
  // Whoever comes back to the tab does not wait.
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await expect(rows(page)).toHaveCount(2);
  // What the filters leave out stays out.
  await page.getByLabel('State').selectOption('Switched off');
  await expect(page.getByText('No link matches')).toBeVisible();
  const looked = page.waitForResponse((response) => response.request().postData()?.includes('query NewestLink') ?? false);
  await createLink(service, person, slug, 'https://example.com/');
  await page.clock.fastForward(10_000);
  await looked;
  await expect(page.getByText('No link matches')).toBeVisible();
});

test('what can be done with a link is said in words on its page; what is rare or dangerous is in a menu', async ({ page, person, service }) => {
  const { accessToken } = await post(`${service}/auth/login`, person);
  const { id } = await post(`${service}/links`, { slug: unique('words'), destinationUrl: 'https://example.com/' }, accessToken);
  await signIn(page, person, `/app/links/${id}`);
  const actions = page.locator('.link-actions');
  await expect(actions).toHaveText('ActiveCopyEditQR codeOpenArchiveGive to another account…Delete');
  await expect(page.getByRole('menuitem', { name: 'Archive' })).toBeHidden();
  await actions.getByText('Active').click();
  await expect(actions.getByRole('switch')).not.toBeChecked();
  await expect(page.getByText('answers 404')).toBeVisible();
  await actions.getByRole('button', { name: /^Actions for/ }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Archive', 'Give to another account…', 'Delete']);
  await examine(page, 'the actions on a link', ALL);
});
