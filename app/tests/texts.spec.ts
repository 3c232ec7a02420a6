// Titles and notes of links, searches for them, and the question before a second link to the same destination.
import type { Page } from '@playwright/test';
import { ALL, examine } from './axe.ts';
import { changeIn, test as base, createLink, expect, HANDS, post, press, signIn, type, unique } from './fixtures.ts';
import { settled } from './pages.ts';

const DESTINATION = 'https://example.com/poster';
const NOTES = 'Poster in the windows of all shops.\nAsk Karin before you change it.';

interface Texts {
  title?: string | null;
  notes?: string | null;
  externalId?: string | null;
}

/** The links of a person, by the API, without the application. */
interface Links {
  make(slug: string, more?: Texts & { destinationUrl?: string; isActive?: boolean; expiresAt?: string }): Promise<string>;
  read(id: string): Promise<Texts>;
  count(): Promise<number>;
}

const test = base.extend<{ links: Links }>({
  links: async ({ service, person }, use) => {
    const { accessToken: token } = await post(`${service}/auth/login`, person);
    const get = async (path: string) => {
      const response = await fetch(`${service}${path}`, { headers: { authorization: `Bearer ${token}` } });
      return response.json();
    };
    await use({
      make: async (slug, more) => (await post(`${service}/links`, { slug, destinationUrl: DESTINATION, ...more }, token)).id,
      read: (id) => get(`/links/${id}`),
      count: async () => (await get('/links')).total,
    });
  },
});

const rowOf = (page: Page, slug: string) => page.getByRole('row').filter({ hasText: slug });
const edit = (page: Page) => page.getByRole('dialog', { name: 'Edit the link' });
const more = (page: Page) => page.getByText('More', { exact: true });
const ready = (page: Page) => page.getByRole('textbox', { name: 'Your link is ready' });

for (const hand of HANDS) {
  test.describe(hand, () => {
    test('a title, notes and an id of another system: given, seen, changed, and taken away', async ({ page, person, service, links }) => {
      const slug = unique('text');
      await signIn(page, person, '/app/links/new');
      await type(hand, page.getByLabel('Destination'), DESTINATION);
      await type(hand, page.getByLabel('Short path'), slug);
      await type(hand, page.getByLabel('Title'), '  Spring sale, poster ');
      await press(hand, more(page));
      await type(hand, page.getByLabel('Notes'), NOTES);
      await type(hand, page.getByLabel('External id'), 'crm-4711');
      await press(hand, page.getByRole('button', { name: 'Create the link' }));
      await expect(ready(page)).toHaveValue(`${service}/${slug}`);
      await expect(page.getByText('Spring sale, poster', { exact: true })).toBeVisible();
      await press(hand, page.getByRole('link', { name: 'Details' }));

      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Spring sale, poster');
      await expect(page).toHaveTitle(/^Spring sale, poster/);
      await expect(page.locator('.short-name')).toContainText(slug);
      await expect(page.getByRole('region', { name: 'Notes' })).toHaveText(NOTES);
      await expect(page.getByText('External id: crm-4711')).toBeVisible();
      const id = page.url().split('/').at(-1)!;
      expect(await links.read(id)).toMatchObject({ title: 'Spring sale, poster', notes: NOTES, externalId: 'crm-4711' });

      await press(hand, page.getByRole('button', { name: 'Edit' }));
      await expect(edit(page).getByLabel('Notes')).toHaveValue(NOTES);
      await type(hand, edit(page).getByLabel('Title'), 'Poster');
      await type(hand, edit(page).getByLabel('Notes'), '');
      await page.keyboard.press('Delete');
      const sent = page.waitForRequest((request) => request.postData()?.includes('mutation UpdateLink') ?? false);
      await press(hand, edit(page).getByRole('button', { name: 'Save' }));
      await expect(edit(page)).toBeHidden();
      expect(changeIn(await sent)).toEqual({ title: 'Poster', notes: null });
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Poster');
      await expect(page.getByRole('region', { name: 'Notes' })).toHaveCount(0);
      expect(await links.read(id)).toMatchObject({ title: 'Poster', notes: null, externalId: 'crm-4711' });

      // In the list its title comes first, then its short URL.
      await page.goto('/app/links');
      await expect(rowOf(page, slug).locator('.cell-link')).toHaveText(new RegExp(`^Poster.*${slug}.*example.com/postercrm-4711$`));
      await expect(rowOf(page, slug).getByText('crm-4711')).toBeVisible();
      await press(hand, rowOf(page, slug).getByRole('link', { name: 'Poster' }));
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Poster');
    });

    test('an id that another link has is said at its field', async ({ page, person, links }) => {
      await links.make(unique('first'), { externalId: 'crm-1' });
      await signIn(page, person, '/app/links/new');
      await type(hand, page.getByLabel('Destination'), 'example.com/other');
      await press(hand, more(page));
      await type(hand, page.getByLabel('External id'), 'crm-1');
      await press(hand, more(page));
      await expect(page.getByLabel('External id')).toBeHidden();
      await press(hand, page.getByRole('button', { name: 'Create the link' }));
      await expect(page.getByLabel('External id')).toBeFocused();
      await expect(page.getByLabel('External id')).toHaveAttribute('aria-invalid', 'true');
      await expect(page.locator('.field-error')).toBeVisible();
      expect(await links.count()).toBe(1);
      await type(hand, page.getByLabel('External id'), 'crm-2');
      await press(hand, page.getByRole('button', { name: 'Create the link' }));
      await expect(ready(page)).toBeVisible();
      expect(await links.count()).toBe(2);
    });

    test('links are found by what they are called, by notes, state, destination and id', async ({ page, person, links }) => {
      const [poster, plain, off] = [unique('poster'), unique('plain'), unique('off')];
      await links.make(poster, { title: 'Spring sale', notes: NOTES, externalId: 'crm-4711' });
      await links.make(plain, { destinationUrl: 'https://example.com/plain' });
      await links.make(off, { destinationUrl: 'https://example.com/off', isActive: false });
      await signIn(page, person, '/app/links');
      const only = async (slug: string) => {
        await expect(page.getByRole('row')).toHaveCount(2);
        await expect(rowOf(page, slug)).toBeVisible();
      };
      const search = page.getByRole('searchbox', { name: 'Search titles, paths, destinations, notes and tags' });
      await expect(search).toHaveAttribute('placeholder', 'Title, path, destination, notes, tags');
      for (const text of ['SPRING', 'karin', poster]) {
        await type(hand, search, text);
        await only(poster);
      }
      await page.goto('/app/links');
      await expect(page.getByRole('row')).toHaveCount(4);

      const state = page.getByRole('combobox', { name: 'State' });
      if (hand === 'mouse') await state.selectOption('Switched off');
      else {
        await press(hand, state);
        await page.keyboard.type('Swi');
        await page.keyboard.press('Enter');
      }
      await expect(page).toHaveURL('/app/links?state=INACTIVE');
      await only(off);

      await page.goto('/app/links');
      await press(hand, page.getByText('More filters'));
      await type(hand, page.getByRole('searchbox', { name: 'Destination', exact: true }), 'example.com/plain');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(`/app/links?destination=${encodeURIComponent('https://example.com/plain')}`);
      await only(plain);
      await type(hand, page.getByRole('searchbox', { name: 'Destination', exact: true }), 'no address');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('searchbox', { name: 'Destination', exact: true })).toHaveAttribute('aria-invalid', 'true');
      await expect(page.getByText('A whole address, please')).toBeVisible();
      await only(plain);
      await type(hand, page.getByRole('searchbox', { name: 'Destination', exact: true }), '');
      await page.keyboard.press('Delete');
      await expect(page).toHaveURL('/app/links');
      await expect(page.getByRole('row')).toHaveCount(4);

      await type(hand, page.getByRole('searchbox', { name: 'External id' }), 'crm-4711');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL('/app/links?externalId=crm-4711');
      await only(poster);
      await page.reload();
      await only(poster);
      await expect(page.getByRole('searchbox', { name: 'External id' })).toHaveValue('crm-4711');
      await page.goto('/app/links?externalId=crm-0');
      await press(hand, page.getByRole('button', { name: 'Take the filters away' }));
      await expect(page.getByRole('row')).toHaveCount(4);
      await expect(page.getByRole('searchbox', { name: 'External id' })).toHaveValue('');
    });

    test('for an address that was shortened before, the link that is there can be used', async ({ page, person, service, links }) => {
      const slug = unique('there');
      // No link that ends is meant.
      await links.make(unique('ends'), { expiresAt: '2099-01-01T00:00:00Z' });
      const id = await links.make(slug, { title: 'Poster' });
      await signIn(page, person, '/app/links/new');
      await type(hand, page.getByLabel('Destination'), 'example.com/other');
      await type(hand, page.getByLabel('Destination'), 'example.com/poster');
      await expect(page.getByText('You have a link to this destination already: Poster')).toBeVisible();
      await expect(page.getByRole('link', { name: 'Poster' })).toHaveAttribute('href', `/app/links/${id}`);
      await type(hand, page.getByLabel('Short path'), unique('mine'));
      await press(hand, page.getByRole('checkbox', { name: 'Use the link that is there' }));
      await press(hand, page.getByRole('button', { name: 'Create the link' }));
      await expect(page.getByRole('heading', { name: 'You had this link already' })).toBeVisible();
      await expect(ready(page)).toHaveValue(`${service}/${slug}`);
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${service}/${slug}`);
      expect(await links.count()).toBe(2);

      // Nobody has to.
      await press(hand, page.getByRole('button', { name: 'Create another' }));
      await expect(page.getByRole('checkbox', { name: 'Use the link that is there' })).toHaveCount(0);
      await type(hand, page.getByLabel('Destination'), DESTINATION);
      await expect(page.getByRole('checkbox', { name: 'Use the link that is there' })).not.toBeChecked();
      await press(hand, page.getByRole('button', { name: 'Create the link' }));
      await expect(page.getByRole('heading', { name: 'Your link is ready' })).toBeVisible();
      await expect(ready(page)).not.toHaveValue(`${service}/${slug}`);
      expect(await links.count()).toBe(3);
    });
  });
}

test('what a page is called comes with its address', async ({ page, person }) => {
  await signIn(page, person, '/app/links/new');
  const title = `A page ${'that goes on '.repeat(20)}`;
  await page.goto(`/app/links/new?${new URLSearchParams({ url: DESTINATION, title })}`);
  await expect(page.getByLabel('Title')).toHaveValue(title.slice(0, 200));
  // Apps share an address in any of the three.
  await page.goto(`/app/links/new?${new URLSearchParams({ title: DESTINATION })}`);
  await expect(page.getByLabel('Destination')).toHaveValue(DESTINATION);
  await expect(page.getByLabel('Title')).toHaveValue('');
});

test('a form that is saved as it was changes nothing, whatever ends the lines', async ({ page, person, links }) => {
  const notes = ' one\r\ntwo\n';
  const id = await links.make(unique('kept'), { title: 'Kept ', notes });
  await signIn(page, person, `/app/links/${id}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  let sent = 0;
  page.on('request', (request) => (sent += request.postData()?.includes('mutation UpdateLink') ? 1 : 0));
  await edit(page).getByRole('button', { name: 'Save' }).click();
  await expect(edit(page)).toBeHidden();
  expect(sent).toBe(0);
  expect(await links.read(id)).toMatchObject({ title: 'Kept ', notes });
});

test('the palette finds links by what they are called', async ({ page, person, links }) => {
  const slug = unique('poster');
  await links.make(slug, { title: 'Spring sale' });
  await signIn(page, person);
  // Keys are heard once the page is there.
  await settled(page);
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type('spring');
  await expect(page.getByRole('option').filter({ hasText: 'Spring sale' })).toContainText(slug);
});

test.describe('texts', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('are accessible in the list, on pages and in forms, however long', async ({ page, person, service, links }) => {
    test.setTimeout(240_000);
    const long = 'and a title that goes on '.repeat(8).trim();
    const id = await links.make(unique('long'), { title: long, notes: NOTES.repeat(10), externalId: 'x'.repeat(128) });
    await links.make(unique('off'), { title: 'x'.repeat(200), isActive: false });
    await createLink(service, person, unique('plain'), 'https://example.com/plain');
    await signIn(page, person, '/app/links');
    await settled(page);
    await page.getByText('More filters').click();
    await page.getByRole('searchbox', { name: 'Destination', exact: true }).fill('no address');
    await page.keyboard.press('Enter');
    await examine(page, 'a list with titles, and filters', ALL);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await examine(page, 'a selection', ALL);
    await page.keyboard.press('E');
    const dialog = page.getByRole('dialog');
    for (const field of ['Notes', 'Starts', 'Expires', 'Click limit', 'URL after the end']) {
      await dialog.getByRole('combobox', { name: field, exact: true }).selectOption('Set to…');
    }
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.locator('.field-error')).toHaveCount(5);
    await examine(page, 'the form for several links, with errors', ALL);
    await page.goto(`/app/links/${id}`);
    await settled(page);
    await examine(page, 'a link with texts', ALL);
    await page.getByRole('button', { name: 'Edit' }).click();
    await examine(page, 'a link with texts in its form', ALL);
    await page.goto('/app/links/new?url=https%3A%2F%2Fexample.com%2Fposter');
    await page.getByRole('checkbox', { name: 'Use the link that is there' }).check();
    await examine(page, 'a new link that is there', ALL);
    await page.getByRole('button', { name: 'Create the link' }).click();
    await expect(page.getByRole('heading', { name: 'You had this link already' })).toBeVisible();
    await examine(page, 'a link that was there', ALL);
  });

  test('have German words around them', async ({ page, person, links }) => {
    const id = await links.make(unique('titel'), { title: 'Frühling', notes: 'Für Karin', externalId: 'crm-1' });
    await signIn(page, person, '/app/links');
    await page.evaluate(() => localStorage.setItem('linkgraph.locale', 'de'));
    await page.goto('/app/links?state=ACTIVE&externalId=crm-1');
    await expect(page.getByRole('searchbox', { name: 'Titel, Pfade, Ziele, Notizen und Schlagwörter durchsuchen' })).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Zustand' }).locator('option:checked')).toHaveText('Aktiv');
    await page.getByRole('checkbox', { name: 'Alle auf dieser Seite auswählen' }).check();
    await expect(page.getByRole('region', { name: 'Ausgewählte Links' })).toBeVisible();
    await page.keyboard.press('E');
    await expect(page.getByRole('dialog', { name: 'Einen Link bearbeiten' }).getByRole('combobox', { name: 'Titel' })).toContainText('So lassen');
    await page.goto(`/app/links/${id}`);
    await expect(page.getByText('Externe ID: crm-1')).toBeVisible();
    await page.goto('/app/links/new?url=https%3A%2F%2Fexample.com%2Fposter');
    await expect(page.getByText('Sie haben schon einen Link zu diesem Ziel: Frühling')).toBeVisible();
  });
});
