// All values of a dimension: the page behind the panels of most frequent ones.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { ALL, examine } from './axe.ts';
import { writeClicks } from './clicks.ts';
import { expect, type Hand, HANDS, type Person, post, press, signIn, test, type, unique, VISITOR } from './fixtures.ts';
import type { Service } from './service.ts';
import { settled } from './pages.ts';

const PHONE = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';
const BOT = 'Googlebot/2.1';
/** One click from each, after those of Germany and Switzerland. */
const COUNTRIES = ['AT', 'BE', 'BG', 'CA', 'CZ', 'DK', 'EE', 'ES', 'FI', 'FR', 'GB', 'GR', 'HR', 'HU', 'IE', 'IS', 'IT', 'JP', 'LT', 'LU', 'LV', 'NL', 'NO', 'PL', 'PT', 'RO', 'SE', 'SI'];
const MUNICH = { region: 'DE-BY', city: 'DE:Munich' };

test.describe('with clicks of the past', () => {
  test.skip(({ node }) => !node, 'writes into the log of a service that does not run');

  /** Two links: the first with 5 clicks in Germany, 2 of them by phone, and 3 in Switzerland; the second with one of each other country. */
  async function clicked(page: Page, person: Person, service: string, node: Service, data: string) {
    const { accessToken } = await post(`${service}/auth/login`, person);
    const make = async (name: string, title?: string) => {
      const slug = unique(name);
      const { id } = await post(`${service}/links`, { slug, destinationUrl: 'https://example.com/', title, tags: [unique('tag')] }, accessToken);
      return { slug, id: id as string };
    };
    const [first, second] = [await make('first'), await make('second', 'Autumn letter')];
    const at = new Date(Date.now() - 3_600_000 * 48);
    const click = (link: string, country: string, userAgent = VISITOR['user-agent']) => ({ at, link, country, userAgent, ...(country === 'DE' && MUNICH) });
    await node.end();
    writeClicks(data, [
      ...Array.from({ length: 3 }, () => click(first.id, 'DE')),
      ...Array.from({ length: 2 }, () => click(first.id, 'DE', PHONE)),
      ...Array.from({ length: 3 }, () => click(first.id, 'CH')),
      click(first.id, 'CH', BOT),
      ...COUNTRIES.map((country) => click(second.id, country)),
    ]);
    await node.start();
    await signIn(page, person);
    await expect(clicksOf(page)).toHaveText('36');
    await settled(page);
    return { first, second };
  }

  /** Looks at the page at each width, and leaves it as wide as it was. */
  async function look(page: Page, what: string) {
    const size = page.viewportSize()!;
    await examine(page, what, ALL);
    await page.setViewportSize(size);
  }

  const clicksOf = (page: Page) => page.locator('.figure strong').first();
  const chips = (page: Page) => page.getByRole('list', { name: 'Filters' }).getByRole('listitem');
  const rows = (page: Page) => page.locator('.link-table tbody tr');
  const cells = (page: Page, row: number) => rows(page).nth(row).getByRole('cell');
  const tabs = (page: Page) => page.getByRole('navigation', { name: 'By what clicks are counted' }).getByRole('link');

  async function saved(page: Page, hand: Hand, item: string) {
    await press(hand, page.getByRole('button', { name: 'Download and print' }));
    const file = page.waitForEvent('download');
    if (hand === 'mouse') await page.getByRole('menuitem', { name: item }).click();
    else {
      while (!(await page.getByRole('menuitem', { name: item }).evaluate((each) => each === document.activeElement))) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    }
    const done = await file;
    await page.keyboard.press('Escape');
    return { name: done.suggestedFilename(), lines: (await readFile(await done.path(), 'utf8')).trim().split(/\r?\n/) };
  }

  for (const hand of HANDS) {
    test(`a panel leads to all of its values, and they lead back, by ${hand}`, async ({ page, person, service, node, data }) => {
      await clicked(page, person, service, node!, data);
      await page.keyboard.press('w');
      await expect(page).toHaveURL('/app?period=week');
      await press(hand, page.getByRole('link', { name: 'All: Countries' }));
      await expect(page).toHaveURL('/app/clicks?period=week');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Country');
      await expect(page.getByText('30 values')).toBeVisible();
      await expect(rows(page)).toHaveCount(25);
      await expect(cells(page, 0)).toHaveText(['Germany', '5', '5', '0', '14%']);
      await expect(cells(page, 1)).toHaveText(['Switzerland', '3', '3', '1', '8%']);
      await look(page, 'all countries');

      await press(hand, page.getByRole('link', { name: 'Next page' }));
      await expect(page).toHaveURL('/app/clicks?period=week&page=2');
      await expect(rows(page)).toHaveCount(5);
      // What is counted is another list, which begins at its first page.
      await page.locator('h1').focus();
      await press(hand, page.getByRole('switch', { name: 'With bots' }));
      await expect(page).toHaveURL('/app/clicks?period=week&bots=yes');
      await expect(cells(page, 1)).toHaveText(['Switzerland', '4', '4', '1', '11%']);
      await press(hand, page.getByRole('switch', { name: 'With bots' }));
      await expect(cells(page, 1)).toHaveText(['Switzerland', '3', '3', '1', '8%']);

      await type(hand, page.getByRole('searchbox', { name: 'Search' }), 'germ');
      await expect(page).toHaveURL('/app/clicks?period=week&search=germ');
      await expect(rows(page)).toHaveCount(1);
      expect(await saved(page, hand, 'Table as CSV')).toEqual({ name: 'clicks-by-country.csv', lines: ['value,clicks,uniques,bots', 'DE,5,5,0'] });
      await type(hand, page.getByRole('searchbox', { name: 'Search' }), 'nowhere');
      await expect(page.getByRole('heading', { name: 'Nothing fits' })).toBeVisible();
      await press(hand, page.getByRole('button', { name: 'Show all' }));
      await expect(rows(page)).toHaveCount(25);
      const all = await saved(page, hand, 'Table as CSV');
      expect(all.lines).toHaveLength(31);
      expect(all.lines.slice(0, 3)).toEqual(['value,clicks,uniques,bots', 'DE,5,5,0', 'CH,3,3,1']);

      await press(hand, page.getByRole('link', { name: 'Germany' }));
      await expect(page).toHaveURL('/app?period=week&country=DE');
      await expect(chips(page)).toHaveText([/^Country\s*is\s*Germany$/]);
      await expect(clicksOf(page)).toHaveText('5');
      await page.goBack();
      await expect(page).toHaveURL('/app/clicks?period=week');
      await expect(rows(page)).toHaveCount(25);
      await page.goForward();

      // The conditions come along, and can be removed there.
      await press(hand, page.getByRole('link', { name: 'All: Devices' }));
      await expect(page).toHaveURL('/app/clicks?period=week&country=DE&by=device');
      await expect(cells(page, 0)).toHaveText(['Desktop', '3', '3', '0', '60%']);
      await expect(cells(page, 1)).toHaveText(['Phone', '2', '2', '0', '40%']);
      await press(hand, page.getByRole('link', { name: 'Remove the filter by Country' }));
      await expect(page).toHaveURL('/app/clicks?period=week&by=device');
      await expect(cells(page, 0)).toContainText(['Desktop', '34']);
      await press(hand, page.getByRole('link', { name: 'Overview' }).last());
      await expect(page).toHaveURL('/app?period=week');
    });

    test(`links have their names, and what else can be counted is beside them, by ${hand}`, async ({ page, person, service, node, data }) => {
      const { first, second } = await clicked(page, person, service, node!, data);
      const names: string[] = [];
      page.on('request', (request) => {
        if (request.postData()?.includes('BreakdownLinks')) names.push(request.url());
      });
      await press(hand, page.getByRole('link', { name: 'All: Top links' }));
      await expect(page).toHaveURL('/app/clicks?by=link');
      await expect(cells(page, 0)).toContainText(['Autumn letter', '28']);
      await expect(cells(page, 1)).toContainText([first.slug, '8']);
      expect(names).toHaveLength(1);
      await look(page, 'all links');
      await expect(page.getByRole('link', { name: 'Autumn letter' })).toHaveAttribute('href', `/app/links/${second.id}`);
      await expect(tabs(page)).toHaveText(['Link', 'Tag', 'Domain', 'Opened by']);
      await type(hand, page.getByRole('searchbox', { name: 'Search' }), first.slug.slice(0, -1));
      await expect(rows(page)).toHaveCount(1);
      await press(hand, tabs(page).filter({ hasText: 'Domain' }));
      await expect(page).toHaveURL('/app/clicks?by=domain');
      await expect(cells(page, 0)).toHaveText([new URL(service).host.split(':')[0]!, '36', '36', '1', '100%']);
      await page.goBack();
      await expect(rows(page)).toHaveCount(1);
      await press(hand, rows(page).getByRole('link', { name: 'Only these clicks' }));
      await expect(page).toHaveURL(`/app?link=${first.id}`);
      await expect(clicksOf(page)).toHaveText('8');
    });

    test(`the clicks of one link by what is known of them, by ${hand}`, async ({ page, person, service, node, data }) => {
      const { first } = await clicked(page, person, service, node!, data);
      await page.goto(`/app/links/${first.id}`);
      await settled(page);
      await press(hand, page.getByRole('link', { name: 'All: Countries' }));
      await expect(page).toHaveURL(`/app/links/${first.id}/clicks`);
      await expect(cells(page, 0)).toContainText(['Germany', '5']);
      await expect(tabs(page)).toHaveText(['Country', 'Region', 'City', 'Language']);
      await press(hand, tabs(page).filter({ hasText: 'City' }));
      await expect(page).toHaveURL(`/app/links/${first.id}/clicks?by=city`);
      await expect(cells(page, 0)).toContainText(['Munich, Germany', '5']);
      // What has no value stands there, too.
      await expect(cells(page, 1)).toContainText(['Unknown', '3']);
      await type(hand, page.getByRole('searchbox', { name: 'Search' }), 'germany');
      await expect(rows(page)).toHaveCount(1);
      expect((await saved(page, hand, 'Table as JSON Lines')).lines.map((line) => JSON.parse(line))).toEqual([{ value: 'DE:Munich', clicks: 5, uniques: 5, bots: 0 }]);
      await press(hand, page.getByRole('link', { name: 'Munich, Germany' }));
      await expect(page).toHaveURL(`/app/links/${first.id}?city=DE%3AMunich`);
      await expect(clicksOf(page)).toHaveText('5');
      await page.goto(`/app/links/${first.id}/clicks?by=destination`);
      await expect(page.locator('.link-table, .state').first()).toBeVisible();
      await look(page, 'destinations of a link');
    });
  }

  test('too many clicks, and those that are missing, are said', async ({ page, person, service, node, data, allowed }) => {
    await clicked(page, person, service, node!, data);
    await page.route('**/graphql', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('"isExact":true', '"isExact":false') });
    });
    const missing = page.getByText('Clicks of which only sums are left are not counted here.');
    for (const address of ['/app/clicks', '/app/clicks?country=DE&by=device']) {
      await page.goto(address);
      await expect(missing).toHaveCount(1);
    }
    await page.unrouteAll({ behavior: 'wait' });
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()!.includes('Breakdown(')) return route.fallback();
      return route.fulfill({ json: { data: null, errors: [{ message: 'There are too many clicks.', extensions: { code: 'RANGE_TOO_LARGE' } }] } });
    });
    allowed.push(/./);
    await page.goto('/app/clicks?by=device&period=year');
    await expect(page.getByRole('alert')).toContainText('Choose a shorter period');
    await examine(page, 'too many clicks');
    await page.unrouteAll({ behavior: 'wait' });
    await page.keyboard.press('w');
    await expect(cells(page, 0)).toContainText(['Desktop', '34']);
  });
});
