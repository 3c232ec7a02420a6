// Addresses as people read them: with the port that they need, in their own script, and copied as they are.
import { expect, post, signIn, test, unique, visit } from './fixtures.ts';
import { readableUrl } from '../src/ui/readable.ts';

const SHOWN = [
  ['https://xn--mnchen-3ya.de/stra%C3%9Fe?x=%26y', 'https://münchen.de/straße?x=%26y'],
  ['http://xn--d1acufc.xn--p1ai:8080/', 'http://домен.рф:8080/'],
  ['https://xn--r8jz45g.jp/%E4%BE%8B%E3%81%88', 'https://例え.jp/例え'],
  ['https://example.com/%7Eada/%41%2e', 'https://example.com/~ada/A.'],
] as const;

/** Nothing of these may be shown as something else. */
const KEPT = [
  // аррӏе, of Cyrillic letters alone; pаypal with one; a katakana stroke for a slash.
  'https://xn--80ak6aa92e.com/',
  'https://xn--pypal-4ve.com/',
  'https://xn--ab-8j4a.jp/',
  // From right to left; no punycode at all; an emoji.
  'https://xn--kgbechtv/',
  'https://xn--zzz-.com/',
  'https://xn--99999999.com/',
  'https://xn--e28h.com/',
  // What separates, spaces, control, bidi and invisible characters, letters from right to left, a lone mark, half a character.
  'https://example.com/%2F%3F%23%25%26%3D%40%3A',
  'https://example.com/%20%00%0A%C2%A0',
  'https://example.com/%E2%80%AE%E2%80%8B%E2%81%A6%EF%BB%BF%E3%85%A4%D8%9C',
  'https://example.com/%D7%90%D8%A7',
  'https://example.com/e%CC%81%E9/%E2%81%84',
];

test('a URL is shown as people read it, where nothing is taken for something else', () => {
  for (const [url, shown] of SHOWN) expect(readableUrl(url)).toBe(shown);
  for (const url of KEPT) expect(readableUrl(url)).toBe(url);
});

test('addresses have their port, and are copied as they are', async ({ page, person, service }) => {
  const { accessToken } = await post(`${service}/auth/login`, person);
  const { host } = new URL(service);
  const [slug, label] = [unique('read'), unique('ada')];
  const destinationUrl = 'https://xn--mnchen-3ya.de/stra%C3%9Fe';
  const { id } = await post(`${service}/links`, { slug, destinationUrl }, accessToken);
  await post(`${service}/subdomain`, { subdomain: label }, accessToken);
  const claim = await post(`${service}/subdomain/activate`, {}, accessToken);
  const place = `${claim.host}:${new URL(service).port}`;
  const { shortUrl } = await post(`${service}/links`, { slug, destinationUrl, domain: claim.host }, accessToken);
  expect(shortUrl).toBe(`http://${place}/${slug}`);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

  await signIn(page, person, '/app/links');
  await expect(page.getByRole('link', { name: slug })).toHaveText([`${place}/${slug}`, `${host}/${slug}`]);
  await expect(page.getByText('münchen.de/straße')).toHaveCount(2);
  await expect(page.getByRole('combobox', { name: 'Domain' }).getByRole('option')).toHaveText(['All domains', host, place]);
  await page.getByRole('button', { name: `Copy ${place}/${slug}` }).click();
  expect(await clipboard()).toBe(shortUrl);

  await page.keyboard.press('Control+K');
  await page.keyboard.type(slug);
  await expect(page.getByRole('option', { name: slug })).toHaveText([`${place}/${slug}münchen.de/straße`, `${host}/${slug}münchen.de/straße`]);

  await page.goto(`/app/links/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${host}/${slug}`);
  await expect(page.getByRole('link', { name: 'münchen.de/straße' })).toHaveAttribute('href', destinationUrl);
  await page.getByRole('button', { name: 'Copy the destination' }).click();
  await expect(page.getByText(`Copied ${destinationUrl}`)).toBeVisible();
  expect(await clipboard()).toBe(destinationUrl);

  await page.goto('/app/links/new');
  await expect(page.getByRole('combobox', { name: 'Domain' }).getByRole('option')).toHaveText([host, place]);
  await page.goto('/app/domains');
  await page.getByRole('button', { name: `Copy ${place}` }).click();
  await expect(page.getByText('Copied http')).toBeVisible();
  expect(await clipboard()).toBe(`http://${place}`);
});

test('a short link beyond ASCII is shown as it is read, and copied as a URI', async ({ page, person, service }) => {
  const { accessToken } = await post(`${service}/auth/login`, person);
  const { host } = new URL(service);
  const slugs = [`größe-${unique('x')}`, `ربيع_${Date.now()}`, `${unique('sale')}🎉`];
  for (const slug of slugs) await post(`${service}/links`, { slug, destinationUrl: 'https://example.com/' }, accessToken);
  await signIn(page, person, '/app/links');
  await expect(page.locator('a.slug')).toHaveText(slugs.map((slug) => `${host}/${slug}`).reverse());
  for (const slug of slugs) {
    await page.getByRole('button', { name: `Copy ${host}/${slug}` }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${service}/${encodeURI(slug)}`);
    expect((await visit(`${service}/${slug}`)).status).toBe(302);
  }
});

test('links and hosts have their port on every page', async ({ page, person, service }) => {
  const { accessToken } = await post(`${service}/auth/login`, person);
  const { host, port } = new URL(service);
  const [slug, label, destinationUrl] = [unique('port'), unique('ada'), 'https://example.com/'];
  await post(`${service}/links`, { slug, destinationUrl }, accessToken);
  await post(`${service}/subdomain`, { subdomain: label }, accessToken);
  const claim = await post(`${service}/subdomain/activate`, {}, accessToken);
  const place = `${claim.host}:${port}`;
  const moved = await post(`${service}/links`, { slug, destinationUrl, domain: claim.host }, accessToken);
  const data = `keyword,url,title\n${unique('imported')},${destinationUrl},\n`;
  const { id } = await post(`${service}/imports`, { isDryRun: true, source: 'YOURLS', domain: claim.host, data }, accessToken);
  const url = 'https://hooks.example.com/linkgraph';
  const webhook = { name: 'CRM', url, events: ['link.clicked'], linkIds: [moved.id] };
  const { id: hook } = await post(`${service}/webhooks`, webhook, accessToken);
  expect((await visit(`${service}/${slug}`)).status).toBe(302);

  await signIn(page, person);
  const top = page.getByRole('main').getByRole('link', { name: slug });
  await expect(top).toHaveText(`${host}/${slug}`);
  await expect(top).toHaveAttribute('title', `${host}/${slug}`);

  await page.goto('/app/settings');
  await expect(page.getByRole('combobox', { name: 'Link' }).getByRole('option')).toHaveText([`${host}/${slug} (1 click)`, `${place}/${slug} (0 clicks)`]);

  await page.goto(`/app/developers/webhooks/${hook}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: `Remove ${place}/${slug}` })).toBeVisible();
  await dialog.getByLabel('Search links to add').fill(slug);
  await dialog.getByRole('button', { name: `${host}/${slug}`, exact: true }).click();
  await expect(dialog.locator('.picked li')).toHaveText([`${place}/${slug}`, `${host}/${slug}`]);

  await page.goto('/app/links/import');
  const domains = page.getByRole('combobox', { name: 'Domain' });
  await expect(domains.getByRole('option')).toHaveText([/./, host, place]);
  await page.goto(`/app/links/import/${id}`);
  await expect(page.getByText(`All links on ${place}`)).toBeVisible();

  await page.goto('/app/domains');
  await page.getByRole('button', { name: 'Release' }).click();
  await expect(dialog).toHaveAccessibleName(`Release ${place}?`);
  await dialog.getByRole('button', { name: 'Release the subdomain' }).click();
  // Of a host that serves links no more, an address still tells.
  await page.goto(`/app/links?domain=${claim.host}`);
  await expect(domains.locator('option:checked')).toHaveText(place);
});

for (const [typed, meant, heading] of [
  ['/app/imports', '/app/links/import', 'Import links'],
  ['/app/tags?search=spring', '/app/links/tags?search=spring', 'Tags'],
] as const) {
  test(`${typed} leads to ${meant}`, async ({ page, person }) => {
    await signIn(page, person);
    await page.goto(typed);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(meant);
    // It is not in the way of whoever goes back.
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  });
}
