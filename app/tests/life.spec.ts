// Links that begin, end, can be followed a few times only, or are archived.
import type { Locator, Page } from '@playwright/test';
import { ALL, examine } from './axe.ts';
import { withDestination } from './destination.ts';
import { changeIn, expect, type Hand, HANDS, post, press, signIn, type, unique, visit } from './fixtures.ts';
import { settled } from './pages.ts';

/** A browser of a visitor; what says less of itself may be taken for a bot. */
const VISITOR = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
const DESTINATION = 'https://example.com/destination';
const OVER = 'https://example.org/over';

interface Life {
  startsAt?: string | null;
  expiresAt?: string | null;
  expiredUrl?: string | null;
  maxClicks?: number | null;
  isArchived?: boolean;
}

/** The links of a person, by the API, without the application. */
interface Links {
  make(slug: string, life?: Life & { destinationUrl?: string }): Promise<string>;
  archive(id: string): Promise<void>;
  read(id: string): Promise<Life>;
}

const test = withDestination.extend<{ links: Links }>({
  links: async ({ service, person }, use) => {
    const { accessToken: token } = await post(`${service}/auth/login`, person);
    await use({
      make: async (slug, more) => (await post(`${service}/links`, { slug, destinationUrl: DESTINATION, ...more }, token)).id,
      archive: (id) => post(`${service}/links/${id}`, { isArchived: true }, token, 'PATCH'),
      async read(id) {
        const response = await fetch(`${service}/links/${id}`, { headers: { authorization: `Bearer ${token}` } });
        return (await response.json()) as Life;
      },
    });
  },
});

const inZone = (page: Page, zone: string) => page.addInitScript((chosen) => localStorage.setItem('linkgraph.zone', chosen), zone);

const field = (within: Page | Locator, name: string) => within.getByLabel(name, { exact: true });
const facts = (page: Page) => page.locator('.facts');
const rowOf = (page: Page, slug: string) => page.getByRole('row').filter({ hasText: slug });
const edit = (page: Page) => page.getByRole('dialog', { name: 'Edit the link' });

/**
 * Fills in a day and a time in the morning. The browser has its own order for the keys: day and month are the same number, and a
 * clock of 24 hours takes no `a`.
 */
async function setMinute(hand: Hand, target: Locator, minute: string): Promise<void> {
  const [, year, month, hour, minutes] = /^(\d{4})-(\d\d)-\2T(0\d):(\d\d)$/.exec(minute)!;
  if (hand === 'mouse') await target.fill(minute);
  else await type(hand, target, `${month}${month}${year}${hour}${minutes}a`);
  await expect(target).toHaveValue(minute);
}

async function empty(hand: Hand, target: Locator): Promise<void> {
  await type(hand, target, '');
  await target.press('Delete');
  await expect(target).toHaveValue('');
}

/** Saves, and answers what was sent of the link. */
async function save(hand: Hand, page: Page): Promise<object> {
  const sent = page.waitForRequest((request) => request.postData()?.includes('mutation UpdateLink') ?? false);
  await press(hand, edit(page).getByRole('button', { name: 'Save' }));
  await expect(edit(page)).toBeHidden();
  return changeIn(await sent);
}

/** Opens the menu of a row or a page and presses an item; by keyboard from the end, as the last one deletes: the last but one, or a page's before it. */
async function pressLastButOne(hand: Hand, row: Locator, name: string): Promise<void> {
  const page = row.page();
  await press(hand, row.getByRole('button', { name: /^Actions/ }));
  const item = page.getByRole('menuitem', { name, exact: true });
  if (hand === 'mouse') return item.click();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowUp');
  if (await page.getByRole('menuitem', { name: /^Give to/ }).isVisible()) await page.keyboard.press('ArrowUp');
  await expect(item).toBeFocused();
  return page.keyboard.press('Enter');
}

for (const hand of HANDS) {
  test.describe(hand, () => {
    test('a start, an end, a URL after it and a limit: given, seen, changed, and taken away', async ({ page, person, service, links }) => {
      const slug = unique('life');
      await inZone(page, 'Europe/Zurich');
      await signIn(page, person, '/app/links/new');
      await type(hand, field(page, 'Destination'), DESTINATION);
      await type(hand, page.getByLabel('Short path'), slug);
      await press(hand, page.getByText('More', { exact: true }));
      await setMinute(hand, field(page, 'Starts'), '2097-11-11T09:00');
      await setMinute(hand, field(page, 'Expires'), '2098-12-12T09:30');
      await type(hand, field(page, 'Click limit'), '500');
      await type(hand, field(page, 'URL after the end'), 'example.org/over');
      await press(hand, page.getByRole('button', { name: 'Create the link' }));

      await expect(page.getByRole('textbox', { name: 'Your link is ready' })).toHaveValue(`${service}/${slug}`);
      const given = ['Starts 11 Nov 2097, 09:00', 'Expires 12 Dec 2098, 09:30', '0 of 500 clicks used', 'After the end: example.org/over'];
      await expect(facts(page).locator('> span')).toHaveText(given);
      // It would be 404.
      await expect(page.getByRole('link', { name: 'Open it and watch' })).toHaveCount(0);
      expect((await visit(`${service}/${slug}`)).status).toBe(404);

      await press(hand, page.getByRole('link', { name: 'Details' }));
      await expect(page.getByRole('heading', { name: slug })).toBeVisible();
      const id = page.url().split('/').at(-1)!;
      const life = { startsAt: '2097-11-11T08:00:00.000Z', expiresAt: '2098-12-12T08:30:00.000Z', expiredUrl: OVER, maxClicks: 500 };
      expect(await links.read(id)).toMatchObject(life);
      await expect(facts(page).last().locator('> span')).toHaveText(given);

      await press(hand, page.getByRole('button', { name: 'Edit' }));
      await expect(field(edit(page), 'Starts')).toHaveValue('2097-11-11T09:00');
      await expect(field(edit(page), 'URL after the end')).toHaveValue(OVER);
      await press(hand, edit(page).getByRole('button', { name: 'Empty the field “Starts”' }));
      await expect(field(edit(page), 'Starts')).toBeFocused();
      await setMinute(hand, field(edit(page), 'Expires'), '2020-11-11T09:00');
      await empty(hand, field(edit(page), 'Click limit'));
      expect(await save(hand, page)).toEqual({ expiresAt: '2020-11-11T08:00:00.000Z', startsAt: null, maxClicks: null });
      await expect(facts(page).last().locator('> span')).toHaveText(['Expired 11 Nov 2020, 09:00', 'After the end: example.org/over']);
      await expect.poll(async () => (await visit(`${service}/${slug}`)).headers.get('location')).toBe(OVER);

      await press(hand, page.getByRole('button', { name: 'Edit' }));
      await press(hand, edit(page).getByRole('button', { name: 'Empty the field “Expires”' }));
      await empty(hand, field(edit(page), 'URL after the end'));
      expect(await save(hand, page)).toEqual({ expiresAt: null, expiredUrl: null });
      await expect(page.getByText('After the end')).toHaveCount(0);
      expect(await links.read(id)).toMatchObject({ startsAt: null, expiresAt: null, expiredUrl: null, maxClicks: null });
      await expect.poll(async () => (await visit(`${service}/${slug}`)).headers.get('location')).toBe(DESTINATION);
    });

    test('a one-time link leads to another origin by a button, once', async ({ page, context, person, service, links, destination, allowed }) => {
      allowed.push(/status of 410/);
      const slug = unique('once');
      const id = await links.make(slug, { destinationUrl: destination, maxClicks: 1 });
      await signIn(page, person, `/app/links/${id}`);
      await expect(facts(page).last()).toHaveText('0 of 1 click used');
      await expect(page.getByText('Live', { exact: true })).toBeVisible();
      // A preview by a messenger or a scanner uses up no click.
      await fetch(`${service}/${slug}`, { method: 'HEAD', headers: VISITOR, redirect: 'manual' });
      await fetch(`${service}/${slug}`, { headers: { ...VISITOR, purpose: 'prefetch' }, redirect: 'manual' });
      await fetch(`${service}/${slug}`, { headers: { 'user-agent': 'Twitterbot/1.0' }, redirect: 'manual' });

      const visitor = await context.newPage();
      await visitor.goto(`${service}/${slug}`);
      await examine(visitor, 'the page of a one-time link', ALL);
      await press(hand, visitor.getByRole('button', { name: 'Open the link' }));
      await expect(visitor).toHaveURL(destination);
      await expect(visitor).toHaveTitle('Arrived');
      // Without a reload.
      await expect(facts(page).last()).toHaveText('Used up: 1 of 1 click');

      await visitor.goto(`${service}/${slug}`);
      await expect(visitor.getByText('This link has expired.')).toBeVisible();
      await page.goto('/app/links');
      await expect(rowOf(page, slug).getByText('Used up')).toBeVisible();
    });

    test('archived links are left out, redirect, and are found by a filter', async ({ page, person, service, links }) => {
      const [old, other] = [unique('old'), unique('other')];
      await links.make(old);
      await links.make(other);
      await signIn(page, person, '/app/links');
      await expect(page.getByRole('row')).toHaveCount(3);
      await pressLastButOne(hand, rowOf(page, old), 'Archive');
      await expect(page.getByText('is archived: lists leave it out, and it redirects as before')).toBeVisible();
      await expect(page.getByRole('row')).toHaveCount(2);
      await expect(rowOf(page, old)).toHaveCount(0);
      await expect(page.getByRole('table', { name: 'Your links' })).toBeFocused();
      expect((await visit(`${service}/${old}`)).headers.get('location')).toBe(DESTINATION);

      const filter = page.getByRole('combobox', { name: 'Archived' });
      if (hand === 'mouse') await filter.selectOption('Archived only');
      else {
        // The focus is in the table, below it.
        await page.getByRole('searchbox').focus();
        await press(hand, filter);
        await page.keyboard.type('Archived');
        await page.keyboard.press('Enter');
      }
      await expect(page).toHaveURL('/app/links?archived=true');
      await expect(rowOf(page, other)).toHaveCount(0);
      await expect(rowOf(page, old).getByText('Archived', { exact: true })).toBeVisible();
      await filter.selectOption('Archived too');
      await expect(page.getByRole('row')).toHaveCount(3);
      await page.reload();
      await expect(page.getByRole('row')).toHaveCount(3);
      await expect(filter).toHaveValue('any');
      await page.goto(`/app/links?search=${old}`);
      await press(hand, page.getByRole('link', { name: 'Look at archived links too' }));
      await expect(page).toHaveURL(`/app/links?search=${old}&archived=any`);

      await press(hand, page.getByRole('link', { name: old }));
      await expect(facts(page).last()).toContainText('Lists leave out archived links, which redirect as before.');
      await pressLastButOne(hand, page.getByRole('main'), 'Unarchive');
      await expect(page.getByText('is in the lists again')).toBeVisible();
      await expect(facts(page)).toHaveCount(1);
      await pressLastButOne(hand, page.getByRole('main'), 'Archive');
      await expect(facts(page).last()).toContainText('Archived');

      // Nobody whose links are all archived is taken for somebody without links.
      await page.goto('/app/links');
      await pressLastButOne(hand, rowOf(page, other), 'Archive');
      await expect(page.getByRole('heading', { name: 'All your links are archived' })).toBeVisible();
      await press(hand, page.getByRole('link', { name: 'Show the archived links' }));
      await expect(page.getByRole('row')).toHaveCount(3);
      await pressLastButOne(hand, rowOf(page, old), 'Unarchive');
      await expect(page.getByRole('row')).toHaveCount(2);
    });
  });
}

test('clicks of archived links can be exported', async ({ page, person, links }) => {
  const slug = unique('old');
  await links.archive(await links.make(slug));
  await signIn(page, person, '/app/settings');
  await expect(page.getByRole('option', { name: slug })).toBeAttached();
});

/** The value of a field, and its moment; in the hour of a change of clocks, the first such moment, or the one without a change. */
const MOMENTS = {
  'America/New_York': {
    '2097-01-01T00:00': '2097-01-01T05:00:00.000Z',
    '2027-03-14T01:59': '2027-03-14T06:59:00.000Z',
    '2027-03-14T02:30': '2027-03-14T07:30:00.000Z',
    '2027-03-14T03:00': '2027-03-14T07:00:00.000Z',
    '2027-11-07T00:59': '2027-11-07T04:59:00.000Z',
    '2027-11-07T01:30': '2027-11-07T05:30:00.000Z',
    '2027-11-07T02:00': '2027-11-07T07:00:00.000Z',
  },
  'Europe/Zurich': {
    '2027-03-28T02:30': '2027-03-28T01:30:00.000Z',
    '2027-10-31T02:30': '2027-10-31T00:30:00.000Z',
    '2027-10-31T03:00': '2027-10-31T02:00:00.000Z',
  },
  'Australia/Lord_Howe': { '2027-10-03T02:15': '2027-10-02T15:45:00.000Z', '2027-07-01T12:00': '2027-07-01T01:30:00.000Z' },
};

for (const [zone, moments] of Object.entries(MOMENTS)) {
  test(`times are those of the chosen zone, ${zone}, also where its clocks are changed`, async ({ page, person, links }) => {
    const id = await links.make(unique('zone'), { expiresAt: '2098-01-01T00:00:00.000Z' });
    await inZone(page, zone);
    await signIn(page, person, `/app/links/${id}`);
    for (const [minute, moment] of Object.entries(moments)) {
      await page.getByRole('button', { name: 'Edit' }).click();
      await field(edit(page), 'Starts').fill(minute);
      expect(await save('mouse', page), minute).toEqual({ startsAt: moment });
    }
  });
}

test('what a form does not show of a moment stays', async ({ page, person, links }) => {
  // The second 1:30 of a day on which there are two, and its seconds.
  const startsAt = '2027-11-07T06:30:45.000Z';
  const id = await links.make(unique('kept'), { startsAt });
  await inZone(page, 'America/New_York');
  await signIn(page, person, `/app/links/${id}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await expect(field(edit(page), 'Starts')).toHaveValue('2027-11-07T01:30');
  // Nothing is sent before the next change.
  await edit(page).getByRole('button', { name: 'Save' }).click();
  await expect(edit(page)).toBeHidden();
  await page.getByRole('button', { name: 'Edit' }).click();
  await field(edit(page), 'Destination').fill('example.com/other');
  expect(await save('mouse', page)).toEqual({ destinationUrl: 'https://example.com/other' });
  expect(await links.read(id)).toMatchObject({ startsAt });
});

test('what is wrong is said at its field, which is brought into sight', async ({ page, person }) => {
  await signIn(page, person, '/app/links/new');
  const more = page.getByText('More', { exact: true });
  const submit = page.getByRole('button', { name: 'Create the link' });
  const error = (name: string) => field(page, name).locator('xpath=ancestor::*[@class="field"]').locator('.field-error');
  await field(page, 'Destination').fill(DESTINATION);
  await more.click();
  await field(page, 'Starts').focus();
  await page.keyboard.type('1111');
  await field(page, 'Click limit').fill('0');
  await more.click();
  await expect(field(page, 'Starts')).toBeHidden();
  await submit.click();
  await expect(field(page, 'Starts')).toBeFocused();
  const incomplete = 'Please give the day and the time, and all four digits of the year.';
  await expect(error('Starts')).toHaveText(incomplete);
  await expect(error('Click limit')).toHaveText('A whole number from 1 to 1,000,000, please.');
  await examine(page, 'a new link with errors', ALL);

  await field(page, 'Starts').fill('0027-11-11T09:00');
  await expect(error('Starts')).toHaveCount(0);
  await submit.click();
  await expect(error('Starts')).toHaveText(incomplete);

  // The service judges these.
  await field(page, 'Starts').fill('2098-01-01T00:00');
  await field(page, 'Expires').fill('2097-01-01T00:00');
  await field(page, 'Click limit').fill('2');
  await expect(error('Click limit')).toHaveCount(0);
  await more.click();
  await submit.click();
  await expect(field(page, 'Expires')).toBeFocused();
  await expect(error('Expires')).toHaveText('must be later than startsAt');
  await field(page, 'Expires').fill('2099-01-01T00:00');
  await field(page, 'URL after the end').fill('mailto:ada@example.com');
  await submit.click();
  await expect(field(page, 'URL after the end')).toBeFocused();
  await expect(error('URL after the end')).not.toBeEmpty();
  await field(page, 'URL after the end').fill('');
  await submit.click();
  await expect(page.getByRole('textbox', { name: 'Your link is ready' })).toBeVisible();
});

/** One link of each state that time, use and its owner bring about, by slug. */
async function eachState(service: string, links: Links): Promise<Record<'later' | 'over' | 'used' | 'archived', string>> {
  const slugs = { later: unique('later'), over: unique('over'), used: unique('used'), archived: unique('archived') };
  await links.make(slugs.later, { startsAt: '2097-11-27T09:00:00Z', maxClicks: 500 });
  await links.make(slugs.over, { expiresAt: '2020-11-27T09:00:00Z', expiredUrl: `${OVER}/${'and-on'.repeat(20)}` });
  await links.make(slugs.used, { maxClicks: 1 });
  await fetch(`${service}/${slugs.used}`, { method: 'POST', headers: VISITOR, redirect: 'manual' });
  await links.archive(await links.make(slugs.archived, { expiresAt: '2097-11-27T09:00:00Z' }));
  return slugs;
}

async function open(page: Page, slug: string): Promise<void> {
  await page.goto('/app/links?archived=any');
  await page.getByRole('link', { name: slug }).click();
  await expect(page.getByRole('heading', { name: slug })).toBeVisible();
  await settled(page);
}

test.describe('states', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('are accessible in the list, on pages and in forms', async ({ page, person, service, links }) => {
    test.setTimeout(240_000);
    const slugs = await eachState(service, links);
    await signIn(page, person, '/app/links?archived=any');
    await settled(page);
    await expect(page.locator('tbody .chip')).toHaveText(['Archived', 'Used up', 'Expired', 'Scheduled']);
    await examine(page, 'a list with each state', ALL);
    for (const [state, slug] of Object.entries(slugs)) {
      await open(page, slug);
      await examine(page, `a link, ${state}`, ALL);
    }
    await page.getByRole('button', { name: 'Edit' }).click();
    await expect(field(edit(page), 'Expires')).toBeVisible();
    await examine(page, 'a link in its form', ALL);
    await page.goto('/app/links/new');
    await settled(page);
    await page.getByText('More', { exact: true }).click();
    await examine(page, 'a new link', ALL);
    await field(page, 'Destination').fill(DESTINATION);
    await field(page, 'Click limit').fill('1');
    await page.getByRole('button', { name: 'Create the link' }).click();
    await expect(page.getByText('0 of 1 click used')).toBeVisible();
    await examine(page, 'a new one-time link', ALL);
  });

  test('are said in German, in the chosen zone', async ({ page, person, service, links }) => {
    const slugs = await eachState(service, links);
    await signIn(page, person, '/app/links');
    await page.evaluate(() => {
      localStorage.setItem('linkgraph.locale', 'de');
      localStorage.setItem('linkgraph.zone', 'Europe/Zurich');
    });
    await page.goto('/app/links?archived=any');
    await settled(page);
    await expect(page.locator('tbody .chip')).toHaveText(['Archiviert', 'Verbraucht', 'Abgelaufen', 'Geplant']);
    const texts = {
      later: ['Beginnt am 27.11.2097, 10:00', '0 von 500 Klicks verbraucht'],
      over: ['Abgelaufen am 27.11.2020, 10:00', /^Nach dem Ende: example\.org\/over/],
      used: ['Verbraucht: 1 von 1 Klick'],
      archived: ['Endet am 27.11.2097, 10:00', 'Archiviert', 'Archivierte Links fehlen in Listen und leiten weiter wie zuvor.'],
    };
    for (const state of Object.keys(texts) as (keyof typeof texts)[]) {
      await open(page, slugs[state]);
      await expect(facts(page).last().locator('> span')).toHaveText(texts[state]);
    }
    await page.getByRole('button', { name: /^Aktionen für/ }).click();
    await expect(page.getByRole('menuitem', { name: 'Aus dem Archiv holen' })).toBeVisible();
  });
});
