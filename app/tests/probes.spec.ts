// Stored texts of users and visitors are shown as text on every page, whatever they contain.
import type { Page } from '@playwright/test';
import { expect, post, signIn, test, unique, VISITOR } from './fixtures.ts';
import { addresses, fill, settled } from './pages.ts';

const MARK = 'probed';
// Two, since an account has few webhooks; as long as a name may be.
const PROBES = [
  `<img src=x onerror=${MARK}()>"><script>${MARK}()</script>\${${MARK}()}{{${MARK}()}}`,
  `'"--></style></title><svg onload=${MARK}()>&lt;b&gt;" autofocus onfocus=${MARK}() x="`,
];

/** As a header has it, byte by byte. */
const inHeader = (text: string): string => Buffer.from(text).toString('latin1');

function visits(probe: string) {
  const encoded = encodeURIComponent(probe);
  const query = `?${['source', 'medium', 'campaign', 'term', 'content'].map((name) => `utm_${name}=${encoded}`).join('&')}`;
  const written = inHeader(probe);
  return [
    { headers: { ...VISITOR, referer: `https://example.org/${encoded}`, 'accept-language': 'de' }, query },
    { headers: { 'user-agent': written, referer: written, 'accept-language': inHeader(probe.slice(0, 30)) }, query },
  ];
}

/** Each is stored wherever an account can have text. */
const TEXTS = {
  markup: PROBES[0]!,
  'an address that runs': `javascript:${MARK}()`,
  // Turned round by a sign that nothing ends, with letters that run from right to left, and with signs that are not seen.
  'both directions': `\u202e<i>\u05e9\u05dc\u05d5\u05dd\u2066 a\u200b\u200db\ufeff\u202bc</i>`,
};

/** What an account's or a visitor's text made of a page that is no text, and where it may turn round the words beside it, which slugs are not. */
const faults = (page: Page, text: string, slugs: string[]) =>
  page.evaluate(([probe, ...names]) => {
    const told: string[] = [];
    const made = '[onerror], [onload], [onfocus], [src="x"], #app script, #app style, #app i, #app svg:not([class], [role], [aria-hidden])';
    for (const element of document.querySelectorAll(made)) told.push(`made: ${element.outerHTML.slice(0, 80)}`);
    for (const link of document.querySelectorAll<HTMLAnchorElement>('#app a[href]')) {
      // The bookmark runs where it is dragged to.
      if (!/^https?:$/.test(link.protocol) && !link.href.startsWith('javascript:void%20open(') && !link.href.startsWith('javascript:void open(')) {
        told.push(`leads to ${link.href.slice(0, 80)}`);
      }
    }
    // Blocks are isolated, too: the words beside a text are those of the element that ends what it turns round.
    const isIsolated = (element: Element) => /isolate|plaintext/.test(getComputedStyle(element).unicodeBidi) || element.matches('body');
    const isolates = new Map<Element, string>();
    const walker = document.createTreeWalker(document.querySelector('#app')!, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { textContent, parentElement } = walker.currentNode;
      let around = parentElement!;
      // Code is shown as it is sent.
      if (around.closest('textarea, pre')) continue;
      while (!isIsolated(around)) around = around.parentElement!;
      isolates.set(around, `${isolates.get(around) ?? ''}${textContent}`);
    }
    for (const [element, words] of isolates) {
      if (!words.includes(probe!.slice(0, 8))) continue;
      // Tags and the names of columns are cut where they are too long; a destination is a text as a whole.
      const cut = Array.from({ length: probe!.length - 7 }, (_, end) => probe!.slice(0, probe!.length - end));
      const beside = [...cut, ...names].reduce((rest, own) => rest.replaceAll(own, ''), words.replace(/^(https:\/\/)?example\.com\S*/, ''));
      if (/\p{L}/u.test(beside)) told.push(`beside “${beside.trim()}”: ${element.outerHTML.slice(0, 160)}`);
    }
    return [...new Set(told)];
  }, [text, ...slugs]);

for (const [what, text] of Object.entries(TEXTS)) {
  test(`what can be stored shows as text: ${what}`, async ({ page, person, service, receiver }) => {
    test.setTimeout(180_000);
    page.on('dialog', (dialog) => {
      throw new Error(`a dialog: ${dialog.message()}`);
    });
    await page.addInitScript((mark) => {
      Object.assign(window, { [mark]: () => console.error('a probe ran') });
    }, MARK);

    const slugs = [unique('probe'), unique('other')] as const;
    const [slug] = slugs;
    await fill(service, person, {
      name: text,
      slugs: [...slugs],
      destination: () => `https://example.com/?q=${encodeURIComponent(text)}#${text.replaceAll(' ', '')}`,
      visits: [text, ...PROBES].flatMap(visits),
      domain: `${unique('go')}.example.com`,
    });
    const { accessToken } = await post(`${service}/auth/login`, person);
    const hook = await post(`${service}/webhooks`, { name: text, url: receiver.url, events: ['link.created'] }, accessToken);
    receiver.answer(500, text);
    const told = await post(`${service}/links`, { destinationUrl: 'https://example.com/told', title: text }, accessToken);
    // The newest link is the one whose pages are looked at.
    await fetch(`${service}/${told.slug}`, { redirect: 'manual' });
    await expect.poll(() => receiver.received.length).toBe(1);
    const quoted = `"${text.replaceAll('"', '""')}"`;
    const table = `url,${quoted}\nhttps://example.com/,${quoted}\n`;
    const columns = [{ column: '1', field: 'DESTINATION_URL' }, { column: '2', field: 'TITLE' }];
    const imported = await post(`${service}/imports`, { isDryRun: true, source: 'TABLE', data: table, columns }, accessToken);
    await post(`${service}/subdomain`, { subdomain: unique('sub') }, accessToken);

    await signIn(page, person);
    const examine = async (where: string) => expect.soft(await faults(page, text, [...slugs]), where).toEqual([]);
    const shown: string[] = [];
    for (const address of [...(await addresses(page)), `/app/developers/webhooks/${hook.id}`, `/app/links/import/${imported.id}`, '/app?bots=yes', `/app/links?search=${encodeURIComponent(text)}`]) {
      await page.goto(address);
      await settled(page);
      await examine(address);
      shown.push(await page.locator('body').innerText());
    }
    const seen = (each: string) => each.replaceAll(/\s+/g, ' ');
    expect(seen(shown.join('\n'))).toContain(seen(text));

    const dialog = page.getByRole('dialog');
    const close = async () => {
      await page.keyboard.press('Escape');
      await expect(page.locator('dialog, [popover]:popover-open')).toHaveCount(0);
    };
    const inDialog = async (where: string) => {
      await expect(dialog).toBeVisible();
      await settled(page);
      for (const fold of await dialog.locator('summary').all()) await fold.click();
      await examine(where);
    };
    await page.goto(`/app/developers/webhooks/${hook.id}`);
    await page.getByRole('button', { name: 'link.created', exact: true }).click();
    await expect(dialog.getByText('Answer begins with').first()).toBeAttached();
    await expect(dialog.locator('pre').filter({ hasText: 'createdAt' })).toBeVisible();
    await inDialog('a delivery');
    expect(await dialog.locator('.attempts pre').first().textContent()).toBe(text);
    await close();

    await page.goto(`/app/links?search=${slug}`);
    await expect(page.getByRole('row').filter({ has: page.getByRole('switch') })).toHaveCount(1);
    for (const [address, items] of [
      [`/app/links?search=${slug}`, ['Edit', 'QR code', 'Delete']],
      [`/app/links/tags?search=${encodeURIComponent(text.slice(0, 50))}`, ['Rename', 'Merge into another', 'Delete']],
      ['/app/developers/webhooks', ['Edit', 'New secret', 'Delete the webhook']],
    ] as const) {
      await page.goto(address);
      for (const item of items) {
        await page.getByRole('row').getByRole('button', { name: /^Actions/ }).first().click();
        await page.getByRole('menuitem', { name: item }).click();
        await inDialog(`${address}: ${item}`);
        await close();
      }
    }
    // What is done is told with the name of it.
    await page.getByRole('row').getByRole('button', { name: /^Actions/ }).first().click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await expect(page.locator('.toast').filter({ hasText: 'is paused' })).toBeVisible();
    await examine('what is done');
    await page.goto('/app/links/import');
    await page.getByLabel('File', { exact: true }).setInputFiles({ name: 'table.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
    await expect(page.getByRole('table', { name: 'Columns' })).toBeVisible();
    await examine('the columns of a table');
    await page.getByRole('button', { name: 'Account' }).click();
    await examine('the menu of the account');
    await close();
    await page.keyboard.press('Control+K');
    await page.getByRole('combobox', { name: /^Search links/ }).fill(slug);
    await expect(page.locator('.choice')).toHaveCount(1);
    await examine('the palette');
    await close();
    for (const [address, button] of [
      ['/app/developers', /^Revoke/],
      ['/app/developers', 'New API key'],
      ['/app/domains', /^Remove/],
      ['/app/domains', 'Release'],
      ['/app/domains', /^Edit the settings/],
      ['/app/links/utm', /^Edit/],
      ['/app/links/utm', /^Delete/],
      ['/app/settings', 'Change the name'],
      ['/app/settings', /^Delete the account/],
    ] as const) {
      await page.goto(address);
      await page.getByRole('main').getByRole('button', { name: button }).first().click();
      await inDialog(`${address}: ${button}`);
      await close();
    }
  });
}

test('an address that runs is no destination', async ({ page, person, service }) => {
  const { accessToken } = await post(`${service}/auth/login`, person);
  for (const destinationUrl of ['javascript:alert(1)', ' JaVaScRiPt:alert(1)', 'data:text/html,<script>alert(1)</script>', 'vbscript:x']) {
    await expect(post(`${service}/links`, { destinationUrl }, accessToken)).rejects.toThrow(/422|400/);
  }
  // The form says so, too, and the address of the page fills in nothing that runs.
  await signIn(page, person, '/app/links/new?url=javascript%3Aalert(1)');
  await page.getByLabel('Destination').press('Enter');
  await expect(page.getByLabel('Destination')).toHaveAttribute('aria-invalid', 'true');
  // A `javascript:` URL, which runs as a bookmark, does not run here.
  await page.getByText('Shorten any page').click();
  const bookmarklet = page.getByRole('link', { name: 'Shorten this page' });
  await expect(bookmarklet).toHaveAttribute('href', `javascript:void open('${service}/app/links/new?url='+encodeURIComponent(location.href)+'&title='+encodeURIComponent(document.title))`);
  await bookmarklet.click();
  await expect(page.locator('a[href^="javascript:"]')).toHaveCount(1);
  expect(page.context().pages()).toHaveLength(1);
  // After signing in, only a page of the application is gone to.
  await page.goto('/app/login?next=javascript%3Aalert(1)');
  await page.waitForURL('**/app');
});
