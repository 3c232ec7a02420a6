// An operator at home first opens the service at http://192.168.…, where browsers keep much back: the clipboard, locks,
// and what pages say of where their requests come from.
import { networkInterfaces } from 'node:os';
import { expect, test, unique } from './fixtures.ts';

const outer = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === 'IPv4' && !each.internal)?.address;

test.use({ host: outer ?? '127.0.0.1' });
test.skip(!outer || process.env.LINKGRAPH_URL !== undefined, 'needs an address of its own that is not a loopback one');

test('all works over plain http on another address', async ({ page, context, allowed }) => {
  // Chromium says so of any page that isolates itself where it can't.
  allowed.push(/Cross-Origin-Opener-Policy header has been ignored/);
  await page.goto('/app/register');
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  await page.getByLabel('E-mail address').fill(`${unique('home')}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/app/links/new');

  const slug = unique('home');
  await page.getByLabel('Destination').fill('https://example.com/at-home');
  await page.getByLabel('Short path').fill(slug);
  await page.keyboard.press('Enter');
  const ready = page.getByRole('textbox', { name: 'Your link is ready' });
  await expect(ready).toBeFocused();
  await expect(page.getByText('Copied to the clipboard')).toBeVisible();
  const shortUrl = await ready.inputValue();

  await page.getByRole('link', { name: 'Links', exact: true }).click();
  const copyLink = page.getByRole('button', { name: /^Copy/ });
  await copyLink.click();
  await expect(page.getByText(`Copied ${shortUrl}`)).toBeVisible();
  await expect(copyLink).toBeFocused();
  await page.getByRole('searchbox').click();
  await page.keyboard.press('Control+V');
  await expect(page.getByRole('searchbox')).toHaveValue(shortUrl);

  // The cookie brings the session back, in a second tab too.
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Links' })).toBeVisible();
  const second = await context.newPage();
  await second.goto('/app');
  await expect(second.getByRole('heading', { name: 'Overview' })).toBeVisible();
  await second.getByRole('button', { name: 'Account' }).click();
  await second.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/app/login');
});

test('what the browser refuses to copy is selected', async ({ page, person, allowed }) => {
  allowed.push(/Cross-Origin-Opener-Policy header has been ignored/);
  await page.addInitScript(() => {
    document.execCommand = () => false;
  });
  await page.goto('/app/login?next=%2Fapp%2Flinks%2Fnew');
  await page.getByLabel('E-mail address').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.keyboard.press('Enter');
  await page.getByLabel('Destination').fill('https://example.com/by-hand');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Selected: press Ctrl C')).toBeVisible();
  const shortUrl = await page.getByRole('textbox', { name: 'Your link is ready' }).inputValue();
  expect(await page.evaluate(() => String(getSelection()))).toBe(shortUrl);

  await page.getByRole('button', { name: /^Copy/ }).click();
  const byHand = page.getByRole('textbox', { name: 'Selected: press Ctrl C' });
  await expect(byHand).toBeFocused();
  expect(await page.evaluate(() => String(getSelection()))).toBe(shortUrl);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: /^Copy/ })).toBeVisible();
});
