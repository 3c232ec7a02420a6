// Clicks by country on a map, and by weekday and hour in a table.
import type { Page } from '@playwright/test';
import { byHour } from '../src/analytics/week.ts';
import { SHAPES } from '../src/analytics/world.ts';
import { ALL, examine } from './axe.ts';
import { writeClicks } from './clicks.ts';
import { expect, type Hand, HANDS, type Person, post, press, signIn, test, unique, visit, VISITOR } from './fixtures.ts';
import type { Service } from './service.ts';
import { settled } from './pages.ts';

const HOUR_MS = 3_600_000;

/** The clock of a time zone: what it shows at a moment, as if it were UTC. */
const clockIn = (timeZone: string) => (at: Date) => new Date(`${new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone }).format(at).replace(' ', 'T')}Z`);

/** A click in each hour from a moment on. */
const hourly = (from: string, hours: number) => Array.from({ length: hours }, (_, at) => ({ start: new Date(Date.parse(from) + at * HOUR_MS).toISOString(), clicks: 1 }));

test('sums by weekday and hour are those of the clocks, also where they are changed', () => {
  const zurich = clockIn('Europe/Zurich');
  const sum = (sums: number[][]) => sums.flat().reduce((all, each) => all + each, 0);
  expect(byHour([], zurich)).toEqual(Array.from({ length: 7 }, () => Array<number>(24).fill(0)));
  // Sunday, 29 March 2026, has no hour from two to three; 25 October has it twice.
  const spring = byHour(hourly('2026-03-28T23:00:00.000Z', 23), zurich);
  expect(spring[0]).toEqual([1, 1, 0, ...Array<number>(21).fill(1)]);
  const autumn = byHour(hourly('2026-10-24T22:00:00.000Z', 25), zurich);
  expect(autumn[0]).toEqual([1, 1, 2, ...Array<number>(21).fill(1)]);
  expect([sum(spring), sum(autumn)]).toEqual([23, 25]);
  // The same hour of two Mondays, and a Sunday of another zone.
  const twice = byHour([{ start: '2026-11-02T08:00:00.000Z', clicks: 3 }, { start: '2026-11-09T08:00:00.000Z', clicks: 4 }], zurich);
  expect(twice[1]![9]).toBe(7);
  expect(byHour([{ start: '2026-11-02T08:00:00.000Z', clicks: 3 }], clockIn('Pacific/Honolulu'))[0]![22]).toBe(3);
});

test('the map has the countries of the world, by their codes', () => {
  const codes = Object.keys(SHAPES);
  expect(codes.length).toBeGreaterThan(170);
  expect(codes.filter((code) => !/^[A-Z]{2}$/.test(code))).toEqual([]);
  for (const code of ['CH', 'DE', 'US', 'CN', 'BR', 'ZA', 'AU', 'LU', 'PS']) expect(codes).toContain(code);
});

test.describe('with clicks of the past', () => {
  test.skip(({ node }) => !node, 'writes into the log of a service that does not run');
  test.use({ timezoneId: 'Europe/Zurich', locale: 'en-GB' });

  /** 60 clicks in Germany, 37 in Switzerland, 2 in Austria and 1 in Monaco, at 14:30 of the days before. Answers the address of their link. */
  async function clicked(page: Page, person: Person, service: string, node: Service, data: string) {
    const { accessToken } = await post(`${service}/auth/login`, person);
    const slug = unique('places');
    const { id: link } = await post(`${service}/links`, { slug, destinationUrl: 'https://example.com/' }, accessToken);
    const countries = [...Array<string>(60).fill('DE'), ...Array<string>(37).fill('CH'), 'AT', 'AT', 'MC'];
    // Half past one in winter, so that no test is at another day by an hour.
    const at = (days: number) => new Date(new Date().setUTCHours(12, 30, 0, 0) - days * 24 * HOUR_MS);
    await node.end();
    writeClicks(data, countries.map((country, each) => ({ at: at((each % 2) + 2), link, country, userAgent: VISITOR['user-agent'] })));
    await node.start();
    await signIn(page, person);
    await expect(clicksOf(page)).toHaveText('100');
    return { link: `/app/links/${link}`, slug, days: [at(2), at(3)] as const };
  }

  const clicksOf = (page: Page) => page.locator('.figure strong').first();
  const panel = (page: Page) => page.locator('.top-values').filter({ has: page.getByRole('group', { name: 'Where visitors are' }) });
  const countries = (page: Page) => page.locator('.world').getByRole('link');

  async function openMap(hand: Hand, page: Page) {
    if (hand === 'mouse') await panel(page).locator('label', { hasText: 'Map' }).click();
    else {
      await panel(page).getByRole('radio', { name: 'Countries' }).focus();
      await page.keyboard.press('ArrowRight');
    }
    await expect(countries(page).first()).toBeVisible();
  }

  for (const hand of HANDS) {
    test(`the map leads to the clicks of a country, by ${hand}`, async ({ page, person, service, node, data }) => {
      const { link, slug } = await clicked(page, person, service, node!, data);
      const fetched: string[] = [];
      page.on('request', (request) => fetched.push(request.url()));
      for (const address of ['/app', link]) {
        await page.goto(address);
        await settled(page);
        expect(fetched.filter((url) => url.includes('/world-'))).toEqual([]);
        await openMap(hand, page);
        expect(fetched.filter((url) => url.includes('/world-'))).toHaveLength(1);
        fetched.length = 0;
        // The most clicks first. Monaco is too small for the map, and in the list.
        expect(await countries(page).evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))).toEqual(['Germany: 60 clicks, 60%', 'Switzerland: 37 clicks, 37%', 'Austria: 2 clicks, 2%']);
        expect(await countries(page).evaluateAll((all) => all.map((each) => getComputedStyle(each).getPropertyValue('--level')))).toEqual(['5', '5', '2']);
        await expect(panel(page).locator('.bars').getByRole('listitem')).toHaveText(['Germany60%60', 'Switzerland37%37', 'Austria2%2', 'Monaco1%1']);
        await expect(panel(page).locator('.shades').getByRole('listitem')).toHaveText(['Below 1%', 'From 1%', 'From 5%', 'From 10%', 'From 25%']);
        await press(hand, page.getByRole('link', { name: 'Switzerland: 37 clicks' }));
        await expect(page).toHaveURL(`${address}?country=CH`);
        await expect(clicksOf(page)).toHaveText('37');
        // The page was not loaded anew, and the map is that of the clicks that are left.
        await expect(countries(page)).toHaveCount(1);
        await expect(countries(page)).toHaveAttribute('aria-label', 'Switzerland: 37 clicks, 100%');
      }
      // The map follows what is counted.
      await page.goto(link);
      await settled(page);
      await openMap(hand, page);
      await visit(`${service}/${slug}`);
      await expect(clicksOf(page)).toHaveText('101');
      await expect(countries(page).first()).toHaveAttribute('aria-label', 'Germany: 60 clicks, 59%');
    });

    test(`clicks are counted by weekday and hour, by ${hand}`, async ({ page, person, service, node, data }) => {
      const { link, days } = await clicked(page, person, service, node!, data);
      const table = page.getByRole('region', { name: 'By weekday and hour' });
      const named = (day: Date) => new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'Europe/Zurich' }).format(day);
      const hour = Number(new Intl.DateTimeFormat('en-GB', { hour: '2-digit', timeZone: 'Europe/Zurich' }).format(days[0]));
      for (const address of ['/app', link]) {
        await page.goto(address);
        await settled(page);
        await press(hand, page.locator('summary', { hasText: 'By weekday and hour' }));
        await expect(table.getByRole('columnheader')).toHaveCount(25);
        await expect(table.getByRole('columnheader').nth(1)).toHaveText('00:00');
        await expect(table.getByRole('rowheader')).toHaveText(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']);
        for (const day of days) {
          const cells = table.getByRole('row').filter({ hasText: named(day) }).getByRole('cell');
          await expect(cells.nth(hour)).toHaveText('50');
          await expect(cells.nth((hour + 1) % 24)).toHaveText('0');
          expect(await cells.nth(hour).evaluate((each) => getComputedStyle(each).getPropertyValue('--level'))).toBe('5');
        }
        expect((await table.getByRole('cell').allTextContents()).reduce((sum, each) => sum + Number(each), 0)).toBe(100);
        if (hand === 'keyboard') {
          await page.keyboard.press('Tab');
          await expect(table).toBeFocused();
        }
        // A period whose hours are too many says so.
        await expect(page.getByText('too long to count all')).toHaveCount(0);
        await page.locator('h1').focus();
        await page.keyboard.press('y');
        await expect(page).toHaveURL(/period=year/);
        await expect(page.getByText('The period is too long to count all of its hours. These are those since')).toBeVisible();
        await expect(table.getByRole('cell').first()).toBeVisible();
      }
    });
  }

  test('the map and the hours are legible', async ({ page, person, service, node, data }) => {
    const { link } = await clicked(page, person, service, node!, data);
    for (const address of ['/app', link]) {
      await page.goto(address);
      await settled(page);
      await page.locator('summary', { hasText: 'By weekday and hour' }).click();
      await openMap('mouse', page);
      await expect(page.locator('.week')).toBeVisible();
      await examine(page, address, ALL);
      // On paper nothing can be scrolled.
      await page.emulateMedia({ media: 'print' });
      await page.setViewportSize({ width: 703, height: 1032 });
      const excess = await page.locator('.table-scroll').evaluateAll((all) => all.map((each) => each.scrollWidth - each.clientWidth));
      expect(Math.max(...excess), address).toBeLessThanOrEqual(0);
      await page.emulateMedia({ media: null });
    }
  });

  test('without its shapes the map says so, and the list stays', async ({ page, person, service, node, data, allowed }) => {
    await clicked(page, person, service, node!, data);
    await page.route('**/world-*.js', (route) => route.abort());
    allowed.push(/net::ERR_FAILED/);
    await panel(page).locator('label', { hasText: 'Map' }).click();
    await expect(page.getByText('The service can’t be reached.')).toBeVisible();
    await expect(panel(page).locator('.bars').getByRole('listitem')).toHaveCount(4);
  });
});
