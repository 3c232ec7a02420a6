// The proof that an e-mail address is the user's: by the mail after registering, and after a change, which the old address can undo.
import type { Browser, Locator, Page, Route } from '@playwright/test';
import { ALL, examine } from './axe.ts';
import { expect, HANDS, type Person, post, press, signIn, test, type, unique } from './fixtures.ts';
import { tokenFor } from './mails.ts';
import { settled } from './pages.ts';

/** What the browser says of a session that is over. */
const REFUSED = /status of 401/;

const banner = (page: Page) => page.locator('.banner').filter({ hasText: 'not confirmed yet' });
const unproved = (page: Page) => page.getByText('Not confirmed yet', { exact: true });
const proved = (page: Page) => page.getByText('Your e-mail address is confirmed.', { exact: false });
const waiting = (page: Page, email: string) => page.getByText(`${email} waits until you open the link that we sent to it.`, { exact: false });

/** Mails are files here; the application takes that for a service that sends none. */
async function claimMail(page: Page): Promise<void> {
  await page.route('**/graphql', async (route: Route) => {
    if (!/query Mail\b/.test(route.request().postData() ?? '')) return route.fallback();
    const response = await route.fetch();
    return route.fulfill({ response, body: (await response.text()).replace('"isMailConfigured":false', '"isMailConfigured":true') });
  });
}

/** Proves the address of somebody, by the API. */
async function prove(service: string, { email }: Person, data: string): Promise<void> {
  await post(`${service}/auth/verify-email`, { token: await tokenFor(email, 'verify-email', data) });
}

/** Another browser, in which nobody is signed in. */
async function otherBrowser(browser: Browser, service: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: service, locale: 'en-GB' });
  return context.newPage();
}

for (const hand of HANDS) {
  test.describe(hand, () => {
    test('a new user is asked to confirm the address, gets another mail, and opens its link', async ({ page, context, person, data }) => {
      await claimMail(page);
      await signIn(page, person);
      await expect(banner(page)).toBeVisible();
      await press(hand, banner(page).getByRole('button', { name: 'Close' }));
      await expect(banner(page)).toBeHidden();
      await page.reload();
      await settled(page);
      await expect(banner(page)).toBeHidden();

      await page.goto('/app/settings');
      await expect(unproved(page)).toBeVisible();
      await tokenFor(person.email, 'verify-email', data);
      await press(hand, page.getByRole('button', { name: 'Send the mail again' }));
      await expect(page.locator('.toast')).toHaveText(`A mail is on its way to ${person.email}`);
      const token = await tokenFor(person.email, 'verify-email', data, 2);

      const second = await context.newPage();
      await second.goto(`/app/verify-email?token=${token}`);
      await expect(proved(second)).toBeVisible();
      await expect(second).toHaveURL('/app/verify-email');
      // The other tab learns it.
      await expect(unproved(page)).toBeHidden();
      await press(hand, second.getByRole('link', { name: 'Go to the settings' }));
      await expect(second.getByRole('heading', { name: 'Profile' })).toBeVisible();
      await expect(unproved(second)).toBeHidden();
      await second.goto(`/app/verify-email?token=${token}`);
      await expect(second.getByText('This link was used before', { exact: false })).toBeVisible();
      await expect(second.getByRole('link', { name: 'Go to the settings' })).toBeVisible();
    });

    test('the banner sends the mail again, and its link works for whoever is not signed in', async ({ page, browser, person, service, data }) => {
      await claimMail(page);
      await signIn(page, person, '/app/links');
      await tokenFor(person.email, 'verify-email', data);
      await press(hand, banner(page).getByRole('button', { name: 'Send the mail again' }));
      await expect(page.locator('.toast')).toHaveText(`A mail is on its way to ${person.email}`);
      await expect(banner(page)).toBeHidden();
      const other = await otherBrowser(browser, service);
      await other.goto(`/app/verify-email?token=${await tokenFor(person.email, 'verify-email', data, 2)}`);
      await expect(proved(other)).toBeVisible();
      await press(hand, other.getByRole('link', { name: 'Sign in' }));
      await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible();
      await other.context().close();
      await page.goto('/app/settings');
      await settled(page);
      await expect(unproved(page)).toBeHidden();
    });

    test('another address waits for its proof, and the old one takes it back', async ({ page, context, person, service, data, allowed }) => {
      allowed.push(REFUSED);
      await prove(service, person, data);
      await signIn(page, person, '/app/settings');
      const email = `${unique('king')}@example.com`;
      const change = async () => {
        await press(hand, page.getByRole('button', { name: 'Change the e-mail address' }));
        const dialog = page.getByRole('dialog', { name: 'Change the e-mail address' });
        await type(hand, dialog.getByLabel('New e-mail address'), email);
        await type(hand, dialog.getByLabel('Current password'), person.password);
        await press(hand, dialog.getByRole('button', { name: 'Save' }));
        await expect(dialog).toBeHidden();
        await expect(page.locator('.toast').last()).toHaveText(`A mail is on its way to ${email}`);
        await expect(waiting(page, email)).toContainText(`Until then you sign in with ${person.email}.`);
      };
      await change();
      await post(`${service}/auth/login`, person);
      await tokenFor(email, 'verify-email', data);
      await press(hand, page.getByRole('button', { name: 'Keep the old one' }));
      const keep = page.getByRole('dialog', { name: 'Keep the old e-mail address?' });
      await type(hand, keep.getByLabel('Current password'), 'not the right one');
      await press(hand, keep.getByRole('button', { name: 'Keep it' }));
      await expect(keep.getByText('This is not your current password.')).toBeVisible();
      await type(hand, keep.getByLabel('Current password'), person.password);
      await press(hand, keep.getByRole('button', { name: 'Keep it' }));
      await expect(keep).toBeHidden();
      await expect(waiting(page, email)).toBeHidden();

      await change();
      await tokenFor(email, 'verify-email', data, 2);
      await press(hand, page.getByRole('button', { name: 'Send again' }));
      const token = await tokenFor(email, 'verify-email', data, 3);
      await page.goto(`/app/verify-email?token=${token}`);
      await expect(proved(page)).toBeVisible();
      await press(hand, page.getByRole('link', { name: 'Go to the settings' }));
      await expect(page.getByRole('definition').filter({ hasText: email })).toBeVisible();
      await post(`${service}/auth/login`, { ...person, email });
      await expect(post(`${service}/auth/login`, person)).rejects.toThrow('401');

      const second = await context.newPage();
      await second.goto(`/app/undo-email?token=${await tokenFor(person.email, 'undo-email', data)}`);
      await expect(second).toHaveURL('/app/undo-email');
      await press(hand, second.getByRole('button', { name: 'Take it back' }));
      await expect(second.getByText('You have the old address back', { exact: false })).toBeVisible();
      // All sessions have ended, here too.
      await page.waitForURL('**/app/login');
      await press(hand, second.getByRole('link', { name: 'Back to sign in' }));
      await expect(second.getByRole('heading', { name: 'Sign in' })).toBeVisible();
      await expect(post(`${service}/auth/login`, { ...person, email })).rejects.toThrow('401');
      await expect(post(`${service}/auth/login`, person)).rejects.toThrow('401');

      const password = 'an even better passphrase';
      await page.goto(`/app/reset?token=${await tokenFor(person.email, 'reset-password', data)}`);
      await type(hand, page.getByLabel('New password', { exact: true }), password);
      await press(hand, page.getByRole('button', { name: 'Set the password' }));
      await expect(page.getByText('Your new password is set.', { exact: false })).toBeVisible();
      await post(`${service}/auth/login`, { email: person.email, password });
    });
  });
}

test.describe('the proof of an address', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('is accessible in each of its states', async ({ page, person, service, data, allowed }) => {
    test.setTimeout(240_000);
    allowed.push(REFUSED);
    const seen = async (what: string, target: Locator) => {
      await expect(target).toBeVisible();
      await settled(page);
      await examine(page, what, ALL);
    };
    for (const door of ['verify-email', 'undo-email']) {
      await page.goto(`/app/${door}`);
      await seen(`${door} without a token`, page.getByText('lacks the token', { exact: false }));
      await page.goto('/app/login');
    }
    await page.goto('/app/verify-email?token=none');
    await seen('a link that is spent', page.getByText('This link was used before', { exact: false }));
    await page.goto('/app/undo-email?token=none');
    await page.getByRole('button', { name: 'Take it back' }).click();
    await seen('undoing, a link that is spent', page.getByRole('alert'));
    const refuse = (code: string) => (route: Route) =>
      route.fulfill({ json: { data: null, errors: [{ message: 'Refused.', extensions: { code } }] } });
    for (const [code, told] of [
      ['CONFLICT', 'Another account has this address by now.'],
      ['INTERNAL_ERROR', 'The fault is ours'],
    ] as const) {
      await page.route('**/graphql', refuse(code));
      await page.goto(`/app/verify-email?token=${code}`);
      await seen(`a proof, ${code}`, page.getByText(told, { exact: false }));
      await page.unroute('**/graphql');
    }
    // It can be tried again.
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('This link was used before', { exact: false })).toBeVisible();

    await claimMail(page);
    await signIn(page, person, '/app/settings');
    await seen('an address that is not proved', banner(page));
    await expect(unproved(page)).toBeVisible();
    await page.goto(`/app/verify-email?token=${await tokenFor(person.email, 'verify-email', data)}`);
    await seen('a proof', proved(page));
    // The page is made anew in another language, and says the same.
    await page.getByRole('button', { name: 'Theme, Language' }).click();
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await expect(page.getByText('Ihre E-Mail-Adresse ist bestätigt.', { exact: false })).toBeVisible();
    await page.evaluate(() => localStorage.setItem('linkgraph.locale', 'en'));

    const email = `${unique('pending')}@example.com`;
    const { accessToken } = await post(`${service}/auth/login`, person);
    await post(`${service}/me`, { email, currentPassword: person.password }, accessToken, 'PATCH');
    await page.goto('/app/settings');
    await seen('an address that waits', waiting(page, email));
    await page.getByRole('button', { name: 'Keep the old one' }).click();
    await seen('keeping the old address', page.getByRole('dialog'));
    await post(`${service}/auth/verify-email`, { token: await tokenFor(email, 'verify-email', data) });
    await page.goto(`/app/undo-email?token=${await tokenFor(person.email, 'undo-email', data)}`);
    await seen('undoing', page.getByRole('button', { name: 'Take it back' }));
    await page.getByRole('button', { name: 'Take it back' }).click();
    await seen('undone', page.getByText('You have the old address back', { exact: false }));
  });
});
