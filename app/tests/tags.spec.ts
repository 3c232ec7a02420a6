// Links are grouped by tags: given, seen, filtered by, and looked after on a page of their own.
import type { Locator, Page } from '@playwright/test';
import { ALL, examine } from './axe.ts';
import { changeIn, test as base, expect, OFFLINE, type Hand, HANDS, post, press, signIn, type, unique } from './fixtures.ts';
import { settled } from './pages.ts';

/** The links and tags of a person, by the API, without the application. */
interface Stored {
  make(slug: string, tags: string[], title?: string): Promise<string>;
  archive(id: string): Promise<void>;
  makeTags(names: string[]): Promise<void>;
  tagsOf(id: string): Promise<string[]>;
  /** Names of the tags, with the number of links of each. */
  counts(): Promise<Record<string, number>>;
}

const test = base.extend<{ stored: Stored }>({
  stored: async ({ service, person }, use) => {
    const { accessToken: token } = await post(`${service}/auth/login`, person);
    const get = async (path: string) => {
      const response = await fetch(`${service}${path}`, { headers: { authorization: `Bearer ${token}` } });
      return response.json();
    };
    await use({
      make: async (slug, tags, title) => {
        const { id } = await post(`${service}/links`, { slug, destinationUrl: `https://example.com/${slug}`, tags, title }, token);
        return id;
      },
      archive: async (id) => {
        await post(`${service}/links/${id}`, { isArchived: true }, token, 'PATCH');
      },
      makeTags: async (names) => {
        for (const name of names) await post(`${service}/tags`, { name }, token);
      },
      tagsOf: async (id) => (await get(`/links/${id}`)).tags,
      counts: async () => {
        const { data } = await get('/tags?pageSize=100');
        return Object.fromEntries(data.map(({ name, linkCount }: { name: string; linkCount: number }) => [name, linkCount]));
      },
    });
  },
});

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
/** An element with tags: a row, a page, or a field. */
const tagsIn = (part: Page | Locator) => part.getByRole('list', { name: 'Tags' }).getByRole('listitem');
const fieldIn = (part: Page | Locator, label = 'Tags') => part.getByRole('combobox', { name: label });
const edit = (page: Page) => page.getByRole('dialog', { name: 'Edit the link' });

/** Opens the menu of a row and chooses, by either hand. */
async function choose(hand: Hand, page: Page, tag: string, item: string): Promise<void> {
  await press(hand, page.getByRole('button', { name: `Actions for ${tag}`, exact: true }));
  const target = page.getByRole('menuitem', { name: item });
  if (hand === 'mouse') {
    await target.click();
    return;
  }
  await page.keyboard.press('End');
  for (const _ of await page.getByRole('menuitem').all()) {
    if (await target.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('ArrowUp');
  }
  await page.keyboard.press('Enter');
}

for (const hand of HANDS) {
  test.describe(hand, () => {
    test('a link gets tags where it is made, and the list is filtered by them', async ({ page, person, service, stored }) => {
      const slug = unique('tagged');
      await stored.make(unique('spring'), ['Spring']);
      await stored.make(unique('plain'), []);
      await signIn(page, person, '/app/links/new');
      await type(hand, page.getByLabel('Destination'), 'https://example.com/tagged');
      await type(hand, page.getByLabel('Short path'), slug);
      const field = fieldIn(page);
      await type(hand, field, 'spring');
      await expect(page.locator('datalist option')).toHaveText('Spring');
      await page.keyboard.press('Enter');
      await expect(field).toBeFocused();
      // A comma ends a tag; one that is there is not added twice.
      await page.keyboard.type('poster,SPRING,wrong,');
      await expect(tagsIn(page)).toHaveText(['spring', 'poster', 'wrong']);
      await expect(page.getByRole('status').filter({ hasText: 'wrong is added' })).toBeAttached();
      await expect(page.locator('datalist option')).toHaveCount(0);
      await page.keyboard.press('Backspace');
      await expect(tagsIn(page)).toHaveText(['spring', 'poster']);
      await press(hand, page.getByRole('button', { name: 'Take away poster' }));
      await expect(tagsIn(page)).toHaveText(['spring']);
      await expect(field).toBeFocused();
      // A typed name counts without Enter.
      await page.keyboard.type('flyer');
      await press(hand, page.getByRole('button', { name: 'Create the link' }));
      await expect(page.getByRole('textbox', { name: 'Your link is ready' })).toHaveValue(`${service}/${slug}`);
      expect(await stored.counts()).toEqual({ flyer: 1, Spring: 2 });

      // On the page of the link, then in the list.
      await press(hand, page.getByRole('link', { name: 'Details' }));
      await expect(tagsIn(page)).toHaveText(['flyer', 'Spring']);
      await press(hand, page.getByRole('link', { name: 'Spring' }));
      await expect(page).toHaveURL('/app/links?tag=Spring');
      await expect(page.getByRole('row')).toHaveCount(3);
      await expect(tagsIn(rowOf(page, slug))).toHaveText(['flyer', 'Spring']);
      await press(hand, rowOf(page, slug).getByRole('link', { name: 'flyer' }));
      await expect(page).toHaveURL('/app/links?tag=flyer');
      await expect(page.getByRole('row')).toHaveCount(2);
    });

    test('tags are changed in the form of a link', async ({ page, person, stored }) => {
      const id = await stored.make(unique('change'), ['spring', 'poster']);
      await signIn(page, person, `/app/links/${id}`);
      await press(hand, page.getByRole('button', { name: 'Edit' }));
      const dialog = edit(page);
      await expect(tagsIn(dialog)).toHaveText(['poster', 'spring']);
      await press(hand, dialog.getByRole('button', { name: 'Take away spring' }));
      await page.keyboard.type('autumn');
      await page.keyboard.press('Enter');
      await expect(tagsIn(dialog)).toHaveText(['poster', 'autumn']);
      const sent = page.waitForRequest((request) => request.postData()?.includes('mutation UpdateLink') ?? false);
      // In the empty input, Enter sends the form.
      await page.keyboard.press('Enter');
      await expect(dialog).toBeHidden();
      expect(changeIn(await sent)).toEqual({ tags: ['poster', 'autumn'] });
      await expect(tagsIn(page)).toHaveText(['autumn', 'poster']);

      // The last ones go, too.
      await press(hand, page.getByRole('button', { name: 'Edit' }));
      await type(hand, fieldIn(dialog), '');
      await page.keyboard.press('Backspace');
      await page.keyboard.press('Backspace');
      await expect(tagsIn(dialog)).toHaveCount(0);
      await press(hand, dialog.getByRole('button', { name: 'Save' }));
      await expect(dialog).toBeHidden();
      await expect(tagsIn(page)).toHaveCount(0);
      expect(await stored.tagsOf(id)).toEqual([]);
    });

    test('what the service says of a tag is told at the field', async ({ page, person, stored }) => {
      const id = await stored.make(unique('wrong'), ['spring']);
      await signIn(page, person, `/app/links/${id}`);
      await press(hand, page.getByRole('button', { name: 'Edit' }));
      const [dialog, long] = [edit(page), 'x'.repeat(51)];
      const error = dialog.locator('.field-error');
      await type(hand, fieldIn(dialog), `poster,${long}`);
      await page.keyboard.press('Enter');
      await press(hand, dialog.getByRole('button', { name: 'Save' }));
      await expect(error).toContainText(`${long}: `);
      await expect(fieldIn(dialog)).toBeFocused();
      await expect(fieldIn(dialog)).toHaveAttribute('aria-invalid', 'true');
      await expect(tagsIn(dialog)).toHaveText(['spring', 'poster', long]);
      await page.keyboard.press('Backspace');
      await expect(error).toHaveCount(0);

      // More than a link may have.
      await page.keyboard.type(Array.from({ length: 19 }, (_, at) => `t${at},`).join(''));
      await expect(tagsIn(dialog)).toHaveCount(21);
      await press(hand, dialog.getByRole('button', { name: 'Save' }));
      await expect(error).toContainText('to 20 items');
      await expect(fieldIn(dialog)).toBeFocused();
      await page.keyboard.press('Backspace');
      await press(hand, dialog.getByRole('button', { name: 'Save' }));
      await expect(dialog).toBeHidden();
      expect(await stored.tagsOf(id)).toHaveLength(20);
    });

    test('the filter has several tags, which links have all', async ({ page, person, stored }) => {
      const [both, one] = [unique('both'), unique('one')];
      await stored.make(both, ['spring', 'poster']);
      await stored.make(one, ['spring']);
      await signIn(page, person, '/app/links');
      await press(hand, page.getByText('More filters'));
      const filters = page.getByRole('search');
      await type(hand, fieldIn(filters), 'Spring');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL('/app/links?tag=Spring');
      await expect(page.getByRole('row')).toHaveCount(3);
      await page.keyboard.type('poster,');
      await expect(page).toHaveURL('/app/links?tag=Spring%2Cposter');
      await expect(page.getByRole('row')).toHaveCount(2);
      await expect(rowOf(page, both)).toBeVisible();

      await page.reload();
      await expect(tagsIn(filters)).toHaveText(['Spring', 'poster']);
      await press(hand, filters.getByRole('button', { name: 'Take away poster' }));
      await expect(page).toHaveURL('/app/links?tag=Spring');
      await expect(page.getByRole('row')).toHaveCount(3);
      await page.keyboard.press('Backspace');
      await expect(page).toHaveURL('/app/links');
      // Nothing else is lost: the fields stay open.
      await expect(fieldIn(filters)).toBeFocused();
      await page.goto('/app/links?tag=nothing');
      await press(hand, page.getByRole('button', { name: 'Take the filters away' }));
      await expect(page.getByRole('row')).toHaveCount(3);
      await expect(tagsIn(filters)).toHaveCount(0);
    });

    test('J3: several links get tags and lose others', async ({ page, person, stored }) => {
      const ids = [await stored.make(unique('a'), ['spring', 'poster']), await stored.make(unique('b'), ['spring'])];
      await signIn(page, person, '/app/links');
      await press(hand, page.getByRole('checkbox', { name: 'Select all on this page' }));
      // What the keys do comes with the bar.
      await expect(page.getByRole('region', { name: 'Selected links' })).toBeVisible();
      await page.keyboard.press('E');
      const dialog = page.getByRole('dialog', { name: 'Edit 2 links' });
      await type(hand, fieldIn(dialog, 'Add tags'), 'autumn,flyer');
      await type(hand, fieldIn(dialog, 'Take tags away'), 'SPRING');
      await page.keyboard.press('Enter');
      const sent = page.waitForRequest((request) => request.postData()?.includes('mutation UpdateLinks') ?? false);
      await press(hand, dialog.getByRole('button', { name: 'Save' }));
      await expect(page.getByText('2 links changed')).toBeVisible();
      expect((await sent).postDataJSON().variables.input.change).toEqual({ addTags: ['autumn', 'flyer'], removeTags: ['SPRING'] });
      expect(await stored.tagsOf(ids[0]!)).toEqual(['autumn', 'flyer', 'poster']);
      expect(await stored.tagsOf(ids[1]!)).toEqual(['autumn', 'flyer']);

      // An error that applies to each of them is shown at its field.
      await press(hand, page.getByRole('checkbox', { name: 'Select all on this page' }));
      await page.keyboard.press('E');
      await type(hand, fieldIn(dialog, 'Add tags'), Array.from({ length: 19 }, (_, at) => `t${at}`).join(','));
      await press(hand, dialog.getByRole('button', { name: 'Save' }));
      await expect(dialog.locator('.field-error')).toContainText('more than 20 tags');
      await expect(fieldIn(dialog, 'Add tags')).toBeFocused();
      expect(await stored.tagsOf(ids[1]!)).toEqual(['autumn', 'flyer']);
    });

    test('tags are created, found, renamed, merged and deleted on their page', async ({ page, person, stored }) => {
      const id = await stored.make(unique('spring'), ['spring', 'poster']);
      await stored.archive(await stored.make(unique('archived'), ['poster']));
      await signIn(page, person, '/app/links');
      await press(hand, page.getByRole('link', { name: 'Tags' }));
      await expect(page.getByRole('heading', { name: 'Tags', level: 1 })).toBeVisible();
      await expect(page.getByText('2 tags')).toBeVisible();
      await expect(rowOf(page, 'poster').getByRole('cell').nth(1)).toHaveText('2');

      const dialog = page.getByRole('dialog');
      if (hand === 'mouse') await page.getByRole('button', { name: 'New tag' }).click();
      else await page.keyboard.press('c');
      await type(hand, dialog.getByLabel('Name'), 'Poster');
      await page.keyboard.press('Enter');
      await expect(dialog.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
      await expect(dialog.locator('.field-error')).toContainText('Another tag');
      await type(hand, dialog.getByLabel('Name'), 'flyer');
      await page.keyboard.press('Enter');
      await expect(dialog).toBeHidden();
      await expect(page.getByText('flyer is created')).toBeVisible();
      expect(await stored.counts()).toEqual({ flyer: 0, poster: 2, spring: 1 });

      await type(hand, page.getByRole('searchbox', { name: 'Search tags' }), 'SPR');
      await expect(page).toHaveURL('/app/links/tags?search=SPR');
      await expect(page.getByRole('row')).toHaveCount(2);
      await page.reload();
      await expect(page.getByRole('searchbox')).toHaveValue('SPR');
      await type(hand, page.getByRole('searchbox'), 'nothing');
      await press(hand, page.getByRole('button', { name: 'Show all tags' }));
      await expect(page.getByRole('row')).toHaveCount(4);
      await expect(page.getByRole('searchbox')).toHaveValue('');

      if (hand === 'mouse') await choose(hand, page, 'spring', 'Rename');
      else {
        await rowOf(page, 'spring').getByRole('link', { name: 'spring', exact: true }).focus();
        await page.keyboard.press('e');
      }
      await expect(dialog.getByLabel('Name')).toHaveValue('spring');
      await type(hand, dialog.getByLabel('Name'), 'Spring 2027');
      await press(hand, dialog.getByRole('button', { name: 'Rename' }));
      await expect(dialog).toBeHidden();
      await expect(rowOf(page, 'Spring 2027')).toBeVisible();
      expect(await stored.tagsOf(id)).toEqual(['poster', 'Spring 2027']);

      await choose(hand, page, 'poster', 'Merge into another');
      await expect(dialog).toContainText('2 links with poster get the other tag in its place. Then poster is deleted');
      await type(hand, dialog.getByLabel('The other tag'), 'fly');
      await expect(dialog.locator('datalist option')).toHaveText('flyer');
      await press(hand, dialog.getByRole('button', { name: 'Merge' }));
      await expect(dialog.locator('.field-error')).toHaveText('You have no such tag.');
      await type(hand, dialog.getByLabel('The other tag'), 'poster');
      await press(hand, dialog.getByRole('button', { name: 'Merge' }));
      await expect(dialog.locator('.field-error')).toHaveText('must be another tag');
      await type(hand, dialog.getByLabel('The other tag'), 'FLYER');
      await press(hand, dialog.getByRole('button', { name: 'Merge' }));
      await expect(dialog).toBeHidden();
      await expect(page.getByText('poster is merged into flyer')).toBeVisible();
      await expect(rowOf(page, 'poster')).toHaveCount(0);
      expect(await stored.counts()).toEqual({ flyer: 2, 'Spring 2027': 1 });

      await choose(hand, page, 'Spring 2027', 'Delete');
      await expect(dialog).toContainText('It is taken from 1 link, which stays as it is otherwise.');
      await press(hand, dialog.getByRole('button', { name: 'Delete the tag' }));
      await expect(dialog).toBeHidden();
      await expect(page.getByRole('row')).toHaveCount(2);
      await expect(page.getByRole('table')).toBeFocused();
      expect(await stored.tagsOf(id)).toEqual(['flyer']);

      // The number is that of the list that the tag leads to.
      await press(hand, page.getByRole('link', { name: 'flyer', exact: true }));
      await expect(page).toHaveURL('/app/links?tag=flyer&archived=any');
      await expect(page.getByRole('row')).toHaveCount(3);
    });
  });
}

test('a suggestion that is chosen is added', async ({ page, person, stored }) => {
  await stored.makeTags(['spring', 'poster']);
  await signIn(page, person, '/app/links/new');
  const field = fieldIn(page);
  await field.focus();
  await expect(page.locator('datalist option')).toHaveText(['poster', 'spring']);
  // As browsers tell of a choice.
  await field.evaluate((input: HTMLInputElement) => {
    input.value = 'spring';
    input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText' }));
  });
  await expect(tagsIn(page)).toHaveText(['spring']);
  await expect(field).toHaveValue('');
  await expect(page.locator('datalist option')).toHaveText(['poster']);
});

test('tags have pages, and what changes them waits while offline', async ({ page, context, person, stored, allowed }) => {
  allowed.push(OFFLINE);
  await stored.makeTags(Array.from({ length: 27 }, (_, at) => `tag ${String(at).padStart(2, '0')}`));
  await signIn(page, person, '/app/links/tags');
  await expect(page.getByRole('row')).toHaveCount(26);
  await page.getByRole('link', { name: 'Next page' }).click();
  await expect(page).toHaveURL('/app/links/tags?page=2');
  await expect(page.getByRole('row')).toHaveCount(3);
  await context.setOffline(true);
  await expect(page.locator('.banner')).toContainText('You are offline.');
  await expect(page.getByRole('button', { name: 'New tag' })).toBeDisabled();
  await page.getByRole('button', { name: 'Actions for tag 25' }).click();
  for (const item of await page.getByRole('menuitem').all()) await expect(item).toBeDisabled();
  await page.keyboard.press('Escape');
  await context.setOffline(false);
  await expect(page.getByRole('button', { name: 'New tag' })).toBeEnabled();

  // A tag with a short name is merged into, wherever searches have it.
  await stored.makeTags(['t', ...Array.from({ length: 100 }, (_, at) => `${at} t`)]);
  await page.goto('/app/links/tags?search=tag%2026');
  await page.getByRole('button', { name: 'Actions for tag 26' }).click();
  await page.getByRole('menuitem', { name: 'Merge' }).click();
  await page.getByLabel('The other tag').fill('T');
  await page.getByRole('button', { name: 'Merge' }).click();
  await expect(page.getByText('tag 26 is merged into t')).toBeVisible();
});

test.describe('tags', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('are accessible in the list, on pages and in forms, however long', async ({ page, person, stored }) => {
    test.setTimeout(240_000);
    const long = 'a tag that is as long as the name of a tag may be ,'.slice(0, 50);
    const id = await stored.make(unique('long'), [long, 'x'.repeat(50), ...Array.from({ length: 18 }, (_, at) => `tag ${at}`)], 'Spring sale');
    await signIn(page, person, `/app/links?${new URLSearchParams({ tag: `${long},${'x'.repeat(50)}` })}`);
    await settled(page);
    await expect(rowOf(page, 'Spring sale')).toBeVisible();
    await expect(page.getByRole('button', { name: `Take away ${long.trim()}` })).toBeVisible();
    await examine(page, 'a list filtered by tags', ALL);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await expect(page.getByRole('region', { name: 'Selected links' })).toBeVisible();
    await page.keyboard.press('E');
    await fieldIn(page.getByRole('dialog'), 'Add tags').fill('one more,');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.locator('.field-error')).toBeVisible();
    await examine(page, 'the form for several links, with tags', ALL);
    await page.goto(`/app/links/${id}`);
    await settled(page);
    await examine(page, 'a link with tags', ALL);
    await page.getByRole('button', { name: 'Edit' }).click();
    await fieldIn(edit(page)).fill('one more,');
    await edit(page).getByRole('button', { name: 'Save' }).click();
    await expect(page.locator('.field-error')).toBeVisible();
    await examine(page, 'a link with too many tags in its form', ALL);
    await page.goto('/app/links/tags');
    await settled(page);
    for (const item of ['Rename', 'Merge', 'Delete']) {
      await page.getByRole('button', { name: `Actions for ${'x'.repeat(50)}` }).click();
      await page.getByRole('menuitem', { name: item }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await examine(page, `tags: ${item}`, ALL);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
  });

  test('have German words around them', async ({ page, person, stored }) => {
    const id = await stored.make(unique('titel'), ['Frühling']);
    await signIn(page, person, '/app/links/tags');
    await page.evaluate(() => localStorage.setItem('linkgraph.locale', 'de'));
    await page.goto('/app/links/tags');
    await expect(page.getByRole('heading', { name: 'Schlagwörter', level: 1 })).toBeVisible();
    await page.getByRole('button', { name: 'Aktionen für Frühling' }).click();
    await page.getByRole('menuitem', { name: 'Löschen' }).click();
    await expect(page.getByRole('dialog')).toContainText('Es wird von 1 Link genommen, der sonst bleibt, wie er ist.');
    await page.goto(`/app/links/${id}`);
    await page.getByRole('button', { name: 'Bearbeiten' }).click();
    await expect(page.getByRole('button', { name: 'Frühling wegnehmen' })).toBeVisible();
  });
});
