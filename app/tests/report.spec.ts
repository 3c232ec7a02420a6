// The report of a link: what it shows first, how numbers are told, and what becomes of it in a file and on paper.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { ALL, examine } from './axe.ts';
import { writeClicks } from './clicks.ts';
import { expect, type Hand, HANDS, type Person, post, press, signIn, test, unique, visit, VISITOR } from './fixtures.ts';
import type { Service } from './service.ts';
import { settled } from './pages.ts';

const DAY_MS = 86_400_000;
const BOT = 'Googlebot/2.1';
/** People on each day of the time before today, bots on the first of them. */
const [DAYS, A_DAY, BOTS] = [25, 60, 40];
const LANDSCAPE = { width: 1280, height: 900 };

test.skip(({ node }) => !node, 'writes into the log of a service that does not run');

/** A link with clicks on 25 days, and one of today. Answers the address of its page. */
async function report(page: Page, person: Person, service: string, node: Service, data: string): Promise<{ slug: string; address: string }> {
  const { accessToken } = await post(`${service}/auth/login`, person);
  const slug = unique('report');
  const { id: link } = await post(`${service}/links`, { slug, destinationUrl: 'https://example.com/' }, accessToken);
  const noon = new Date().setUTCHours(12, 0, 0, 0);
  const at = (day: number, second: number) => ({ at: new Date(noon - day * DAY_MS + second * 1000), link, country: 'CH' });
  const people = Array.from({ length: DAYS * A_DAY }, (_, each) => ({ ...at((each % DAYS) + 1, each), userAgent: VISITOR['user-agent'] }));
  const bots = Array.from({ length: BOTS }, (_, each) => ({ ...at(DAYS, each), userAgent: BOT }));
  await node.end();
  writeClicks(data, [...people, ...bots]);
  await node.start();
  await visit(`${service}/${slug}`);
  await signIn(page, person, `/app/links/${link}`);
  await expect(page.locator('.figure').filter({ hasText: 'Clicks' }).locator('strong')).toHaveText('1,501');
  await settled(page);
  return { slug, address: `/app/links/${link}` };
}

/** The points of a line, as its path has them. */
const points = async (page: Page, path: string): Promise<string[]> =>
  ((await page.locator(path).getAttribute('d')) ?? '').split(/(?=[ML])/).map((each) => each.slice(1));

/** Downloads by an item of the menu. Answers the name of the file, and how many lines it has. */
async function download(hand: Hand, page: Page, item: string) {
  await press(hand, page.getByRole('button', { name: 'Download and print' }));
  const saved = page.waitForEvent('download');
  if (hand === 'mouse') await page.getByRole('menuitem', { name: item }).click();
  else {
    while (!(await page.getByRole('menuitem', { name: item }).evaluate((each) => each === document.activeElement))) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  }
  const file = await saved;
  return { name: file.suggestedFilename(), lines: (await readFile(await file.path(), 'utf8')).trim().split('\n').length };
}

test('the part of the chart that is not over is dashed, and said to be', async ({ page, person, service, node, data }) => {
  const { address } = await report(page, person, service, node!, data);
  const note = page.locator('.chart-note');
  await expect(note).toHaveText('Dashed: today, so far');
  const [solid, dashed] = [await points(page, 'svg > .chart-clicks'), await points(page, '.chart-unfinished .chart-clicks')];
  expect(solid).toHaveLength(29);
  // From yesterday to today, and from one line to the other without a gap.
  expect(dashed).toHaveLength(2);
  expect(dashed[0]).toBe(solid.at(-1));
  const stroke = (path: string) => page.locator(path).evaluate((element) => getComputedStyle(element).strokeDasharray);
  expect(await stroke('.chart-unfinished .chart-clicks')).not.toBe('none');
  expect(await stroke('svg > .chart-clicks')).toBe('none');
  await page.getByText('Show as a table').click();
  await expect(page.locator('.chart tbody tr').first()).toContainText('so far');
  await expect(page.locator('.chart tbody').getByText('so far')).toHaveCount(1);

  await page.goto(`${address}?period=week&back=1`);
  await settled(page);
  await expect(page.locator('svg > .chart-clicks')).toHaveCount(1);
  await expect(page.locator('.chart-unfinished')).toHaveCount(0);
  await expect(note).toHaveCount(0);

  // Of today, the hours that have not come are not drawn.
  const now = new Date();
  await page.clock.setFixedTime(now);
  await page.goto(`${address}?day=${now.toISOString().slice(0, 10)}`);
  await expect(note).toHaveText('Dashed: this hour, so far');
  const hours = await points(page, 'svg > .chart-clicks');
  expect(hours.filter(Boolean)).toHaveLength(now.getUTCHours());
  expect(await points(page, '.chart-unfinished .chart-clicks')).toHaveLength(Math.min(2, now.getUTCHours() + 1));
});

for (const hand of HANDS) {
  test(`breakdowns come first, a click without UTM has none, and more clicks are a press away, by ${hand}`, async ({ page, person, service, node, data }) => {
    await report(page, person, service, node!, data);
    const latest = page.locator('.latest');
    const top = async (of: ReturnType<Page['locator']>) => (await of.boundingBox())!.y;
    const panels = page.locator('.top-values');
    await expect(panels).toHaveCount(3);
    for (const panel of await panels.all()) expect(await top(panel)).toBeLessThan(await top(latest));
    // Where clicks come from, in one panel of several ways.
    const origins = panels.filter({ has: page.getByRole('group', { name: 'Where clicks come from' }) });
    await expect(origins.getByRole('listitem')).toHaveText(['Direct or unknown100%1,501']);
    if (hand === 'mouse') await origins.locator('label', { hasText: 'Channels' }).click();
    else {
      await origins.getByRole('radio', { name: 'Sources' }).focus();
      await page.keyboard.press('ArrowRight');
    }
    await expect(origins.getByRole('heading')).toHaveText('Channels');
    await expect(origins.getByRole('listitem')).toHaveText(['Direct100%1,501']);
    for (const name of ['UTM source', 'UTM medium', 'UTM campaign']) {
      if (hand === 'mouse') await origins.locator('label', { hasText: name }).click();
      else await page.keyboard.press('ArrowRight');
      if (hand === 'keyboard' && name === 'UTM source') await page.keyboard.press('ArrowRight');
      await expect(origins.getByRole('heading')).toHaveText(name);
      await expect(origins.getByRole('listitem')).toHaveText(['None100%1,501']);
    }

    await expect(latest.getByRole('heading')).toHaveText('Latest clicks 10 of 1,501');
    await expect(latest.locator('tbody tr')).toHaveCount(10);
    await press(hand, latest.getByRole('button', { name: 'Show 40 more' }));
    await expect(latest.locator('tbody tr')).toHaveCount(50);
    await expect(latest.getByRole('heading')).toHaveText('Latest clicks 50 of 1,501');
    await expect(latest.getByRole('button')).toHaveCount(0);
    if (hand === 'keyboard') await expect(latest).toBeFocused();
  });

  test(`the clicks of the time that is shown are downloaded, by ${hand}`, async ({ page, person, service, node, data }) => {
    const { slug } = await report(page, person, service, node!, data);
    const lines = (item: string) => download(hand, page, item);
    const name = `clicks-${new URL(service).host.replace(':', '_')}-${slug}`;
    expect(await lines('Clicks as CSV')).toEqual({ name: `${name}.csv`, lines: 1502 });
    await press(hand, page.getByRole('switch', { name: 'With bots' }));
    await expect(page).toHaveURL(/bots=yes/);
    expect(await lines('Clicks as JSON Lines')).toEqual({ name: `${name}.jsonl`, lines: 1541 });
    await page.keyboard.press('Escape');
    await page.keyboard.press('w');
    await expect(page).toHaveURL(/period=week/);
    expect(await lines('Clicks as CSV')).toEqual({ name: `${name}.csv`, lines: 6 * A_DAY + 2 });
  });
}

for (const hand of HANDS) {
  test(`the clicks of all links are downloaded, or those of a filter, by ${hand}`, async ({ page, person, service, node, data }) => {
    await report(page, person, service, node!, data);
    const { accessToken } = await post(`${service}/auth/login`, person);
    const other = unique('other');
    await post(`${service}/links`, { slug: other, destinationUrl: 'https://example.com/', tags: ['spring'] }, accessToken);
    await visit(`${service}/${other}`);
    // Before the page is live it hears of no click.
    const headers = { authorization: `Bearer ${accessToken}` };
    await expect.poll(async () => (await (await fetch(`${service}/analytics/summary?filter=TAG:IS:spring`, { headers })).json()).totals.clicks).toBe(1);
    await page.goto('/app');
    await expect(page.locator('.figure strong').first()).toHaveText('1,502');
    expect(await download(hand, page, 'Clicks as CSV')).toEqual({ name: 'clicks.csv', lines: 1503 });
    await page.keyboard.press('Escape');
    await page.keyboard.press('w');
    await expect(page).toHaveURL(/period=week/);
    expect(await download(hand, page, 'Clicks as JSON Lines')).toEqual({ name: 'clicks.jsonl', lines: 6 * A_DAY + 2 });
    await page.goto('/app?tag=spring');
    await settled(page);
    expect(await download(hand, page, 'Clicks as CSV')).toEqual({ name: 'clicks.csv', lines: 2 });
  });
}

test('each point of the chart tells its numbers by the arrow keys', async ({ page, person, service, node, data }) => {
  const { address } = await report(page, person, service, node!, data);
  const now = Date.now();
  await page.clock.setFixedTime(now);
  const slider = page.getByRole('slider', { name: 'Numbers of one time' });
  const tip = page.locator('.chart-tip');
  await expect(tip).toHaveCount(0);
  await slider.focus();
  await expect(tip).toContainText('1 click1 visitor');
  await expect(slider).toHaveAttribute('aria-valuetext', /, 1 click, 1 visitor$/);
  await examine(page, 'a report with the numbers of a point', ALL);
  await page.keyboard.press('ArrowLeft');
  await expect(tip).toContainText('60 clicks60 visitors');
  await expect(slider).toHaveAttribute('aria-valuetext', /, 60 clicks, 60 visitors$/);
  // The arrows choose a point here, and no other period; other keys do as anywhere.
  await expect(page).toHaveURL(address);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${address}?day=${new Date(now - DAY_MS).toISOString().slice(0, 10)}`);
  await slider.focus();
  await page.keyboard.press('w');
  await expect(page).toHaveURL(`${address}?period=week`);
});

test.describe('touch', () => {
  test.use({ hasTouch: true });
  test('each point of the chart tells its numbers by a touch', async ({ page, person, service, node, data }) => {
    const { address } = await report(page, person, service, node!, data);
    const plot = page.locator('.chart-over');
    await plot.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await plot.boundingBox())!;
    await page.touchscreen.tap(x + (width * 28) / 29, y + height / 2);
    await expect(page.locator('.chart-tip')).toContainText('60 clicks60 visitors');
    await page.touchscreen.tap(x + width - 1, y + height / 2);
    await expect(page.locator('.chart-tip')).toContainText('1 click1 visitor');
    await expect(page).toHaveURL(address);
  });
});

test('numbers are written in one way', async ({ page, person, service, node, data }) => {
  await report(page, person, service, node!, data);
  const compact = /\d\s?(K|M|Tsd|Mio)\b/;
  await expect(page.locator('.figure strong').first()).toHaveText('1,501');
  await expect(page.locator('.figure').first()).toContainText('none before');
  await expect(page.locator('.bars .bar-value').first()).toHaveText('1,500');
  expect(await page.locator('main').innerText()).not.toMatch(compact);
  for (const address of ['/app', '/app/links', '/app/billing']) {
    await page.goto(address);
    await settled(page);
    await expect(page.locator('main')).toContainText('1,5');
    expect(await page.locator('main').innerText(), address).not.toMatch(compact);
  }
});

test('the time before is told by its numbers, too', async ({ page, person, service, node, data }) => {
  const { address } = await report(page, person, service, node!, data);
  // The week before ends at this time of its last day, whose clicks are those of its noon.
  await page.goto(`${address}?period=week`);
  await expect(page.locator('.figure').first()).toHaveText(/^Clicks361(0%360|-14%420) before$/);
  await page.goto(`${address}?period=week&back=9`);
  await expect(page.locator('.figure strong').first()).toHaveText('0');
  await expect(page.locator('.change')).toHaveCount(0);
});

test('a printed report has all of the chart, and nothing to press', async ({ page, person, service, node, data }) => {
  // Printing lays the page out anew and tells no observer of it.
  await page.addInitScript(() => {
    ResizeObserver.prototype.observe = () => {};
  });
  await page.setViewportSize(LANDSCAPE);
  await report(page, person, service, node!, data);
  // As wide as A4 between its margins, after a wide window.
  const sheet = { width: 703, height: 1032 };
  await page.evaluate(() => {
    document.documentElement.dataset.theme = 'dark';
  });
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize(sheet);

  for (const gone of ['.header', '.rail', '.skip', '.tabs', '.picker [role=switch]', 'summary', '.chart-over']) {
    await expect(page.locator(gone).first(), gone).toBeHidden();
  }
  await expect(page.locator('button:visible, .button:visible, [role=switch]:visible')).toHaveCount(0);
  await expect(page.locator('.span')).toBeVisible();
  await expect(page.getByText('Without bots')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light');

  const cut = await page.evaluate(() => {
    const told: string[] = [];
    if (document.documentElement.scrollWidth > innerWidth) told.push('the page is wider than the sheet');
    const svg = document.querySelector('.chart-canvas svg')!.getBoundingClientRect();
    const host = document.querySelector('.chart-canvas')!.getBoundingClientRect();
    if (svg.left < host.left - 1 || svg.right > host.right + 1 || svg.bottom > host.bottom + 1) told.push('the chart is cut');
    for (const line of document.querySelectorAll('.chart-canvas svg path, .chart-canvas svg text')) {
      const { left, right } = line.getBoundingClientRect();
      if (left < host.left - 1 || right > host.right + 1) told.push(`beyond the chart: ${line.textContent || line.getAttribute('class')}`);
    }
    for (const element of document.querySelectorAll('main *')) {
      const { overflowX, overflowY, textOverflow } = getComputedStyle(element);
      const isCut = element.scrollWidth > element.clientWidth + 1 && overflowX !== 'visible' && textOverflow !== 'ellipsis';
      const isLow = element.scrollHeight > element.clientHeight + 1 && overflowY !== 'visible';
      const { width } = element.getBoundingClientRect();
      if (width > 1 && element.clientWidth > 0 && (isCut || isLow)) told.push(`cut: ${element.tagName}.${element.className}`);
    }
    return told;
  });
  expect(cut).toEqual([]);
  // The last day is on it.
  const [line, chart] = [await page.locator('.chart-unfinished .chart-clicks').boundingBox(), await page.locator('.chart').boundingBox()];
  expect(line!.x + line!.width).toBeGreaterThan(chart!.x + chart!.width - 20);
  expect(line!.x + line!.width).toBeLessThanOrEqual(chart!.x + chart!.width);

  // A browser that prints says so: then its letters are as large as others.
  const letters = () => page.locator('.chart-canvas text').first().evaluate((text) => text.getBoundingClientRect().height);
  const before = await letters();
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await expect.poll(letters).toBeGreaterThan(before * 1.3);
});
