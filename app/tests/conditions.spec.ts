// Conditions on the clicks that a page of statistics counts.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { conditionsOf, conditionText, PARAMETERS, turned, withCondition, withoutCondition, type Conditions } from '../src/analytics/conditions.ts';
import { ALL, examine } from './axe.ts';
import { writeClicks } from './clicks.ts';
import { expect, HANDS, type Person, post, press, signIn, test, type, unique, visit, VISITOR } from './fixtures.ts';
import { settled } from './pages.ts';

const PHONE = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';

const NONE = Object.fromEntries(Object.keys(PARAMETERS).map((name) => [name, [] as string[]])) as unknown as Conditions;

test('an address has conditions as they were written, whatever is in their values', () => {
  for (const values of [['DE'], [null], ['DE', null], [null, 'DE'], ['a,b', 'c\\', 'd'], ['\\,'], ['zwölf, 12']]) {
    const written = PARAMETERS.country.write(values);
    expect(written).not.toBe('');
    expect(PARAMETERS.country.read(written)).toEqual(values);
  }
  expect(PARAMETERS.country.read(undefined)).toEqual([]);
  expect(PARAMETERS.country.read('DE,DE')).toEqual(['DE']);
  expect(PARAMETERS.country.write([])).toBe('');
});

test('values of one dimension are alternatives of one condition', () => {
  const germany = { dimension: 'country', operator: 'IS', values: ['DE'] } as const;
  let all: Conditions = { ...NONE, ...withCondition(NONE, { ...germany, values: ['DE'] }) };
  all = { ...all, ...withCondition(all, { ...germany, values: ['FR', 'DE'] }) };
  const [both] = conditionsOf(all);
  expect(both).toEqual({ ...germany, values: ['DE', 'FR'] });
  expect(conditionText(both!)).toBe('COUNTRY:IS:DE,FR');
  const excluded = { ...all, ...turned(all, both!) };
  expect(conditionsOf(excluded)).toEqual([{ ...both, operator: 'IS_NOT' }]);
  expect(conditionsOf({ ...excluded, ...withoutCondition({ ...both!, operator: 'IS_NOT' }) })).toEqual([]);
});

const PLACES: Record<string, { region: string; city: string }> = { DE: { region: 'DE-BY', city: 'DE:Munich' } };

/** Two links, with 6 clicks in Switzerland and 3 in Germany, 2 of them by phone. Answers the first link. */
async function clicked(page: Page, person: Person, service: string, node: { end(): Promise<void>; start(): Promise<void> }, data: string) {
  const { accessToken } = await post(`${service}/auth/login`, person);
  const make = async (name: string, tags: string[]) => {
    const slug = unique(name);
    const { id } = await post(`${service}/links`, { slug, destinationUrl: 'https://example.com/', tags }, accessToken);
    return { slug, id: id as string };
  };
  const [first, second] = [await make('first', ['spring']), await make('second', [])];
  const at = new Date(Date.now() - 3_600_000 * 48);
  const click = (link: string, country: string, userAgent = VISITOR['user-agent']) => ({ at, link, country, userAgent, ...PLACES[country] });
  await node.end();
  writeClicks(data, [
    ...Array.from({ length: 4 }, () => click(first.id, 'CH')),
    ...Array.from({ length: 2 }, () => click(second.id, 'CH')),
    click(first.id, 'DE'),
    click(first.id, 'DE', PHONE),
    click(second.id, 'DE', PHONE),
  ]);
  await node.start();
  await visit(`${service}/${first.slug}`);
  await signIn(page, person);
  await expect(clicksOf(page)).toHaveText('10');
  await settled(page);
  return { first, second };
}

const clicksOf = (page: Page) => page.locator('.figure strong').first();
const chips = (page: Page) => page.getByRole('list', { name: 'Filters' }).getByRole('listitem');
const panel = (page: Page, name: string) => page.locator('.top-values').filter({ has: page.getByRole('heading', { name }) });

test.describe('with clicks of the past', () => {
  test.skip(({ node }) => !node, 'writes into the log of a service that does not run');

  for (const hand of HANDS) {
    test(`countries have regions and cities, by ${hand}`, async ({ page, person, service, node, data }) => {
      const { first } = await clicked(page, person, service, node!, data);
      const places = page.locator('.top-values').filter({ has: page.getByRole('group', { name: 'Where visitors are' }) });
      for (const [name, item] of [
        ['Regions', 'BY, Germany'],
        ['Cities', 'Munich, Germany'],
      ] as const) {
        if (hand === 'mouse') await places.locator('label', { hasText: name }).click();
        else {
          await places.getByRole('radio', { checked: true }).focus();
          while (!(await places.getByRole('radio', { name }).isChecked())) await page.keyboard.press('ArrowRight');
        }
        await expect(places.getByRole('heading')).toHaveText(name);
        await expect(places.getByRole('listitem').first()).toHaveText(new RegExp(`^${item}`));
      }
      await examine(page, 'overview: cities', ALL);
      await press(hand, places.getByRole('link', { name: 'Munich, Germany' }));
      await expect(page).toHaveURL('/app?city=DE%3AMunich');
      await expect(chips(page)).toHaveText([/^City\s*is\s*Munich, Germany$/]);
      await expect(clicksOf(page)).toHaveText('3');
      await page.goto(`/app/links/${first.id}?region=DE-BY`);
      await expect(chips(page)).toHaveText([/^Region\s*is\s*BY, Germany$/]);
      await expect(clicksOf(page)).toHaveText('2');
    });
  }

  for (const hand of HANDS) {
    test(`values narrow the clicks, by ${hand}`, async ({ page, person, service, node, data }) => {
      const { first } = await clicked(page, person, service, node!, data);
      await press(hand, panel(page, 'Countries').getByRole('link', { name: 'Germany' }));
      await expect(page).toHaveURL('/app?country=DE');
      await expect(chips(page)).toHaveText([/^Country\s*is\s*Germany$/]);
      await expect(clicksOf(page)).toHaveText('3');
      // A period keeps them, and they keep the period.
      await page.keyboard.press('w');
      await expect(page).toHaveURL('/app?period=week&country=DE');
      await press(hand, panel(page, 'Devices').getByRole('link', { name: 'Phone' }));
      await expect(page).toHaveURL('/app?period=week&country=DE&device=mobile');
      await expect(clicksOf(page)).toHaveText('2');
      await page.reload();
      await expect(chips(page)).toHaveCount(2);
      await expect(clicksOf(page)).toHaveText('2');

      await press(hand, chips(page).first().getByRole('link', { name: 'is', exact: true }));
      await expect(page).toHaveURL('/app?period=week&country.not=DE&device=mobile');
      await expect(chips(page).first()).toHaveText(/^Country\s*is not\s*Germany$/);
      await expect(clicksOf(page)).toHaveText('0');
      await expect(page.getByText('No clicks in this time')).toBeVisible();
      if (hand === 'keyboard') await expect(chips(page).first().getByRole('link', { name: 'is not' })).toBeFocused();
      await press(hand, page.getByRole('link', { name: 'Remove the filter by Device' }));
      await expect(page).toHaveURL('/app?period=week&country.not=DE');
      await expect(clicksOf(page)).toHaveText('7');
      await page.goBack();
      await expect(chips(page)).toHaveCount(2);
      await page.goForward();

      // Clicks whose value is not known, and those of one link.
      await press(hand, panel(page, 'Countries').getByRole('link', { name: 'Unknown' }));
      await expect(chips(page)).toHaveText([/^Country\s*is\s*Unknown$/, /^Country\s*is not\s*Germany$/]);
      await expect(clicksOf(page)).toHaveText('1');
      await page.goto('/app');
      await settled(page);
      const row = panel(page, 'Top links').getByRole('listitem').filter({ hasText: first.slug });
      await press(hand, row.getByRole('link', { name: 'Only these clicks' }));
      await expect(page).toHaveURL(`/app?link=${first.id}`);
      await expect(chips(page)).toContainText(first.slug);
      await expect(clicksOf(page)).toHaveText('7');
      await press(hand, page.getByRole('link', { name: 'Remove the filter by Link' }));
      await expect(page).toHaveURL('/app');
      await expect(clicksOf(page)).toHaveText('10');
    });

    test(`the page of a link has its clicks of a filter, also in a file, by ${hand}`, async ({ page, person, service, node, data }) => {
      const { first } = await clicked(page, person, service, node!, data);
      await page.goto(`/app/links/${first.id}`);
      await settled(page);
      await press(hand, panel(page, 'Countries').getByRole('link', { name: 'Switzerland' }));
      await expect(clicksOf(page)).toHaveText('4');
      await expect(page.locator('.latest tbody tr')).toHaveCount(4);
      await press(hand, page.getByRole('button', { name: 'Download and print' }));
      const saved = page.waitForEvent('download');
      if (hand === 'mouse') await page.getByRole('menuitem', { name: 'Clicks as CSV' }).click();
      else await page.keyboard.press('Enter');
      expect((await readFile(await (await saved).path(), 'utf8')).trim().split('\n')).toHaveLength(5);
      // A click that does not fulfil the conditions is not shown as new.
      await visit(`${service}/${first.slug}`);
      await expect(page.locator('.facts [role=status]')).toHaveText('8 clicks');
      await expect(page.locator('.latest tbody tr')).toHaveCount(4);
    });

    test(`a value is typed, by ${hand}`, async ({ page, person, service, node, data }) => {
      await clicked(page, person, service, node!, data);
      const add = async (dimension: string, operator: string, value: string) => {
        await press(hand, page.getByRole('button', { name: 'Add a filter' }));
        const dialog = page.getByRole('dialog', { name: 'Add a filter' });
        await dialog.getByLabel('Filter by').selectOption({ label: dimension });
        await dialog.getByLabel('Condition').selectOption({ label: operator });
        await type(hand, dialog.getByLabel('Text'), value);
        await press(hand, dialog.getByRole('button', { name: 'Show' }));
        await expect(dialog).toHaveCount(0);
      };
      await add('Browser', 'contains', 'fire');
      await expect(chips(page)).toHaveText([/^Browser contains\s*fire$/]);
      await expect(clicksOf(page)).toHaveText('8');
      await add('Tag', 'is', 'spring');
      await expect(page).toHaveURL('/app?tag=spring&browser.has=fire');
      await expect(clicksOf(page)).toHaveText('6');
      await add('Browser', 'contains', 'chrome, or so');
      await expect(chips(page).last()).toHaveText(/^Browser contains\s*fire or chrome, or so$/);
      await page.reload();
      await expect(chips(page).last()).toHaveText(/^Browser contains\s*fire or chrome, or so$/);
      await expect(clicksOf(page)).toHaveText('6');
    });
  }

  test('pages with conditions are legible', async ({ page, person, service, node, data }) => {
    const { first } = await clicked(page, person, service, node!, data);
    const query = `?country.not=DE&link=${first.id}&utm_campaign.has=${'a-long-word-'.repeat(9)}`;
    for (const address of [`/app${query}`, `/app/links/${first.id}?country=CH,&browser.not=Chrome`]) {
      await page.goto(address);
      await settled(page);
      await expect(chips(page).first()).toBeVisible();
      await examine(page, address, ALL);
    }
    await page.getByRole('button', { name: 'Add a filter' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await examine(page, 'the dialog for a condition');
  });

  test('what a filter can not tell is said', async ({ page, person, service, node, data, allowed }) => {
    await clicked(page, person, service, node!, data);
    await page.route('**/graphql', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('"isExact":true', '"isExact":false') });
    });
    await page.goto('/app?country=DE');
    await expect(page.getByText('Clicks of which only sums are left are not counted here.')).toBeVisible();
    await page.unrouteAll({ behavior: 'wait' });
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()!.includes('Overview(')) return route.fallback();
      return route.fulfill({ json: { data: null, errors: [{ message: 'There are too many clicks.', extensions: { code: 'RANGE_TOO_LARGE' } }] } });
    });
    allowed.push(/./);
    await page.goto('/app?country=DE&period=year');
    await expect(page.getByRole('alert')).toContainText('shorter');
    await expect(chips(page)).toHaveCount(1);
    await page.unrouteAll({ behavior: 'wait' });
    await page.keyboard.press('w');
    await expect(clicksOf(page)).toHaveText('3');
  });
});
