// Links of other services, from files and APIs, and the account's own as a file.
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { ALL, examine } from './axe.ts';
import { expect, OFFLINE, type Hand, HANDS, type Person, post, press, signIn, tabTo, test, type, unique, visit } from './fixtures.ts';
import { settled } from './pages.ts';

/** A file as a service exports it, with slugs that no other test has. */
function fixture(name: string, slugs: Record<string, string>): string {
  let text = readFileSync(new URL(`../../link_files/tests/data/${name}`, import.meta.url), 'utf8');
  for (const [slug, own] of Object.entries(slugs)) text = text.replaceAll(slug, own);
  return text;
}

interface Chosen {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

const fileOf = (text: string | Buffer, name = 'links.csv'): Chosen => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

/** Chooses a file by either hand, in the browser's own dialog. */
async function choose(hand: Hand, page: Page, file: Chosen | string): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await press(hand, page.getByLabel('File', { exact: true }));
  await (await chooser).setFiles(file);
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const state = (page: Page): Locator => page.getByRole('heading', { level: 1 }).locator('.chip');
/** How many rows an import has by what became of them. */
const count = (page: Page, outcome: string) => page.locator('.import-counts > div').filter({ hasText: outcome }).locator('dd');

const rowsOf = (slugs: string[]): string =>
  ['keyword,url,title', ...slugs.map((slug) => `${slug},https://example.com/${slug},${'long '.repeat(30)}`)].join('\n');

async function tokenOf(service: string, person: Person): Promise<string> {
  return (await post(`${service}/auth/login`, person)).accessToken;
}

async function linksOf(service: string, token: string) {
  const response = await fetch(`${service}/links?pageSize=100`, { headers: { authorization: `Bearer ${token}` } });
  return (await response.json()).data as { id: string; slug: string; title: string; importedClicks: number }[];
}

for (const hand of HANDS) {
  test.describe(hand, () => {
    test('J15: a file is checked, imported, and skipped the next time', async ({ page, person, service }) => {
      const [spring, atlas] = [unique('spring'), unique('atlas')];
      const file = fileOf(fixture('bitly.csv', { 'go.acme.example/spring': `go.acme.example/${spring}`, '4aBcDeF': atlas }));
      await signIn(page, person, '/app/links');
      await press(hand, page.getByRole('main').getByRole('link', { name: 'Import links' }));
      await choose(hand, page, file);
      await press(hand, button(page, 'Check the links'));

      await expect(page.getByRole('heading', { name: 'Check of links from Bitly' })).toBeVisible();
      await expect(state(page)).toHaveText('Finished');
      await expect(count(page, 'Would be created')).toHaveText('2');
      await expect(count(page, 'Can’t be imported')).toHaveText('1');
      const rows = page.getByRole('table', { name: 'Rows that can’t be imported' }).getByRole('row');
      await expect(rows).toHaveCount(2);
      await expect(rows.last().getByRole('cell').first()).toHaveText('4');
      await expect(rows.last()).toContainText('Destination URL');
      const token = await tokenOf(service, person);
      expect(await linksOf(service, token)).toEqual([]);
      await examine(page, 'a dry run', ALL);

      await press(hand, button(page, 'Import 2 links'));
      await expect(page.getByRole('heading', { name: 'Import from Bitly' })).toBeVisible();
      await expect(state(page)).toHaveText('Finished');
      await expect(count(page, 'Created')).toHaveText('2');
      expect((await visit(`${service}/${spring}`)).status).toBe(302);
      const [first] = await linksOf(service, token);
      expect(first).toMatchObject({ slug: spring, title: 'Spring sale', importedClicks: 1284 });
      await press(hand, page.getByRole('link', { name: 'See your links' }));
      await press(hand, page.getByRole('link', { name: 'Spring sale' }));
      // They are counted with its own.
      await expect(page.getByText('Of these, before its import: 1,284 clicks')).toBeVisible();
      await expect(page.locator('.facts').getByRole('status')).toHaveText('1,285 clicks');
      await page.goto(`/app/links/${(await linksOf(service, token))[1]!.id}`);
      await expect(page.getByRole('heading', { name: 'Docs, all of them' })).toBeVisible();
      await expect(page.getByText('before its import')).toHaveCount(0);

      await page.goto('/app/links/import');
      await choose(hand, page, file);
      await press(hand, button(page, 'Check the links'));
      await expect(count(page, 'Are there already')).toHaveText('2');
      await expect(page.getByText('There is nothing to import.')).toBeVisible();
    });

    test('what can’t be imported is said at the field, and the file can be chosen again', async ({ page, person }) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'linkgraph-import-'));
      const large = path.join(folder, 'large.csv');
      writeFileSync(large, '');
      truncateSync(large, 48 * 1024 * 1024 + 1);
      const sent: string[] = [];
      page.on('request', (request) => {
        if (/StartImport/.test(request.postData() ?? '')) sent.push(request.url());
      });
      await signIn(page, person, '/app/links/import');
      const [field, told] = [page.getByLabel('File', { exact: true }), page.locator('.field-error')];
      const check = () => press(hand, button(page, 'Check the links'));
      await check();
      await expect(told).toHaveText('Please choose a file.');
      await expect(field).toBeFocused();
      // A spreadsheet that was not saved as text, and text in UTF-8 of which a letter is cut.
      const spreadsheet = Buffer.from([0x50, 0x4b, 3, 4, 0x14, 0, 0, 0, 8, 0, 0xff, 0xe9, 0x21, 0]);
      const damaged = Buffer.concat([Buffer.from(`${rowsOf(['größe'])},schön`), Buffer.from([0xc3, 0x0a])]);
      const wrong = [
        [fileOf(''), 'This file is empty.'],
        [large, /^This file has 48 MB; 48 MB is the limit/],
        [fileOf(spreadsheet), /^This is no text, or its text is damaged\. Save it as “CSV UTF-8”/],
        [fileOf(damaged), /^This is no text, or its text is damaged/],
      ] as const;
      for (const [file, why] of wrong) {
        await choose(hand, page, file);
        await expect(told).toHaveCount(0);
        await check();
        await expect(told).toHaveText(why);
      }
      await examine(page, 'a file that can’t be imported', ALL);
      expect(sent).toEqual([]);
      // An error that only the service finds.
      await choose(hand, page, fileOf('[1]', 'links.json'));
      await check();
      await expect(told).toBeVisible();
      await expect(field).toBeFocused();
      expect(sent).toHaveLength(1);
      await choose(hand, page, fileOf(rowsOf([unique('right')])));
      await check();
      await expect(count(page, 'Would be created')).toHaveText('1');
      rmSync(folder, { recursive: true });
    });

    test('J15: a table of one’s own is mapped, imported, and its result is downloaded', async ({ page, person, service }) => {
      const [first, second] = [unique('first'), unique('second')];
      const rows = [`Ada;https://example.com/a;${first};03/04/2030`, `Eve;nowhere;${second};05/06/2030`, 'Größe;example.com/c;;07/07/2030'];
      // As a German Excel saves it.
      const file = fileOf(Buffer.from(['Wer;Wohin;Wie;Bis wann', ...rows, ''].join('\r\n'), 'latin1'));
      await signIn(page, person, '/app/links/import');
      await choose(hand, page, file);
      const table = page.getByRole('table', { name: 'Columns' });
      const becomes = (column: string) => table.getByRole('combobox', { name: `${column} becomes` });
      const select = async (field: Locator, label: string) => {
        if (hand === 'mouse') await field.selectOption({ label });
        else {
          const labels = await field.locator('option').allTextContents();
          await tabTo(page, field);
          await page.keyboard.press('Home');
          for (let steps = labels.indexOf(label); steps > 0; steps -= 1) await page.keyboard.press('ArrowDown');
        }
      };
      const pick = (column: string, label: string) => select(becomes(column), label);
      // The destinations are known by their values, and the others by nothing.
      await expect(becomes('Wohin')).toHaveValue('DESTINATION_URL');
      await expect(becomes('Wer')).toHaveValue('');
      await expect(table.getByRole('row').nth(1)).toContainText('Größe');
      await expect(page.getByRole('combobox', { name: 'Encoding' })).toHaveValue('windows-1252');
      await expect(page.getByRole('combobox', { name: 'Dates' })).toHaveCount(0);
      await pick('Wohin', 'Left out');
      await press(hand, button(page, 'Check the links'));
      await expect(page.locator('.field-error')).toHaveText('Choose the column that has the destinations.');
      await pick('Wohin', 'Destination');
      await pick('Wer', 'Destination');
      await press(hand, button(page, 'Check the links'));
      await expect(page.locator('.field-error')).toHaveText('Two columns can’t become the same.');
      await pick('Wer', 'Title');
      await pick('Wie', 'Short path');
      await pick('Bis wann', 'End');
      const dates = page.getByRole('combobox', { name: 'Dates' });
      await expect(page.getByText('The first dates can be read in several ways.')).toBeVisible();
      await examine(page, 'the columns of a table', ALL);
      await press(hand, button(page, 'Check the links'));
      await expect(page.getByRole('heading', { name: 'Check of links from a table' })).toBeVisible();
      await expect(page.getByText('Some dates can be read in several ways')).toBeVisible();
      await expect(page.getByText('Wohin → Destination')).toBeVisible();
      await expect(page.getByText('Read as windows-1252')).toBeVisible();
      await expect(count(page, 'Can’t be imported')).toHaveText('2');

      // What was chosen is there again with the file.
      await page.goto('/app/links/import');
      await choose(hand, page, file);
      await expect(becomes('Wer')).toHaveValue('TITLE');
      await expect(becomes('Bis wann')).toHaveValue('EXPIRES_AT');
      await select(dates, 'month, day, year (12/31/2026)');
      await press(hand, button(page, 'Check the links'));
      await expect(count(page, 'Would be created')).toHaveText('2');
      await expect(page.getByText('Dates: month, day, year')).toBeVisible();
      await press(hand, button(page, 'Import 2 links'));
      await expect(page.getByRole('heading', { name: 'Import from a table' })).toBeVisible();
      await expect(state(page)).toHaveText('Finished');
      const download = page.waitForEvent('download');
      await press(hand, button(page, 'Download the result'));
      const saved = await download;
      await expect(page.getByText(`${saved.suggestedFilename()} is downloaded`)).toBeVisible();
      const lines = readFileSync(await saved.path(), 'utf8').trim().split('\r\n');
      expect(lines[0]).toBe('row,destinationUrl,shortUrl,outcome,code,column,error');
      expect(lines[1]).toBe(`2,https://example.com/a,${service}/${first},CREATED,,,`);
      expect(lines[2]).toMatch(/^3,nowhere,,FAILED,VALIDATION_ERROR,Wohin,/);
      expect(lines[3]).toMatch(new RegExp(`^4,https://example.com/c,${service}/[^,]+,CREATED,,,$`));
      const links = await linksOf(service, await tokenOf(service, person));
      expect(links.map(({ title }) => title).sort()).toEqual(['Ada', 'Größe']);
      await examine(page, 'an import with its result', ALL);
    });

    test('J15: a long file is sent in parts, of which one is lost, and its rows are those of the plan', async ({ page, person, allowed }) => {
      allowed.push(/net::ERR_FAILED/);
      const prefix = unique('long');
      const file = fileOf(rowsOf(Array.from({ length: 1500 }, (_, at) => `${prefix}-${at}`)));
      const numbers: number[] = [];
      await page.route('**/graphql', async (route) => {
        const { query, variables } = route.request().postDataJSON();
        if (!/AppendImport/.test(query)) return route.fallback();
        numbers.push(variables.input.number);
        if (numbers.length !== 2) return route.fallback();
        // The part arrives, and its answer does not.
        await route.fetch();
        return route.abort('failed');
      });
      await signIn(page, person, '/app/links/import');
      await choose(hand, page, file);
      await press(hand, button(page, 'Check the links'));
      await expect(page.getByText('Sending has paused')).toBeVisible();
      await expect(page.getByRole('progressbar', { name: 'File sent' })).toBeVisible();
      await examine(page, 'a file that is being sent', ALL);
      await expect(state(page)).toHaveText('Finished');
      expect(numbers.filter((number) => number === 2)).toHaveLength(2);
      expect([...new Set(numbers)]).toEqual(Array.from({ length: Math.max(...numbers) }, (_, at) => at + 1));
      await expect(count(page, 'Would be created')).toHaveText('1,000');
      await expect(count(page, 'Can’t be imported')).toHaveText('500');
      await expect(page.getByText('Rows are over the limit of your plan.')).toBeVisible();
      await examine(page, 'rows over the plan’s limit', ALL);

      const cells = page.getByRole('table', { name: 'Rows that can’t be imported' }).getByRole('row').nth(1).getByRole('cell');
      await expect(cells).toHaveText(['1,002', `${prefix}-1000`, '', /The plan allows 1000 rows/]);
      await press(hand, page.getByRole('link', { name: 'Next page' }));
      await expect(page).toHaveURL(/\?page=2$/);
      await expect(cells.first()).toHaveText('1,052');
      // The file is still in the page's hands, whichever of its pages is shown.
      await expect(button(page, 'Import 1,000 links')).toBeVisible();
      await press(hand, page.getByRole('link', { name: 'See the plans' }));
      await expect(page).toHaveURL('/app/billing');
    });

    test('sending is stopped, and what was sent is not imported', async ({ page, person }) => {
      const file = fileOf(rowsOf(Array.from({ length: 1500 }, (_, at) => `${unique('stop')}-${at}`)));
      let release = () => undefined as void;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route('**/graphql', async (route) => {
        if (/AppendImport/.test(route.request().postData() ?? '')) await held;
        await route.fallback();
      });
      await signIn(page, person, '/app/links/import');
      await choose(hand, page, file);
      await press(hand, button(page, 'Check the links'));
      await expect(page.getByText(/^0 MB of 0\.\d MB sent/)).toBeVisible();
      // The rest would be lost with the page.
      const asked = page.waitForEvent('dialog');
      await page.close({ runBeforeUnload: true });
      const warning = await asked;
      expect(warning.type()).toBe('beforeunload');
      await warning.dismiss();
      await press(hand, button(page, 'Stop the import'));
      const dialog = page.getByRole('dialog', { name: 'Stop the import?' });
      await press(hand, dialog.getByRole('button', { name: 'Cancel' }));
      await expect(dialog).toBeHidden();
      await press(hand, button(page, 'Stop the import'));
      await examine(page, 'an import, to be stopped', ALL);
      await press(hand, dialog.getByRole('button', { name: 'Stop the import' }));
      await expect(state(page)).toHaveText('Stopped');
      release();
      await expect(page.getByRole('alert')).toHaveCount(0);
      await expect(button(page, 'Stop the import')).toHaveCount(0);
      await press(hand, page.getByRole('link', { name: 'Import links' }));
      await expect(page.getByRole('row').last()).toContainText('Stopped');
    });

    test('an import that was begun elsewhere is told, seen, and stopped', async ({ page, person, service }) => {
      const token = await tokenOf(service, person);
      const begin = () => post(`${service}/imports`, {}, token);
      await begin();
      await signIn(page, person, '/app/links/import');
      await expect(page.getByText('An import has not ended, and there can be one at a time.')).toBeVisible();
      await choose(hand, page, fileOf(rowsOf([unique('later')])));
      await press(hand, button(page, 'Check the links'));
      await expect(page.getByRole('alert')).toHaveText('Another import has not ended. Wait for it, or stop it.');
      await examine(page, 'another import', ALL);
      await press(hand, page.getByRole('link', { name: 'Look at it' }));
      await expect(page.getByText('The rest of the file is missing.')).toBeVisible();
      await expect(state(page)).toHaveText('Takes its file');
      await examine(page, 'an import whose file is elsewhere', ALL);

      await page.goBack();
      await press(hand, button(page, 'Stop the import'));
      await press(hand, page.getByRole('dialog').getByRole('button', { name: 'Stop the import' }));
      await expect(page.getByText('An import has not ended')).toHaveCount(0);
      // One that is begun while the page is open is told when it is in the way.
      await begin();
      await choose(hand, page, fileOf(rowsOf([unique('later')])));
      await press(hand, button(page, 'Check the links'));
      await expect(page.getByText('An import has not ended')).toBeVisible();
      await press(hand, button(page, 'Stop the import'));
      await press(hand, page.getByRole('dialog').getByRole('button', { name: 'Stop the import' }));
      await press(hand, button(page, 'Check the links'));
      await expect(count(page, 'Would be created')).toHaveText('1');
    });

    test('a page that is loaded anew shows the same import, and asks for the file again', async ({ page, person }) => {
      const file = fileOf(rowsOf([unique('anew')]));
      await signIn(page, person, '/app/links/import');
      await choose(hand, page, file);
      await press(hand, button(page, 'Check the links'));
      await expect(button(page, 'Import 1 link')).toBeVisible();
      const { pathname } = new URL(page.url());
      await page.reload();
      await expect(count(page, 'Would be created')).toHaveText('1');
      await expect(page).toHaveURL(pathname);
      await press(hand, page.getByRole('link', { name: 'Import the 1 link…' }));
      await expect(page.getByRole('combobox', { name: 'Service' })).toHaveValue('YOURLS');
      await choose(hand, page, file);
      await press(hand, button(page, 'Import the links'));
      await expect(page.getByRole('heading', { name: 'Import from YOURLS' })).toBeVisible();
      await expect(count(page, 'Created')).toHaveText('1');
    });

    test('J15: links out of the API of Shlink', async ({ page, person, service }) => {
      const [spring, key] = [unique('spring'), unique('key')];
      const text = fixture('shlink-api.json', { '"spring"': `"${spring}"`, '/spring"': `/${spring}"` });
      const server = createServer((request, response) => {
        const isRight = request.headers['x-api-key'] === key && request.url?.startsWith('/rest/v3/short-urls?');
        response.writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' }).end(text);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      await signIn(page, person, '/app/links/import');
      if (hand === 'mouse') await page.getByRole('radio', { name: 'In Shlink or YOURLS' }).check();
      else {
        await press(hand, page.getByRole('radio', { name: 'In a file' }));
        await page.keyboard.press('ArrowRight');
      }
      const start = () => press(hand, button(page, 'Check the links'));
      await start();
      await expect(page.getByText('Please fill this in.')).toHaveCount(2);
      await type(hand, page.getByLabel('Where it is'), `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      await type(hand, page.getByLabel('Key', { exact: true }), 'wrong');
      await start();
      await expect(state(page)).toHaveText('Failed');
      await expect(page.getByText('It could not go on: The service answered 401: is the key right?')).toBeVisible();
      await examine(page, 'an import that failed', ALL);

      await page.goBack();
      await page.getByRole('radio', { name: 'In Shlink or YOURLS' }).check();
      await type(hand, page.getByLabel('Where it is'), `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      await type(hand, page.getByLabel('Key', { exact: true }), key);
      await examine(page, 'the form for an API', ALL);
      await start();
      await expect(page.getByRole('heading', { name: 'Check of links from Shlink' })).toBeVisible();
      await press(hand, button(page, /^Import \d+ links?$/));
      await expect(page.getByRole('heading', { name: 'Import from Shlink' })).toBeVisible();
      await expect(state(page)).toHaveText('Finished');
      expect((await visit(`${service}/${spring}`)).status).not.toBe(404);
      server.close();
    });

    test('J15: the list is exported as it is narrowed, and imported as it was', async ({ page, person, service }) => {
      const token = await tokenOf(service, person);
      const slugs = ['first', 'second', 'other'].map(unique);
      for (const slug of slugs) {
        await post(`${service}/links`, { slug, destinationUrl: `https://example.com/${slug}`, title: slug === slugs[2] ? 'Kept' : 'Wanted' }, token);
      }
      await signIn(page, person, '/app/links?search=Wanted&sort=OLDEST');
      await settled(page);
      const save = async (format: string) => {
        const download = page.waitForEvent('download');
        await press(hand, button(page, 'Import and export'));
        const item = page.getByRole('menuitem', { name: format });
        if (hand === 'mouse') await item.click();
        else {
          for (let steps = 0; steps < 3 && !(await item.evaluate((each) => each === document.activeElement)); steps += 1) {
            await page.keyboard.press('ArrowDown');
          }
          await page.keyboard.press('Enter');
        }
        const saved = await download;
        await expect(page.getByText(`${saved.suggestedFilename()} is downloaded`)).toBeVisible();
        return { name: saved.suggestedFilename(), text: readFileSync(await saved.path(), 'utf8') };
      };
      const csv = await save('Export this list as CSV');
      expect(csv.name).toBe('links.csv');
      const lines = csv.text.trim().split('\n');
      expect(lines).toHaveLength(3);
      expect(lines.slice(1).map((line, at) => line.includes(slugs[at]!))).toEqual([true, true]);
      const jsonl = await save('Export this list as JSON Lines');
      expect(jsonl.name).toBe('links.jsonl');
      expect(jsonl.text.trim().split('\n').map((line) => JSON.parse(line).slug)).toEqual(slugs.slice(0, 2));

      await page.goto('/app/links/import');
      await choose(hand, page, fileOf(csv.text));
      await press(hand, button(page, 'Check the links'));
      await expect(page.getByRole('heading', { name: 'Check of links from linkgraph' })).toBeVisible();
      await expect(count(page, 'Are there already')).toHaveText('2');
    });
  });
}

test('what is being sent waits while the browser is offline, and goes on', async ({ page, context, person, allowed }) => {
  allowed.push(OFFLINE);
  const slug = unique('offline');
  let parts = 0;
  let reach = () => undefined as void;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  let release = () => undefined as void;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/graphql', async (route) => {
    if (/AppendImport/.test(route.request().postData() ?? '') && (parts += 1) === 3) {
      reach();
      await held;
    }
    await route.fallback();
  });
  await signIn(page, person, '/app/links/import');
  await page.getByLabel('File', { exact: true }).setInputFiles(fileOf(rowsOf(Array.from({ length: 3000 }, (_, at) => `${slug}-${at}`))));
  await button(page, 'Check the links').click();
  await reached;
  await context.setOffline(true);
  release();
  await expect(page.locator('.banner')).toContainText('You are offline.');
  await expect(page.getByText('Sending has paused')).toBeVisible();
  await expect(button(page, 'Stop the import')).toBeDisabled();
  await examine(page, 'an import, offline', ALL);
  // The file is sent on whichever page.
  await page.getByRole('link', { name: 'Import links' }).click();
  await context.setOffline(false);
  await page.getByRole('link', { name: 'Check of links' }).click();
  await expect(state(page)).toHaveText('Finished');
  await expect(count(page, 'Would be created')).toHaveText('1,000');
  await expect(count(page, 'Can’t be imported')).toHaveText('2,000');
  await expect(page.getByText('The first 1,000 are listed.')).toBeVisible();
  await expect(page.locator('.banner').filter({ hasText: 'offline' })).toHaveCount(0);
});

test('a table is mapped in German, without a header, and each encoding is found', async ({ page, person }) => {
  await signIn(page, person, '/app/links/import');
  await page.evaluate(() => localStorage.setItem('linkgraph.locale', 'de'));
  await page.reload();
  const field = page.getByLabel('Datei', { exact: true });
  await field.setInputFiles(fileOf(`https://example.com/${unique('bare')}\nexample.com/${unique('bare')}\n`));
  await expect(page.getByText('Die Datei hat keine Kopfzeile')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Spalte 1 wird zu' })).toHaveValue('DESTINATION_URL');
  await examine(page, 'Spalten ohne Kopfzeile', ALL);
  await button(page, 'Links prüfen').click();
  await expect(page.getByRole('heading', { name: 'Prüfung der Links von einer Tabelle' })).toBeVisible();
  await expect(page.getByText('Ohne Kopfzeile')).toBeVisible();
  await expect(count(page, 'Würden angelegt')).toHaveText('2');
  // As the command line finds them.
  const folder = new URL('../../link_files/tests/data/tables/', import.meta.url);
  const tables: { file: string; encoding: string; hints?: object }[] = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8'));
  const others = tables.filter(({ encoding, hints }) => encoding !== 'UTF-8' && !hints);
  expect(others.map(({ encoding }) => encoding)).toEqual(['windows-1252', 'UTF-16LE', 'UTF-16BE', 'UTF-16LE', 'windows-1252']);
  await page.goto('/app/links/import');
  for (const { file, encoding } of others) {
    await field.setInputFiles(fileOf(readFileSync(new URL(file, folder)), file));
    await expect(page.getByRole('combobox', { name: 'Zeichenkodierung' })).toHaveValue(encoding.toLowerCase());
    await field.setInputFiles([]);
    await expect(page.getByRole('combobox', { name: 'Zeichenkodierung' })).toHaveCount(0);
  }
});

test('a file is dropped on its field', async ({ page, person }) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'linkgraph-drop-'));
  const file = path.join(folder, 'links.csv');
  writeFileSync(file, rowsOf([unique('dropped')]));
  await signIn(page, person, '/app/links/import');
  const { x, y, width, height } = (await page.getByLabel('File', { exact: true }).boundingBox())!;
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  for (const kind of ['dragEnter', 'dragOver', 'drop'] as const) {
    // Beside the browser's button, which is but a part of it.
    await session.send('Input.dispatchDragEvent', { type: kind, x: x + width - 8, y: y + height - 8, data });
  }
  await button(page, 'Check the links').click();
  await expect(count(page, 'Would be created')).toHaveText('1');
  rmSync(folder, { recursive: true });
});

test('an import that is stopped elsewhere while its file is sent says so', async ({ page, person, service }) => {
  const token = await tokenOf(service, person);
  await page.route('**/graphql', async (route) => {
    const { query, variables } = route.request().postDataJSON();
    if (/AppendImport/.test(query) && variables.input.number === 2) {
      await post(`${service}/imports/${variables.id}/cancel`, {}, token);
    }
    await route.fallback();
  });
  await signIn(page, person, '/app/links/import');
  await page.getByLabel('File', { exact: true }).setInputFiles(fileOf(rowsOf(Array.from({ length: 1500 }, (_, at) => `x-${at}`))));
  await button(page, 'Check the links').click();
  await expect(state(page)).toHaveText('Stopped');
  await expect(button(page, 'Stop the import')).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a file that can’t be read to its end fails with the reason', async ({ page, person }) => {
  await signIn(page, person, '/app/links/import');
  await page.getByLabel('File', { exact: true }).setInputFiles(fileOf(fixture('dub.json', {}).slice(0, -20), 'links.json'));
  await button(page, 'Check the links').click();
  await expect(state(page)).toHaveText('Failed');
  await expect(page.getByText(/^It could not go on: ./)).toBeVisible();
});

test('what the webhook of an import was sent is shown as it was sent', async ({ page, person, service, receiver }) => {
  const token = await tokenOf(service, person);
  const webhook = { name: 'CRM', url: receiver.url, events: ['link.created', 'import.finished'] };
  const { id } = await post(`${service}/webhooks`, webhook, token);
  const [spring, atlas] = [unique('spring'), unique('atlas')];
  await post(`${service}/imports`, { data: fixture('shlink-web-client.csv', { spring, atlas }) }, token);
  await expect.poll(() => receiver.received.length).toBe(3);
  await signIn(page, person, `/app/developers/webhooks/${id}`);
  for (const event of ['import.finished', 'link.created']) {
    const sent = receiver.received.map(({ body }) => body).filter((body) => (body as { type: string }).type === event);
    await button(page, event).first().click();
    const shown = page.getByRole('dialog').locator('.code pre');
    await expect(shown).toContainText(event);
    expect(sent.map((body) => JSON.stringify(body))).toContain(JSON.stringify(JSON.parse(await shown.innerText())));
    await page.keyboard.press('Escape');
  }
});
