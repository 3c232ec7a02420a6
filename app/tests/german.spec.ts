// German, in Zurich, where 2026-03-29 has no hour from two to three.
import type { Page } from '@playwright/test';
import { PARTS } from '../src/i18n/parts.ts';
import { writeClicks } from './clicks.ts';
import { expect, type Hand, HANDS, post, press, signIn, test, unique } from './fixtures.ts';
import { addresses, fill, settled, usual } from './pages.ts';

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
/** In each hour before the change, and in each after it. */
const [BEFORE, AFTER] = [100, 50];
const HOURS = ['00:00', '01:00', ...Array.from({ length: 21 }, (_, at) => `${String(at + 3).padStart(2, '0')}:00`)];

test.skip(({ node }) => !node, 'writes into the log of a service that does not run');

/** Chooses the language and the zone on the page of the settings. */
async function settle(hand: Hand, page: Page): Promise<void> {
  const [language, zone] = [page.getByRole('radio', { name: 'Deutsch' }), page.locator('select[name=zone]')];
  if (hand === 'mouse') {
    await language.click();
    await zone.selectOption('Europe/Zurich');
  } else {
    // A group of radio buttons is one stop of Tab; the arrows move in it.
    await press(hand, page.getByRole('radio', { name: 'English' }));
    await page.keyboard.press('ArrowRight');
    // The page is made anew in the other language.
    await expect(page.getByRole('heading', { name: 'Einstellungen' })).toBeVisible();
    await expect(language).toBeFocused();
    await press(hand, zone);
    await page.keyboard.type('Zurich');
    await page.keyboard.press('Enter');
  }
  await expect(language).toBeChecked();
  await expect(zone).toHaveValue('Europe/Zurich');
  await expect(page.getByRole('heading', { name: 'Einstellungen' })).toBeVisible();
}

/** The numbers of the table behind the chart, the newest first. */
const rows = (page: Page) => page.locator('.chart tbody tr');

for (const hand of HANDS) {
  test(`J14 by ${hand}: a day with a change of the clocks has 23 hours`, async ({ page, person, service, node, data }) => {
    const { accessToken } = await post(`${service}/auth/login`, person);
    const { id: link } = await post(`${service}/links`, { slug: unique('zeit'), destinationUrl: 'https://example.com/' }, accessToken);
    // Midnight there is 23:00 in UTC.
    const clicks = HOURS.flatMap((_, hour) =>
      Array.from({ length: hour < 2 ? BEFORE : AFTER }, (__, at) => {
        const clickedAt = new Date(Date.parse('2026-03-28T23:00:00Z') + hour * 3_600_000 + at * 1000);
        return { at: clickedAt, link, country: 'CH', userAgent: AGENT };
      }),
    );
    await node!.end();
    writeClicks(data, clicks);
    await node!.start();

    await page.clock.setFixedTime('2026-04-06T10:20:30.000Z');
    await signIn(page, person, '/app/settings');
    await settle(hand, page);
    await press(hand, page.getByRole('link', { name: 'Übersicht' }));
    await expect(page.getByRole('heading', { name: 'Übersicht' })).toBeVisible();
    if (hand === 'mouse') {
      await page.getByRole('link', { name: '7 Tage' }).click();
      await page.getByRole('link', { name: 'Der Zeitraum davor' }).click();
    } else {
      await page.keyboard.press('w');
      await page.keyboard.press('ArrowLeft');
    }
    await expect(page).toHaveURL('/app?period=week&back=1');
    await expect(page.locator('.span')).toHaveText('24.–30.03.2026');
    const figure = page.locator('.figure').filter({ hasText: 'Klicks' }).locator('strong');
    await expect(figure).toHaveText('1.250');

    await press(hand, page.getByText('Als Tabelle zeigen'));
    await expect(rows(page)).toHaveCount(7);
    if (hand === 'mouse') {
      // The sixth of seven days.
      const plot = page.locator('.chart .chart-over');
      const { width, height } = (await plot.boundingBox())!;
      const position = { x: (width * 5) / 6, y: height / 2 };
      await plot.hover({ position });
      await expect(page.locator('.chart-tip')).toContainText('29.03.20261.250 Klicks');
      await plot.click({ position });
    } else await press(hand, page.getByRole('link', { name: '29.03.2026' }));

    await expect(page).toHaveURL('/app?day=2026-03-29');
    await expect(page.locator('.span')).toHaveText('29.03.2026');
    await expect(rows(page)).toHaveCount(23);
    await expect(rows(page)).toHaveText(
      HOURS.map((hour, at) => {
        const count = at < 2 ? BEFORE : AFTER;
        return `29.03.2026, ${hour}:00${count}${count}`;
      }).toReversed(),
    );
    await expect(figure).toHaveText('1.250');
    await expect(page.getByRole('img', { name: '1.250 Klicks vom 29.03.2026' })).toBeVisible();
    const countries = page.locator('.top-values').filter({ hasText: 'Länder' });
    await expect(countries).toContainText('Schweiz');
    await expect(countries).toContainText('Nach Adresse: IPtoASN, eingebaut, Stand ');

    // The days beside it are whole.
    await page.keyboard.press('ArrowLeft');
    await expect(page).toHaveURL('/app?day=2026-03-28');
    await expect(rows(page)).toHaveCount(24);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect(page).toHaveURL('/app?day=2026-03-30');
    await expect(rows(page)).toHaveCount(24);
    // And a day later in the year has the hour twice.
    await page.goto('/app?day=2025-10-26');
    await expect(page.locator('.span')).toHaveText('26.10.2025');
    await page.getByText('Als Tabelle zeigen').click();
    await expect(rows(page)).toHaveCount(25);
  });
}

/** All words of a catalogue, by letters alone. */
function words(catalogue: unknown): Set<string> {
  const found = new Set<string>();
  const add = (word: unknown): void => {
    if (typeof word === 'string') for (const each of word.match(/\p{L}{2,}/gu) ?? []) found.add(each.toLowerCase());
    else if (typeof word === 'function') for (const count of [1, 2]) add(word(...Array<number>(word.length).fill(count)));
    else if (word !== null && typeof word === 'object') Object.values(word).forEach(add);
  };
  add(catalogue);
  return found;
}

/** Events and scopes of the API, time zones, and what is called so in any language. */
const NAMES = /^[a-z_]+[.:][a-z_]+$|^[A-Z]\w+\/[\w/+-]+$|^Google Cloud DNS$|^Short\.io$|^Free$|^English$|^Isle of Man$/;

/** The texts of a page, visible ones and those for screen readers. */
const said = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const texts: string[] = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      // Names by users, and codes, are in no language.
      if (!walker.currentNode.parentElement!.closest('script, noscript, code, kbd, optgroup, [lang=en]:not(html)')) texts.push(walker.currentNode.nodeValue ?? '');
    }
    for (const element of document.body.querySelectorAll('*')) {
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) texts.push(element.getAttribute(name) ?? '');
    }
    return texts.filter((text) => text.trim() !== '');
  });

const names = (options: Intl.DateTimeFormatOptions, dates: string[]) => (locale: string) =>
  dates.map((date) => new Intl.DateTimeFormat(locale, options).format(new Date(date)));
const MONTHS = Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, '0')}-15`);
const DATES = [names({ month: 'long' }, MONTHS), names({ month: 'short' }, MONTHS)];

/** All words of a language. */
const inAll = (language: 'en' | 'de') => Promise.all(Object.values(PARTS).map((part) => part[language]().then((module) => ({ ...module }))));

test('J14: no page in German has an English word', async ({ page, person, service }) => {
  const [de, en] = await Promise.all([inAll('de'), inAll('en')]);
  const german = words([de, DATES.map((each) => each('de'))]);
  const english = [...words([en, DATES.map((each) => each('en')), 'ago', 'yesterday', 'Switzerland'])].filter((word) => !german.has(word));
  expect(english.length).toBeGreaterThan(300);
  await fill(service, person, { ...usual(), name: 'Änne Öttli' });
  await signIn(page, person, '/app/settings');
  await settle('mouse', page);

  const found: string[] = [];
  for (const address of [...(await addresses(page)), '/app?day=2026-03-29', '/app/nirgends']) {
    await page.goto(address);
    await settled(page);
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    for (const text of await said(page)) {
      const isData = NAMES.test(text) || /https?:|example\.|@|-[0-9a-f]{8}/.test(text);
      const own = isData ? [] : (text.match(/\p{L}{2,}/gu) ?? []).filter((word) => english.includes(word.toLowerCase()));
      if (own.length > 0) found.push(`${address}: ${own.join(', ')} in “${text}”`);
    }
  }
  expect(found).toEqual([]);
});
