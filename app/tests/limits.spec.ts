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
