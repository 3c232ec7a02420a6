// Many links at once: pasted, chosen on several pages or by the filters, and what can be taken back.
import type { Locator, Page } from '@playwright/test';
import { ALL, examine } from './axe.ts';
import { createLink, expect, type Hand, HANDS, type Person, post, press, signIn, test, type, unique, visit } from './fixtures.ts';
import { settled } from './pages.ts';
import { pastedIn } from '../src/links/pasted.ts';

const bar = (page: Page) => page.getByRole('region', { name: 'Selected links' });
const toast = (page: Page, text: string) => page.locator('.toast').filter({ hasText: text });
const rows = (page: Page) => page.locator('.link-table tbody tr');
const boxes = (page: Page) => rows(page).getByRole('checkbox', { name: /^Select/ });
const rowOf = (page: Page, slug: string) => rows(page).filter({ hasText: slug });
const wholePage = (page: Page) => page.getByRole('checkbox', { name: 'Select all on this page' });

/** Makes links named by their number, of which every third has a tag. */
async function make(service: string, person: Person, count: number): Promise<{ token: string; name: string }> {
  const { accessToken: token } = await post(`${service}/auth/login`, person);
  const name = unique('m');
  const all = Array.from({ length: count }, (_, at) => ({
    slug: `${name}-${at}`,
    destinationUrl: `https://example.com/${at}`,
    tags: at % 3 === 0 ? ['third'] : [],
  }));
  for (let at = 0; at < count; at += 100) await post(`${service}/links/bulk`, { links: all.slice(at, at + 100) }, token);
  return { token, name };
}

/** How many links of an account a filter finds. */
async function found(service: string, token: string, query: string): Promise<number> {
  const response = await fetch(`${service}/links?${query}`, { headers: { authorization: `Bearer ${token}` } });
  return (await response.json()).total;
}

/** Presses what is many stops of Tab away. */
async function reach(hand: Hand, target: Locator): Promise<void> {
  if (hand === 'mouse') return target.click();
  await target.focus();
  return target.press('Enter');
}

/** Presses a button of the bar, by its key if by keyboard. */
async function act(hand: Hand, page: Page, name: string, key: string): Promise<void> {
  const button = bar(page).getByRole('button', { name });
  await expect(button).toBeVisible();
  return hand === 'mouse' ? button.click() : page.keyboard.press(key);
}

/** Takes back what a message tells of, with its button or the key. */
const undo = (hand: Hand, page: Page, text: string) =>
  hand === 'mouse' ? toast(page, text).getByRole('button', { name: 'Undo' }).click() : page.keyboard.press('u');

for (const hand of HANDS) {
  test.describe(hand, () => {
    test('a selection survives pages, and the filters choose all that match', async ({ page, person, service }) => {
      const { token } = await make(service, person, 240);
      await signIn(page, person, '/app/links');
      await press(hand, boxes(page).first());
      await expect(bar(page)).toContainText('1 selected');
      // Nothing offers all of them before a page is chosen.
      await expect(bar(page).getByRole('button', { name: /that match/ })).toHaveCount(0);
      await reach(hand, page.getByRole('link', { name: 'Next page' }));
      await expect(page).toHaveURL('/app/links?page=2');
      await settled(page);
      await expect(wholePage(page)).toBeChecked({ indeterminate: true });
      await press(hand, wholePage(page));
      await expect(bar(page)).toContainText('26 selected');
      await reach(hand, page.getByRole('link', { name: 'Previous page' }));
      await expect(boxes(page).first()).toBeChecked();
      await expect(boxes(page).nth(1)).not.toBeChecked();

      // A filter is another choice.
      await page.goto('/app/links?tag=third');
      await expect(page.getByText('80 links')).toBeVisible();
      await expect(bar(page)).toHaveCount(0);
      await press(hand, wholePage(page));
      await act(hand, page, 'Select all 80 that match', '*');
      await expect(bar(page)).toContainText('All 80 that match are selected');
      await examine(page, 'all links that match', ALL);
      await reach(hand, page.getByRole('link', { name: 'Next page' }));
      await settled(page);
      await expect(wholePage(page)).toBeChecked();
      await act(hand, page, 'Deactivate', '-');
      await expect(toast(page, '80 links changed')).toBeVisible();
      await expect(bar(page)).toHaveCount(0);
      expect(await found(service, token, 'state=INACTIVE')).toBe(80);
      expect(await found(service, token, 'state=INACTIVE&tags=third')).toBe(80);
      await undo(hand, page, '80 links changed');
      await expect(toast(page, '80 links are as before')).toBeVisible();
      expect(await found(service, token, 'state=INACTIVE')).toBe(0);

      // One that is taken out of all leaves the page.
      await page.goto('/app/links');
      await press(hand, wholePage(page));
      await act(hand, page, 'Select all 240 that match', '*');
      await press(hand, boxes(page).nth(2));
      await expect(bar(page)).toContainText('24 selected');
    });

    test('archiving and tags are taken back, as they were', async ({ page, person, service }) => {
      const { token, name } = await make(service, person, 6);
      await signIn(page, person, '/app/links');
      await press(hand, wholePage(page));
      await press(hand, bar(page).getByRole('button', { name: 'Archive' }));
      await expect(page.getByRole('heading', { name: 'All your links are archived' })).toBeVisible();
      await undo(hand, page, '6 links changed');
      await expect(rows(page)).toHaveCount(6);
      expect(await found(service, token, 'isArchived=true')).toBe(0);

      await press(hand, wholePage(page));
      await press(hand, bar(page).getByRole('button', { name: 'Edit' }));
      const dialog = page.getByRole('dialog', { name: 'Edit 6 links' });
      await expect(dialog.getByRole('combobox', { name: 'Add tags' })).toBeFocused();
      await expect(dialog.getByLabel('Title')).toHaveCount(0);
      await page.keyboard.type('third,new,');
      await press(hand, dialog.getByRole('button', { name: 'Save' }));
      await expect(toast(page, '6 links changed').last()).toBeVisible();
      expect(await found(service, token, 'tags=third')).toBe(6);
      await undo(hand, page, '6 links changed');
      await expect(toast(page, '6 links are as before').last()).toBeVisible();
      await expect.poll(() => found(service, token, 'tags=new')).toBe(0);
      // Those that had it before keep it.
      expect(await found(service, token, 'tags=third')).toBe(2);

      // A single one, too.
      await press(hand, rowOf(page, `${name}-4`).getByRole('button', { name: /^Actions/ }));
      await reach(hand, page.getByRole('menuitem', { name: 'Archive' }));
      await expect(rows(page)).toHaveCount(5);
      await undo(hand, page, 'is archived');
      await expect(rows(page)).toHaveCount(6);
    });

    test('a deletion is taken back for ten seconds', async ({ page, person, service }) => {
      const { token, name } = await make(service, person, 3);
      await page.clock.install();
      await signIn(page, person, '/app/links');
      const remove = async (slug: string) => {
        await press(hand, rowOf(page, slug).getByRole('checkbox', { name: /^Select/ }));
        await press(hand, bar(page).getByRole('button', { name: 'Delete' }));
        await press(hand, page.getByRole('dialog').getByRole('button', { name: 'Delete' }));
        await expect(page.getByRole('dialog')).toHaveCount(0);
        await expect(rowOf(page, slug)).toContainText('Being deleted');
      };
      await remove(`${name}-0`);
      // What goes can't be selected with the others.
      await press(hand, wholePage(page));
      await expect(bar(page)).toContainText('2 selected');
      await press(hand, wholePage(page));
      await page.clock.fastForward(3000);
      await undo(hand, page, '1 link is being deleted');
      await expect(toast(page, 'The link stays')).toBeVisible();
      await expect(rowOf(page, `${name}-0`)).not.toContainText('Being deleted');
      await page.clock.fastForward(10_000);
      expect(await found(service, token, '')).toBe(3);

      await remove(`${name}-1`);
      expect((await visit(`${service}/${name}-1`)).status).toBe(302);
      await page.clock.fastForward(10_000);
      await expect(rowOf(page, `${name}-1`)).toHaveCount(0);
      expect((await visit(`${service}/${name}-1`)).status).toBe(404);
      expect(await found(service, token, '')).toBe(2);
    });

    test('many links are made of what is pasted', async ({ page, person, service }) => {
      await signIn(page, person, '/app/links/new');
      const [one, other] = [unique('one'), unique('other')];
      await createLink(service, person, other, 'https://example.com/other');
      const table = `url\tslug\ttitle\tTags\nexample.com/a\t${one}\t"A, ""first"""\tspring;poster\nhttps://example.com/b\t${other}\t\t\nexample.com/c\t\t\t\n`;
      await page.evaluate((text) => navigator.clipboard.writeText(text), table);
      // A field of one line would join them.
      await page.getByLabel('Destination').focus();
      await page.keyboard.press('Control+V');
      await expect(page).toHaveURL('/app/links/new?many=yes');
      const field = page.getByLabel('Destinations');
      await expect(field).toHaveValue(table.trim());
      await expect(page.getByText('3 links found.')).toBeVisible();
      await expect(page.getByRole('table', { name: 'What is found in it' }).getByRole('row')).toHaveText([
        'DestinationShort pathTitleTags',
        `example.com/a${one}A, "first"spring, poster`,
        `example.com/b${other}`,
        'example.com/c',
      ]);
      await type(hand, page.getByLabel('Tags of all of them'), 'all,');
      await examine(page, 'many new links', ALL);
      await press(hand, page.getByRole('button', { name: 'Create 3 links' }));
      await expect(page.getByRole('heading', { name: '2 links are ready' })).toBeFocused();
      await expect(page.getByRole('heading', { name: '1 line did not work' })).toBeVisible();
      await examine(page, 'many new links are there', ALL);
      await press(hand, page.getByRole('button', { name: 'Copy the short URLs' }));
      await expect(toast(page, 'Copied')).toBeVisible();
      const copied = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
      expect(copied).toHaveLength(2);
      expect(copied[0]).toBe(`${service}/${one}`);
      for (const [at, url] of copied.entries()) {
        expect((await visit(url)).headers.get('location')).toBe(`https://example.com/${['a', 'c'][at]}`);
      }
      const { accessToken } = await post(`${service}/auth/login`, person);
      expect(await found(service, accessToken, 'tags=all')).toBe(2);
      expect(await found(service, accessToken, 'tags=all&tags=spring')).toBe(1);

      // What did not work is tried again.
      await press(hand, page.getByRole('button', { name: 'Try these again' }));
      await expect(field).toHaveValue(`https://example.com/b\t${other}\t\t`);
      await type(hand, field, `https://example.com/b`);
      await press(hand, page.getByRole('button', { name: 'Create 1 link' }));
      await expect(page.getByRole('heading', { name: '1 link is ready' })).toBeVisible();
      await press(hand, page.getByRole('link', { name: 'See your links' }));
      await expect(rows(page)).toHaveCount(4);
    });
  });
}

test('what is pasted is read as people mean it', () => {
  const read = (text: string) => pastedIn(text).map(({ link }) => [link.destinationUrl, link.slug, link.title, link.tags]);
  // An address a line, whatever it has.
  expect(read('https://example.com/a,b;c?x=1\r\n\r\n example.com/d \n')).toEqual([
    ['https://example.com/a,b;c?x=1', null, null, []],
    ['https://example.com/d', null, null, []],
  ]);
  // A table without heads: the addresses may be in any column.
  expect(read('spring\texample.com/a\tSpring sale\nautumn\texample.com/b\t')).toEqual([
    ['https://example.com/a', 'spring', 'Spring sale', []],
    ['https://example.com/b', 'autumn', null, []],
  ]);
  // Heads say what is what, in both languages, and which character separates.
  expect(read('Titel;Ziel\n"Eins; zwei";example.com/a')).toEqual([['https://example.com/a', null, 'Eins; zwei', []]]);
  expect(read('title,url,tags\n"One\nline",example.com/a,"x,y"')).toEqual([['https://example.com/a', null, 'One\nline', ['x', 'y']]]);
  expect(read('')).toEqual([]);
});

test('more than a hundred are changed in parts, and how far it is is seen', async ({ page, person, service }) => {
  const { token } = await make(service, person, 240);
  await signIn(page, person, '/app/links');
  await expect(rows(page)).toHaveCount(25);
  await wholePage(page).check();
  await bar(page).getByRole('button', { name: 'Select all 240 that match' }).click();
  const held: (() => void)[] = [];
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('mutation UpdateLinks(')) return route.fallback();
    await new Promise<void>((resolve) => held.push(resolve));
    return route.fallback();
  });
  await bar(page).getByRole('button', { name: 'Archive' }).click();
  await expect.poll(() => held.length).toBe(1);
  held[0]!();
  await expect.poll(() => held.length).toBe(2);
  await expect(bar(page).getByRole('progressbar')).toHaveAttribute('value', '100');
  await expect(bar(page)).toContainText('100 of 240');
  await examine(page, 'a change of many');
  expect(await found(service, token, 'isArchived=true')).toBe(100);
  // It can be stopped: what is under way is finished.
  await bar(page).getByRole('button', { name: 'Stop' }).click();
  held[1]!();
  await expect(toast(page, '200 links changed')).toBeVisible();
  await expect(bar(page)).toContainText('40 selected');
  expect(await found(service, token, 'isArchived=true')).toBe(200);
  await page.unroute('**/graphql');
  await toast(page, '200 links changed').getByRole('button', { name: 'Undo' }).click();
  await expect(toast(page, '200 links are as before')).toBeVisible();
  expect(await found(service, token, 'isArchived=true')).toBe(0);
});

test('a link that is being deleted is accessible, and can’t be used', async ({ page, person, service }) => {
  const { name } = await make(service, person, 2);
  // The ten seconds last as long as the test.
  await page.addInitScript(() => {
    const usual = window.setTimeout;
    window.setTimeout = ((run: () => void, ms?: number) => usual(run, ms === 10_000 ? 1e8 : ms)) as typeof setTimeout;
  });
  await signIn(page, person, '/app/links');
  const row = rowOf(page, `${name}-0`);
  await row.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(row).toContainText('Being deleted');
  await expect(row).toHaveAttribute('inert');
  await examine(page, 'a link that is being deleted', ALL);
  await page.keyboard.press('j');
  await expect(page.getByRole('link', { name: `${name}-1` })).toBeFocused();
  await page.keyboard.press('j');
  await expect(page.getByRole('link', { name: `${name}-1` })).toBeFocused();
});

test('pages have 25, 50 or 100 rows', async ({ page, person, service }) => {
  await make(service, person, 60);
  await signIn(page, person, '/app/links?page=2');
  await expect(rows(page)).toHaveCount(25);
  const size = page.getByLabel('Rows on a page');
  await size.selectOption('50 a page');
  await expect(page).toHaveURL('/app/links?size=50');
  await expect(rows(page)).toHaveCount(50);
  await page.getByRole('link', { name: 'Next page' }).click();
  await expect(page).toHaveURL('/app/links?size=50&page=2');
  await expect(rows(page)).toHaveCount(10);
  await page.getByLabel('Order').selectOption('Oldest');
  await expect(page).toHaveURL('/app/links?sort=OLDEST&size=50');
  await size.selectOption('100 a page');
  await expect(rows(page)).toHaveCount(60);
  await expect(size).toBeVisible();
  await examine(page, 'a long page');
});

for (const [how, leave] of [
  ['the tab closes', async (page: Page) => page.close({ runBeforeUnload: true })],
  ['another page is opened', async (page: Page) => page.goto('about:blank')],
  [
    'somebody signs out',
    async (page: Page) => {
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.waitForURL('**/app/login');
    },
  ],
] as const) {
  test(`a deletion is not lost when ${how}`, async ({ page, person, service, allowed }) => {
    // Signing out refuses what the page asks for at that moment.
    allowed.push(/status of 401/);
    const { name, token } = await make(service, person, 2);
    await signIn(page, person, '/app/links');
    await rowOf(page, `${name}-0`).getByRole('button', { name: /^Actions/ }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(toast(page, `${name}-0 is being deleted`)).toBeVisible();
    expect(await found(service, token, '')).toBe(2);
    await leave(page);
    await expect.poll(() => found(service, token, '')).toBe(1);
    expect((await visit(`${service}/${name}-0`)).status).toBe(404);
  });
}

test('more than 500 are deleted at once, with progress, and without a way back', async ({ page, person, service }) => {
  const { token } = await make(service, person, 510);
  await signIn(page, person, '/app/links');
  await wholePage(page).check();
  await act('keyboard', page, 'Select all 510 that match', '*');
  await expect(bar(page)).toContainText('All 510 that match are selected');
  await page.keyboard.press('Delete');
  const dialog = page.getByRole('dialog', { name: 'Delete 510 links?' });
  await expect(dialog).toContainText('This can’t be undone.');
  const held: (() => void)[] = [];
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('mutation DeleteLinks(')) await new Promise<void>((resolve) => held.push(resolve));
    return route.fallback();
  });
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(dialog).toBeHidden();
  for (const done of [0, 100, 200, 300, 400, 500]) {
    await expect(bar(page)).toContainText(`${done} of 510`);
    await expect.poll(() => held.length).toBe(done / 100 + 1);
    held.at(-1)!();
  }
  await expect(toast(page, '510 links deleted')).toBeVisible();
  await expect(toast(page, '510 links deleted').getByRole('button', { name: 'Undo' })).toHaveCount(0);
  expect(await found(service, token, '')).toBe(0);
});
