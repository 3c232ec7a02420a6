// Views of the statistics that are kept as reports: saved and opened again, shared by a public page, and shared no more.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { ALL, examine } from './axe.ts';
import { expect, HANDS, type Person, post, press, signIn, tabTo, test, type, unique, visit } from './fixtures.ts';
import { settled } from './pages.ts';

const clicksOf = (page: Page) => page.locator('.figure strong').first();
const dialogOf = (page: Page) => page.getByRole('dialog');

/** A link with three clicks of one campaign and two of none. Answers its id. */
async function clicked(service: string, person: Person): Promise<{ id: string; slug: string; token: string }> {
  const { accessToken: token } = await post(`${service}/auth/login`, person);
  const slug = unique('reported');
  const { id } = await post(`${service}/links`, { slug, destinationUrl: 'https://example.com/spring', title: 'Spring sale' }, token);
  for (const query of ['?utm_campaign=spring', '?utm_campaign=spring', '?utm_campaign=spring', '', '']) await visit(`${service}/${slug}${query}`);
  return { id, slug, token };
}

for (const hand of HANDS) {
  test(`a filtered view is saved and opened again, by ${hand}`, async ({ page, person, service }) => {
    const { id } = await clicked(service, person);
    const view = `/app/links/${id}?period=week&utm_campaign=spring`;
    await signIn(page, person, view);
    await expect(clicksOf(page)).toHaveText('3');
    const dialog = dialogOf(page);

    await press(hand, page.getByRole('button', { name: 'Save or share this view' }));
    await expect(dialog).toContainText('with the same filters. Time: 7 days');
    // A link has no list of links.
    await expect(dialog.getByLabel('Top links')).toHaveCount(0);
    await type(hand, dialog.getByLabel('Name'), 'Spring, of a week');
    await press(hand, dialog.getByLabel('Share it by a public page'));
    await press(hand, dialog.getByRole('button', { name: 'Save' }));
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText('is saved')).toContainText('Spring, of a week is saved');

    // The menu beside it leads to all of them.
    await press(hand, page.getByRole('button', { name: 'Download and print' }));
    if (hand === 'mouse') await page.getByRole('menuitem', { name: 'Saved and shared reports' }).click();
    else {
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
    }
    await expect(page).toHaveURL('/app/reports');
    const row = page.getByRole('row').filter({ hasText: 'Spring, of a week' });
    await expect(row).toContainText('Spring sale');
    await expect(row).toContainText('7 days');
    await expect(row).toContainText('UTM campaign is spring');
    await expect(row).toContainText('Only saved');
    await expect(row.getByRole('button', { name: /^Copy/ })).toHaveCount(0);
    await press(hand, row.getByRole('link', { name: 'Spring, of a week' }));
    await expect(page).toHaveURL(view);
    await expect(clicksOf(page)).toHaveText('3');
  });

  test(`a report is shared until that is stopped, by ${hand}`, async ({ page, browser, person, service }) => {
    const { slug } = await clicked(service, person);
    await signIn(page, person, '/app?utm_campaign=spring');
    await expect(clicksOf(page)).toHaveText('3');
    const dialog = dialogOf(page);

    await press(hand, page.getByRole('button', { name: 'Save or share this view' }));
    await type(hand, dialog.getByLabel('Name'), 'Spring for everybody');
    await press(hand, dialog.getByLabel('Top links'));
    await press(hand, dialog.getByLabel('Countries'));
    await press(hand, dialog.getByText('More about the page'));
    await press(hand, dialog.getByLabel('Say where links lead'));
    await type(hand, dialog.getByLabel('Sites that may embed it'), 'nowhere');
    await press(hand, dialog.getByRole('button', { name: 'Save' }));
    await expect(dialog).toContainText('nowhere is not an origin');
    await type(hand, dialog.getByLabel('Sites that may embed it'), 'https://wiki.example.com');
    await press(hand, dialog.getByRole('button', { name: 'Save' }));
    await expect(dialog.getByRole('heading')).toHaveText('The report is shared');
    await expect(dialog.getByRole('textbox')).toBeFocused();
    const url = await dialog.getByRole('textbox').inputValue();
    expect(url).toMatch(new RegExp(`^${service}/reports/[\\w-]{20,}$`));
    await press(hand, dialog.getByRole('link', { name: 'All reports' }));
    await expect(page).toHaveURL('/app/reports');

    // Nobody has to sign in.
    const stranger = await (await browser.newContext({ locale: 'en-GB', timezoneId: 'Pacific/Honolulu' })).newPage();
    const trouble: string[] = [];
    stranger.on('console', (message) => message.type() === 'error' && trouble.push(message.text()));
    const response = await stranger.goto(url);
    expect(response!.headers()['content-security-policy']).toContain('frame-ancestors https://wiki.example.com');
    await expect(stranger.getByRole('heading', { level: 1 })).toHaveText('Spring for everybody');
    await expect(stranger).toHaveTitle('Spring for everybody');
    await expect(stranger.locator('.figure strong')).toHaveText(['3', '1']);
    await expect(stranger.locator('.chip')).toHaveText(['UTM campaign is spring']);
    await expect(stranger.getByRole('heading', { level: 2 })).toHaveText(['Sources', 'Devices', 'Top links']);
    const links = stranger.locator('.top-values').filter({ hasText: 'Top links' });
    await expect(links.getByRole('listitem')).toHaveText([/^Spring sale → example\.com\/spring100%3$/]);
    // The table behind the chart, and its points, by keyboard.
    const fold = stranger.getByText('Show as a table');
    if (hand === 'mouse') await fold.click();
    else {
      await tabTo(stranger, stranger.getByRole('slider'));
      await stranger.keyboard.press('ArrowLeft');
      await expect(stranger.locator('.chart-tip')).toContainText('0 clicks');
      await tabTo(stranger, fold);
      await stranger.keyboard.press('Enter');
    }
    await expect(stranger.getByRole('row').nth(1)).toContainText('(so far)');
    await expect(stranger.getByRole('row').nth(1).getByRole('cell')).toHaveText(['3', '1']);
    await examine(stranger, 'the page of a report', ALL);
    expect(trouble).toEqual([]);

    // A change keeps the address.
    const row = page.getByRole('row').filter({ hasText: 'Spring for everybody' });
    const choose = async (name: string) => {
      await press(hand, row.getByRole('button', { name: 'Actions for Spring for everybody' }));
      const item = page.getByRole('menuitem', { name });
      if (hand === 'mouse') await item.click();
      else {
        await expect(page.getByRole('menuitem').first()).toBeFocused();
        while (!(await item.evaluate((each) => each === document.activeElement))) await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
      }
    };
    await choose('Edit');
    await expect(dialog.getByLabel('Sites that may embed it')).toHaveValue('https://wiki.example.com');
    await press(hand, dialog.getByLabel('Devices'));
    await press(hand, dialog.getByRole('button', { name: 'Save' }));
    await expect(dialog).toHaveCount(0);
    await stranger.reload();
    await expect(stranger.getByRole('heading', { level: 2 })).toHaveText(['Sources', 'Top links']);
    await expect(row.getByRole('link', { name: 'Open the page of' })).toHaveAttribute('href', url);

    await choose('Stop sharing');
    await press(hand, dialog.getByRole('button', { name: 'Stop sharing' }));
    await expect(row).toContainText('Only saved');
    await stranger.reload();
    await expect(stranger.getByRole('heading', { level: 1 })).toHaveText('This report does not exist, or is no longer shared.');
    await examine(stranger, 'the page of a report that is over', ALL);

    // What is gone is not what was counted.
    await choose('Delete');
    await press(hand, dialog.getByRole('button', { name: 'Delete' }));
    await expect(page.getByText('No reports yet')).toBeVisible();
    expect((await visit(`${service}/${slug}`)).status).toBeLessThan(400);
    await stranger.context().close();
  });
}

test('reports and their dialogs are legible', async ({ page, person, service }) => {
  const { id, token } = await clicked(service, person);
  await post(`${service}/reports`, { name: 'Everything, and as long as a name can be so that it takes several lines', period: 'ALL_TIME' }, token);
  await post(`${service}/reports`, { name: 'Ends', linkId: id, expiresAt: '2099-01-02T03:04:05Z', filter: [{ dimension: 'LINK', operator: 'IS', values: [id] }] }, token);
  await post(`${service}/reports`, { name: 'Kept', isShared: false, from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z', includeBots: true }, token);
  await signIn(page, person, '/app/reports');
  await expect(page.getByRole('row')).toHaveCount(4);
  await settled(page);
  await examine(page, 'reports', ALL);
  await expect(page.getByRole('row').nth(2)).toContainText('Spring sale');
  await page.getByRole('button', { name: 'Actions for Ends' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await expect(dialogOf(page).getByLabel('Until when it is shared').first()).not.toHaveValue('');
  await examine(page, 'the dialog of a report', ALL);
});

test('the page of a report compares with the time before', async ({ page, person, service }) => {
  const { slug, token } = await clicked(service, person);
  const counted = async () => {
    const response = await fetch(`${service}/analytics/summary`, { headers: { authorization: `Bearer ${token}` } });
    return ((await response.json()) as { totals: { clicks: number } }).totals.clicks;
  };
  await expect.poll(counted).toBe(5);
  const from = new Date().toISOString();
  for (let clicks = 0; clicks < 6; clicks += 1) await visit(`${service}/${slug}`);
  await expect.poll(counted).toBe(11);
  const { url } = await post(`${service}/reports`, { name: 'This hour', from, to: new Date(Date.now() + 3_600_000).toISOString() }, token);
  await page.goto(url);
  await expect(page.locator('.figure strong').first()).toHaveText('6');
  await expect(page.locator('.figure .change').first()).toHaveText('+20% on the time before');
});

for (const hand of HANDS) {
  test(`the page of a report asks for its password, by ${hand}`, async ({ page, person, service, allowed }) => {
    allowed.push(/status of 403/);
    const { token } = await clicked(service, person);
    const { id, url } = await post(`${service}/reports`, { name: 'Secret figures', password: 'tülips-in-april' }, token);
    await page.goto(url);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This report asks for a password');
    await expect(page).toHaveTitle('This report asks for a password');
    await examine(page, 'the question for a password', ALL);
    await type(hand, page.getByLabel('Password'), 'tulips-in-march');
    await press(hand, page.getByRole('button', { name: 'Open the report' }));
    await expect(page.getByRole('alert')).toHaveText('This password is not right. Please try again.');
    await type(hand, page.getByLabel('Password'), 'tülips-in-april');
    await press(hand, page.getByRole('button', { name: 'Open the report' }));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Secret figures');

    // Taken away in the application.
    await signIn(page, person, '/app/reports');
    const row = page.getByRole('row').filter({ hasText: 'Secret figures' });
    await expect(row).toContainText('With a password');
    await row.getByRole('button', { name: 'Actions for Secret figures' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await press(hand, dialogOf(page).getByLabel('Take the password away'));
    await press(hand, dialogOf(page).getByRole('button', { name: 'Save' }));
    await expect(row).not.toContainText('With a password');
    const answer = await fetch(`${service}/reports/${id}`, { headers: { authorization: `Bearer ${token}` } });
    expect(((await answer.json()) as { hasPassword: boolean }).hasPassword).toBe(false);
    await page.goto(url);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Secret figures');
  });
}

test('the palette leads to the reports', async ({ page, person }) => {
  await signIn(page, person);
  await settled(page);
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox').fill('Report');
  await page.getByRole('option', { name: 'Reports' }).click();
  await expect(page).toHaveURL('/app/reports');
  await expect(page.getByText('No reports yet')).toBeVisible();
});

test.describe('in German', () => {
  test.use({ locale: 'de-CH' });

  test('the page of a report is small, and says in German as well why there is none', async ({ page, context, service, person, allowed }) => {
    const { token } = await clicked(service, person);
    const { url } = await post(`${service}/reports`, { name: 'Klicks', timeZone: 'Europe/Zurich' }, token);
    const network = await context.newCDPSession(page);
    await network.send('Network.enable');
    let bytes = 0;
    network.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.goto(url);
    await expect(page.locator('.figure dt')).toHaveText(['Klicks', 'Besucher']);
    await expect(page.getByText('Zeitzone: Europe/Zurich')).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    console.log(`the page of a report: ${bytes} bytes`);
    expect(bytes).toBeLessThanOrEqual(45_000);

    allowed.push(/status of (404|429)|net::ERR_FAILED/);
    await page.goto(`${service}/reports/b7Kx2mQ9vT4nW8pL3sR6yA5dF1gH0jZc`);
    await expect(page.getByRole('alert')).toContainText('Diesen Bericht gibt es nicht, oder er ist nicht mehr freigegeben.');
    // What can pass is tried again.
    await page.route('**/reports/*', (route) => (route.request().resourceType() === 'fetch' ? route.fulfill({ status: 429, headers: { 'retry-after': '90' }, body: '{}' }) : route.continue()));
    await page.goto(url);
    await expect(page.getByRole('alert')).toContainText('Bitte versuchen Sie es in 90 Sekunden noch einmal.');
    await page.unroute('**/reports/*');
    await page.route('**/reports/*', (route) => route.abort());
    await page.getByRole('button', { name: 'Noch einmal' }).click();
    await expect(page.getByRole('alert')).toContainText('Keine Verbindung');
    await page.unroute('**/reports/*');
    await page.getByRole('button', { name: 'Noch einmal' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Klicks');
  });
});

test('only pages that were named have the page of a report in a frame', async ({ browser, service, person }) => {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><link rel="icon" href="data:,"><title>Wiki</title><iframe src="${service}${request.url}" width="320" height="600"></iframe>`);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const { token } = await clicked(service, person);
  const { url } = await post(`${service}/reports`, { name: 'Framed', embedOrigins: [`http://wiki.localhost:${port}`] }, token);
  const page = await (await browser.newContext()).newPage();
  const refused: string[] = [];
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
  const frame = page.frameLocator('iframe').getByRole('heading', { level: 1 });
  const { pathname } = new URL(url);
  await page.goto(`http://wiki.localhost:${port}${pathname}`);
  await expect(frame).toHaveText('Framed');
  await expect(page.frameLocator('iframe').locator('.figure strong').first()).toHaveText('5');
  expect(refused).toEqual([]);
  await page.goto(`http://other.localhost:${port}${pathname}`);
  await expect.poll(() => refused.join()).toContain('frame-ancestors');
  await expect(frame).toHaveCount(0);
  await page.context().close();
  server.closeAllConnections();
  server.close();
});
