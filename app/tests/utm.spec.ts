// UTM parameters: written into destinations, read back from them, and kept ready in templates.
import type { Locator, Page } from '@playwright/test';
import { ALL, examine } from './axe.ts';
import { changeIn, test as base, expect, type Hand, HANDS, post, press, signIn, type, unique } from './fixtures.ts';
import { utmIn, withUtm } from '../src/utm/url.ts';

const DESTINATION = 'https://example.com/?shop=7#top';

/** The links and templates of a person, by the API, without the application. */
interface Stored {
  make(slug: string, destinationUrl: string): Promise<string>;
  template(name: string, parameters: object): Promise<void>;
  destinationOf(id: string): Promise<string>;
  templates(): Promise<object[]>;
}

const test = base.extend<{ stored: Stored }>({
  stored: async ({ service, person }, use) => {
    const { accessToken: token } = await post(`${service}/auth/login`, person);
    const get = async (path: string) => (await fetch(service + path, { headers: { authorization: `Bearer ${token}` } })).json();
    await use({
      make: async (slug, destinationUrl) => (await post(`${service}/links`, { slug, destinationUrl }, token)).id,
      template: async (name, parameters) => {
        await post(`${service}/utm-templates`, { name, ...parameters }, token);
      },
      destinationOf: async (id) => (await get(`/links/${id}`)).destinationUrl,
      templates: async () => (await get('/utm-templates')).data,
    });
  },
});

const field = (within: Page | Locator, name: string) => within.getByLabel(name, { exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const fold = (within: Page | Locator) => within.locator('summary').filter({ hasText: 'UTM parameters' });
const preview = (within: Page | Locator) => within.locator('.preview output');

/** Chooses by the words of the choice. */
async function choose(hand: Hand, target: Locator, choice: string): Promise<void> {
  if (hand === 'mouse') await target.selectOption(choice);
  else {
    await press(hand, target);
    // No key writes an ellipsis: it would be put into the last text field that had the focus.
    await target.page().keyboard.type(choice.replace('…', ''));
    await target.page().keyboard.press('Enter');
  }
  await expect(target.locator('option:checked')).toHaveText(choice);
}

/** Presses the button of the dialog, and answers what was sent. */
async function send(hand: Hand, page: Page, mutation: string, button = 'Save'): Promise<object> {
  const sent = page.waitForRequest((request) => request.postData()?.includes(`mutation ${mutation}(`) ?? false);
  await press(hand, dialog(page).getByRole('button', { name: button }));
  await expect(dialog(page)).toBeHidden();
  return changeIn(await sent);
}

for (const hand of HANDS) {
  test.describe(hand, () => {
    test('a new link gets parameters, and a template fills them in', async ({ page, person, stored }) => {
      await stored.template('Newsletter', { source: 'newsletter', medium: 'email' });
      await stored.template('Poster', { medium: 'print' });
      await signIn(page, person, '/app/links/new');
      await type(hand, field(page, 'Destination'), DESTINATION);
      await type(hand, page.getByLabel('Short path'), unique('utm'));
      await press(hand, fold(page));
      await expect(preview(page)).toHaveText(DESTINATION);
      await type(hand, field(page, 'Campaign'), ' spring & summer ');
      await expect(preview(page)).toHaveText('https://example.com/?shop=7&utm_campaign=spring+%26+summer#top');
      await choose(hand, field(page, 'Template'), 'Newsletter');
      await expect(field(page, 'Source')).toHaveValue('newsletter');
      await expect(field(page, 'Medium')).toHaveValue('email');
      // Parameters that a template lacks stay as they are.
      await choose(hand, field(page, 'Template'), 'Poster');
      await expect(field(page, 'Source')).toHaveValue('newsletter');
      await expect(field(page, 'Medium')).toHaveValue('print');
      const written = 'https://example.com/?shop=7&utm_source=newsletter&utm_medium=print&utm_campaign=spring+%26+summer#top';
      await expect(preview(page)).toHaveText(written);
      await examine(page, 'the UTM parameters of a new link', ALL);
      await press(hand, page.getByRole('button', { name: 'Create the link' }));
      await press(hand, page.getByRole('link', { name: 'Details' }));
      const facts = page.locator('.facts').filter({ hasText: 'utm_source' });
      await expect(facts.locator('> span')).toHaveText(['utm_source newsletter', 'utm_medium print', 'utm_campaign spring & summer']);
      expect(await stored.destinationOf(page.url().split('/').at(-1)!)).toBe(written);
    });

    test('parameters follow the destination, are changed, and are taken away', async ({ page, person, stored }) => {
      const id = await stored.make(unique('edit'), 'https://example.com/?utm_source=mail&utm_term=x');
      await signIn(page, person, `/app/links/${id}`);
      await press(hand, page.getByRole('button', { name: 'Edit', exact: true }));
      // It has some, so they are shown.
      await expect(field(dialog(page), 'Source')).toHaveValue('mail');
      await expect(field(dialog(page), 'Term')).toHaveValue('x');
      await expect(field(dialog(page), 'Template')).toHaveCount(0);
      await type(hand, field(dialog(page), 'Destination'), 'https://example.com/new?utm_source=flyer&utm_term=x');
      await expect(field(dialog(page), 'Source')).toHaveValue('flyer');
      await type(hand, field(dialog(page), 'Medium'), 'print');
      await type(hand, field(dialog(page), 'Term'), '');
      await page.keyboard.press('Delete');
      await expect(preview(dialog(page))).toHaveText('https://example.com/new?utm_source=flyer&utm_medium=print');
      expect(await send(hand, page, 'UpdateLink')).toEqual({
        destinationUrl: 'https://example.com/new?utm_source=flyer&utm_term=x',
        utm: { medium: 'print', term: null },
      });
      expect(await stored.destinationOf(id)).toBe('https://example.com/new?utm_source=flyer&utm_medium=print');

      // Unchanged fields are not sent.
      await press(hand, page.getByRole('button', { name: 'Edit', exact: true }));
      await type(hand, field(dialog(page), 'Content'), 'button');
      expect(await send(hand, page, 'UpdateLink')).toEqual({ utm: { content: 'button' } });
      await expect(page.locator('.facts').filter({ hasText: 'utm_content' })).toBeVisible();
    });

    test('several links get parameters, and lose them', async ({ page, person, stored }) => {
      const ids = [await stored.make(unique('one'), 'https://example.com/?utm_term=x'), await stored.make(unique('two'), DESTINATION)];
      await stored.template('Newsletter', { source: 'newsletter' });
      await signIn(page, person, '/app/links');
      const selection = page.getByRole('region', { name: 'Selected links' });
      await press(hand, page.getByRole('checkbox', { name: 'Select all on this page' }));
      await press(hand, selection.getByRole('button', { name: 'Edit' }));
      await choose(hand, field(dialog(page), 'UTM parameters'), 'Set to…');
      await press(hand, dialog(page).getByRole('button', { name: 'Save' }));
      await expect(dialog(page)).toContainText('Choose at least one field');
      await choose(hand, field(dialog(page), 'Template'), 'Newsletter');
      await type(hand, field(dialog(page), 'Content'), 'button');
      await examine(page, 'the UTM parameters of several links', ALL);
      await press(hand, dialog(page).getByRole('button', { name: 'Save' }));
      await expect(dialog(page)).toBeHidden();
      await expect.poll(() => Promise.all(ids.map(stored.destinationOf))).toEqual([
        'https://example.com/?utm_term=x&utm_source=newsletter&utm_content=button',
        'https://example.com/?shop=7&utm_source=newsletter&utm_content=button#top',
      ]);

      await press(hand, page.getByRole('checkbox', { name: 'Select all on this page' }));
      await press(hand, selection.getByRole('button', { name: 'Edit' }));
      await choose(hand, field(dialog(page), 'UTM parameters'), 'Take away');
      await press(hand, dialog(page).getByRole('button', { name: 'Save' }));
      await expect(dialog(page)).toBeHidden();
      await expect.poll(() => Promise.all(ids.map(stored.destinationOf))).toEqual(['https://example.com/', DESTINATION]);
    });

    test('templates are made, changed and deleted', async ({ page, person, stored }) => {
      await stored.template('Taken', { source: 'x' });
      await signIn(page, person, '/app/links');
      await press(hand, page.getByRole('link', { name: 'UTM templates' }));
      await expect(page.getByRole('heading', { name: 'UTM templates' })).toBeVisible();
      if (hand === 'keyboard') await page.keyboard.press('c');
      else await page.getByRole('button', { name: 'New UTM template' }).click();
      await type(hand, field(dialog(page), 'Name'), 'taken');
      await press(hand, dialog(page).getByRole('button', { name: 'Create the template' }));
      await expect(field(dialog(page), 'Source')).toHaveAccessibleDescription(/At least one parameter, please/);
      await type(hand, field(dialog(page), 'Source'), 'newsletter');
      await type(hand, field(dialog(page), 'Medium'), 'email');
      await press(hand, dialog(page).getByRole('button', { name: 'Create the template' }));
      await expect(field(dialog(page), 'Name')).toHaveAttribute('aria-invalid', 'true');
      await type(hand, field(dialog(page), 'Name'), 'Newsletter');
      await examine(page, 'a new UTM template', ALL);
      await send(hand, page, 'CreateUtmTemplate', 'Create the template');
      const row = page.getByRole('row').filter({ hasText: 'Newsletter' });
      await expect(row.locator('.facts > span')).toHaveText(['utm_source newsletter', 'utm_medium email']);

      if (hand === 'mouse') await row.getByRole('button', { name: 'Edit Newsletter' }).click();
      else {
        await page.getByRole('heading', { level: 1 }).press('j');
        await page.keyboard.press('e');
      }
      await type(hand, field(dialog(page), 'Name'), 'Autumn');
      await type(hand, field(dialog(page), 'Medium'), '');
      await page.keyboard.press('Delete');
      await send(hand, page, 'UpdateUtmTemplate');
      const changed = page.getByRole('row').filter({ hasText: 'Autumn' });
      await expect(changed.locator('.facts > span')).toHaveText(['utm_source newsletter']);
      expect(await stored.templates()).toMatchObject([{ name: 'Autumn', source: 'newsletter', medium: null }, { name: 'Taken' }]);

      for (const name of ['Autumn', 'Taken']) {
        await press(hand, page.getByRole('button', { name: `Delete ${name}` }));
        await expect(dialog(page)).toContainText('Links that were made with it stay as they are.');
        await press(hand, dialog(page).getByRole('button', { name: 'Delete the template' }));
        await expect(dialog(page)).toBeHidden();
      }
      await expect(page.getByText('Keep UTM parameters ready for many links')).toBeVisible();
    });
  });
}

test('the preview is what the service writes', async ({ stored, service, person }) => {
  const { accessToken: token } = await post(`${service}/auth/login`, person);
  const cases = [
    ['https://example.com/', { source: 'a b', content: 'ü' }],
    ['https://example.com/?x=%20+1&a#f', { source: 'a&b=c#d', term: '*-._~' }],
    ['https://example.com/?utm_source=1&x=1&utm%5Fsource=2&utm_term=3', { source: '3', term: '' }],
    ['https://example.com/?utm_source=1#f', { source: '' }],
    ['https://example.com/?&a&&', { campaign: 'c' }],
  ] as const;
  for (const [destination, utm] of cases) {
    // Empty ones are taken away.
    const sent = Object.fromEntries(Object.entries(utm).map(([name, value]) => [name, value || null]));
    const { id } = await post(`${service}/links`, { destinationUrl: destination, utm: sent }, token);
    const written = await stored.destinationOf(id);
    expect(withUtm(destination, utm)).toBe(written);
    expect(utmIn(written)).toMatchObject(utm);
  }
});
