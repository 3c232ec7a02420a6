// The time that a page of statistics is of, and the one that it is compared with.
import type { Page } from '@playwright/test';
import { examine } from './axe.ts';
import { writeClicks } from './clicks.ts';
import { createLink, expect, type Hand, HANDS, post, press, signIn, tabTo, test, unique, visit, VISITOR } from './fixtures.ts';
import { settled } from './pages.ts';

// On 2026-03-29 the clocks there go forward.
test.use({ timezoneId: 'Europe/Zurich' });

const DAY_MS = 86_400_000;
const MENU = 'Other periods, and comparison';

async function choose(hand: Hand, page: Page, name: string): Promise<void> {
  await press(hand, page.getByRole('button', { name: MENU }));
  const item = page.getByRole('menuitemradio', { name });
  if (hand === 'mouse') await item.click();
  else {
    while (!(await item.evaluate((each) => each === document.activeElement))) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  }
}

/** The variables of the questions about clicks, the newest last. */
function asked(page: Page): Record<string, unknown>[] {
  const all: Record<string, unknown>[] = [];
  page.on('request', (request) => {
    if (/Overview\(|LinkSummary\(/.test(request.postData() ?? '')) all.push(request.postDataJSON().variables);
  });
  return all;
}

test('each period begins and ends at midnights, and has parts as long as suits it', async ({ page, person, service }) => {
  await createLink(service, person, unique('ranges'), 'https://example.com/');
  await page.clock.setFixedTime('2026-05-20T10:20:30.000Z');
  const all = asked(page);
  await signIn(page, person);
  for (const [query, from, to, interval] of [
    ['?period=today', '2026-05-19T22:00', null, 'HOUR'],
    ['?period=today&back=1', '2026-05-18T22:00', '2026-05-19T22:00', 'HOUR'],
    ['?period=week', '2026-05-13T22:00', null, 'DAY'],
    ['', '2026-04-20T22:00', null, 'DAY'],
    ['?period=quarter', '2026-02-19T23:00', null, 'DAY'],
    ['?period=year', '2025-05-31T22:00', null, 'MONTH'],
    ['?period=thisMonth', '2026-04-30T22:00', null, 'DAY'],
    ['?period=thisMonth&back=2', '2026-02-28T23:00', '2026-03-31T22:00', 'DAY'],
    ['?period=thisQuarter', '2026-03-31T22:00', null, 'DAY'],
    ['?period=thisQuarter&back=1', '2025-12-31T23:00', '2026-03-31T22:00', 'DAY'],
    ['?period=thisYear', '2025-12-31T23:00', null, 'WEEK'],
    ['?period=thisYear&back=1', '2024-12-31T23:00', '2025-12-31T23:00', 'MONTH'],
    ['?from=2026-03-28&to=2026-03-29', '2026-03-27T23:00', '2026-03-29T22:00', 'HOUR'],
    ['?from=2026-03-27&to=2026-03-29', '2026-03-26T23:00', '2026-03-29T22:00', 'DAY'],
    // No day, or the last before the first.
    ['?from=2026-03-27', '2026-04-20T22:00', null, 'DAY'],
    ['?from=2026-03-27&to=2026-03-26', '2026-04-20T22:00', null, 'DAY'],
  ] as const) {
    await page.goto(`/app${query}`);
    const at = (minute: string | null) => minute && `${minute}:00.000Z`;
    await expect.poll(() => all.at(-1), query).toMatchObject({ from: at(from), to: at(to), interval, withYear: false });
  }
  // The account is of the real today, before which nothing is.
  await page.clock.setFixedTime(Date.now());
  await page.goto('/app?period=all');
  await settled(page);
  await expect.poll(() => [all.at(-1)!.interval, Date.parse(String(all.at(-1)!.from)) > Date.now() - 2 * DAY_MS]).toEqual(['HOUR', true]);
  await expect(page.locator('.change')).toHaveCount(0);
});

for (const hand of HANDS) {
  test(`periods are chosen, gone back from and shared, by ${hand}`, async ({ page, person, service }) => {
    const slug = unique('chosen');
    await createLink(service, person, slug, 'https://example.com/');
    await visit(`${service}/${slug}`);
    await signIn(page, person);
    await page.getByRole('link', { name: slug }).click();
    await expect(page.getByRole('heading', { name: slug })).toBeVisible();
    const path = new URL(page.url()).pathname;
    const current = page.locator('.picker .tabs [aria-current]');
    for (const at of [path, '/app']) {
      await page.goto(at);
      await settled(page);
      await choose(hand, page, 'This quarter');
      await expect(page).toHaveURL(`${at}?period=thisQuarter`);
      await expect(current).toHaveText('This quarter');
      await page.keyboard.press('ArrowLeft');
      await expect(page).toHaveURL(`${at}?period=thisQuarter&back=1`);
      await page.keyboard.press('w');
      await expect(current).toHaveText('7 days');
      await choose(hand, page, 'Yesterday');
      await expect(page).toHaveURL(`${at}?period=today&back=1`);
      await expect(current).toHaveText('Yesterday');
      await page.reload();
      await expect(current).toHaveText('Yesterday');
      await choose(hand, page, 'All time');
      await expect(current).toHaveText('All time');
      await expect(page.locator('.figure strong').first()).toHaveText('1');
      await expect(page.getByRole('link', { name: 'The period before' })).toHaveCount(0);

      await choose(hand, page, 'From – to');
      const dialog = page.getByRole('dialog', { name: 'From – to' });
      // The later one first: they are put in order.
      if (hand === 'mouse') {
        await dialog.getByLabel('First day').fill('2026-06-06');
        await dialog.getByLabel('Last day').fill('2026-05-05');
      } else {
        // The same whether days or months come first.
        await expect(dialog.getByLabel('First day')).toBeFocused();
        await page.keyboard.type('06062026');
        await tabTo(page, dialog.getByLabel('Last day'));
        await page.keyboard.type('05052026');
      }
      await press(hand, dialog.getByRole('button', { name: 'Show' }));
      await expect(dialog).toHaveCount(0);
      await expect(page).toHaveURL(`${at}?from=2026-05-05&to=2026-06-06`);
      await expect(page.locator('.span')).toHaveText(/^5 May.+6 Jun 2026$/);
      await expect(current).toHaveCount(0);
      await page.keyboard.press('ArrowLeft');
      await expect(page).toHaveURL(`${at}?from=2026-04-02&to=2026-05-04`);
      await page.getByRole('link', { name: 'The period after' }).click();
      await page.goBack();
      await page.goBack();
      await page.goBack();
      await expect(page).toHaveURL(`${at}?period=all`);
      await expect(current).toHaveText('All time');
    }
  });

  test(`the year before is compared, or nothing, which is remembered, by ${hand}`, async ({ page, person, service, node, data }) => {
    test.skip(!node, 'writes into the log of a service that does not run');
    const { accessToken } = await post(`${service}/auth/login`, person);
    const slug = unique('year');
    const { id: link } = await post(`${service}/links`, { slug, destinationUrl: 'https://example.com/' }, accessToken);
    const noon = new Date();
    noon.setUTCFullYear(noon.getUTCFullYear() - 1);
    const at = (days: number) => ({ at: new Date(noon.getTime() - days * DAY_MS), link, country: 'CH', userAgent: VISITOR['user-agent'] });
    await node!.end();
    writeClicks(data, [at(1), at(2), at(3), at(4)]);
    await node!.start();
    await visit(`${service}/${slug}`);
    const clicks = page.locator('.figure').first();

    await signIn(page, person);
    await expect(clicks).toHaveText('Clicks1none before');
    await choose(hand, page, 'A year earlier');
    await expect(page).toHaveURL('/app?compare=year');
    await expect(clicks).toHaveText('Clicks1-75%4 a year earlier');
    await page.goto(`/app/links/${link}?period=week`);
    await expect(clicks).toHaveText('Clicks1-75%4 a year earlier');
    await choose(hand, page, 'Nothing');
    await expect(clicks).toHaveText('Clicks1');
    await page.goto('/app');
    await expect(clicks).toHaveText('Clicks1');
    // An address that says so wins, and changes nothing that is remembered.
    await page.goto('/app?compare=before');
    await expect(clicks).toHaveText('Clicks1none before');
    await page.goto('/app');
    await choose(hand, page, 'The period before');
    await expect(page).toHaveURL('/app');
    await expect(clicks).toHaveText('Clicks1none before');
  });
}

test('the menu of periods and the dialog for days are legible', async ({ page, person, service }) => {
  await createLink(service, person, unique('axe'), 'https://example.com/');
  await signIn(page, person, '/app?period=thisQuarter');
  await settled(page);
  await examine(page, 'a period of the menu');
  await page.getByRole('button', { name: MENU }).click();
  await examine(page, 'the menu of periods');
  await page.getByRole('menuitemradio', { name: 'From – to' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await examine(page, 'the dialog for days');
});
