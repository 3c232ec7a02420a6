// The service refuses whoever asks too often, and the application says until when.
import { ALL, examine } from './axe.ts';
import { expect, test } from './fixtures.ts';

test.use({ limits: 'on', contextOptions: { reducedMotion: 'reduce' } });
test.skip(process.env.LINKGRAPH_URL !== undefined, 'needs a service of its own, with limits');

test('wrong passwords are counted, and the form says when the next is taken', async ({ page, person, allowed }) => {
  allowed.push(/status of (401|429)/);
  await page.goto('/app/login');
  await page.getByLabel('E-mail address').fill(person.email);
  const password = page.getByLabel('Password', { exact: true });
  const alert = page.getByRole('alert');
  const wait = alert.filter({ hasText: /Too many requests\. Again in \d+ (minutes|seconds)\./ });
  await expect(async () => {
    await password.fill('not the right one');
    const answered = page.waitForResponse('**/auth/session');
    await password.press('Enter');
    await answered;
    await expect(wait).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(page.getByLabel('E-mail address')).toHaveValue(person.email);
  await examine(page, 'the sign-in page, rate limit', ALL);
});

test('the form says one truth, however often it is tried', async ({ page, person, allowed }) => {
  allowed.push(/status of (401|429)/);
  await page.clock.install();
  await page.goto('/app/login');
  await page.getByLabel('E-mail address').fill(person.email);
  const password = page.getByLabel('Password', { exact: true });
  const alert = page.getByRole('alert');
  const waits: number[] = [];
  const tryOnce = async () => {
    await password.fill('not the right one');
    const answered = page.waitForResponse('**/auth/session');
    await password.press('Enter');
    const wait = Number((await answered).headers()['retry-after'] ?? 0);
    await expect(page.getByRole('button', { name: 'Sign in' })).not.toHaveAttribute('aria-busy', 'true');
    if (wait > 0) waits.push(wait);
    if (waits.length > 0) await expect(alert).toHaveText(/Too many requests\. Again in 1[45] minutes\./);
  };
  for (let tries = 0; tries < 16; tries += 1) await tryOnce();
  expect(Math.min(...waits), String(waits)).toBeGreaterThan(60);
  // A refusal by the count of all tries, whose wait is shorter, as the service told it before it knew of the longer one.
  await page.route('**/auth/session', async (route) => {
    const headers = { 'content-type': 'application/json', 'retry-after': '2' };
    await route.fulfill({ status: 429, headers, json: { error: { code: 'RATE_LIMITED', message: 'Too many requests.' } } });
  });
  await tryOnce();
  expect(waits.at(-1)).toBe(2);
  // Again, since the form counts from when it has shown the last answer.
  await expect(async () => {
    await page.clock.fastForward(15 * 60_000 + 1000);
    await expect(alert).toHaveText('You can try again now.', { timeout: 1000 });
  }).toPass();
});
