// In the pseudo-locale every word of the application is between marks: what is not, is not translated.
import type { Page } from '@playwright/test';
import { expect, signIn, test } from './fixtures.ts';
import { PROVIDERS } from '../src/domains/providers.ts';
import { SOURCES } from '../src/imports/sources.ts';
import { UTM_NAMES } from '../src/utm/names.ts';
import { addresses, addressOf, DOORS, fill, settled, usual } from './pages.ts';

/** Texts that are the same in all languages: keys, names of formats and of DNS records, examples, languages' own names. */
const NAMES = new Set(['Ctrl K', 'CSV', 'JSON Lines', 'English', 'Deutsch', 'CRM', 'ada', 'TXT', 'A', 'AAAA', 'CNAME', 'SVG', 'PNG']);
/** Texts of `Intl`, and addresses. */
const WRITTEN = [/^[\d.,%+–\s-]+[kM]?$/, / ago$|^now$/, / German$/, /\d{1,2} [A-Z][a-z]{2,3}( \d{4})?/, /^€/, /^\w+:\/\//, /^[\w-]+(\.[\w-]+)+/];

/** Texts and labels that are shown and have letters, but no marks. */
async function plain(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement!;
      // Names of time zones, countries, languages and devices.
      const names = 'optgroup, datalist, .visit :is([name=country], [name=acceptLanguage]) option + option, .visit [name=device] option:not(:last-child)';
      if (!parent.closest(`script, noscript, ${names}`)) found.push(walker.currentNode.textContent!);
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
      for (const element of document.querySelectorAll(`#app [${name}]`)) found.push(element.getAttribute(name)!);
    }
    return found.map((text) => text.trim()).filter((text) => /\p{L}/u.test(text) && !text.includes('⟦'));
  });
}

/** Every text in what the API answers. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}

/** Texts of the service are shown as they are, also several between commas, and addresses without their scheme. */
async function untranslated(page: Page, told: ReadonlySet<string>): Promise<string[]> {
  const isTold = (text: string) => told.has(text) || (/[./:@_-]/.test(text) && [...told].some((each) => each.includes(text)));
  const areTold = (text: string) => isTold(text) || text.split(', ').every(isTold);
  return (await plain(page)).filter((text) => !NAMES.has(text) && !areTold(text) && !WRITTEN.some((pattern) => pattern.test(text)));
}

test('no page has a word outside the catalogue', async ({ page, person, service }) => {
  test.setTimeout(120_000);
  const filling = usual();
  await fill(service, person, filling);
  await signIn(page, person);
  const all = await addresses(page);
  await page.evaluate(() => localStorage.setItem('linkgraph.locale', 'pseudo'));

  const providers = PROVIDERS.flatMap(({ name }) => name ?? []);
  const parameters = UTM_NAMES.map((name) => `utm_${name}`);
  const told = new Set<string>([filling.name, filling.name.slice(0, 1), person.email, ...providers, ...Object.values(SOURCES), ...parameters]);
  page.on('response', async (response) => {
    if (!response.url().endsWith('/graphql')) return;
    // The browser forgets the body when the page is left before it is read.
    const answer: unknown = await response.json().catch(() => null);
    for (const text of textsIn(answer)) told.add(text);
  });
  for (const address of [...all, '/app/nowhere']) {
    await page.goto(address);
    await settled(page);
    await expect(page.getByRole('main')).toContainText('⟦');
    await expect.poll(() => untranslated(page, told), { message: address }).toEqual([]);
  }
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect.poll(() => plainKeys(page), { message: 'the keys' }).toEqual([]);
  await page.keyboard.press('Escape');

  await page.context().clearCookies();
  await page.evaluate(() => localStorage.removeItem('linkgraph.signed-in'));
  for (const door of DOORS.filter((each) => each !== '/app/setup')) {
    await page.goto(addressOf(door));
    await settled(page);
    await expect.poll(() => untranslated(page, told), { message: door }).toEqual([]);
  }

  /** Below the list of keys, names of keys are no words. */
  async function plainKeys(of: Page): Promise<string[]> {
    const keys = await of.locator('kbd').allInnerTexts();
    return (await untranslated(of, told)).filter((text) => !keys.includes(text));
  }
});
