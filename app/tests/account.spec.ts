import type { Browser, Page } from '@playwright/test';
import { createLink, expect, HANDS, type Hand, post, press, signIn, test, type, unique } from './fixtures.ts';
import { tokenFor } from './mails.ts';

const visit = (url: string) => fetch(url, { redirect: 'manual' });

/** Another browser of the same person: it shares nothing with the first. */
async function otherBrowser(browser: Browser, service: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: service, locale: 'en-GB' });
  return context.newPage();
}

/** Presses a button on a page of the sandbox, which takes the payments, and waits for what is shown then. */
async function atProvider(hand: Hand, page: Page, button: string | RegExp, shown: string | RegExp): Promise<void> {
  await page.waitForURL('**/billing/sandbox/**');
  await press(hand, page.getByRole('button', { name: button }));
  await expect(page.getByText(shown).first()).toBeVisible();
}

for (const hand of HANDS) {
  test.describe(hand, () => {
    test('J7: buys a plan, a payment fails and is made up for, and the portal ends it', async ({ page, person }) => {
      await signIn(page, person, '/app/billing');
      await expect(page.getByText('You pay nothing.', { exact: false })).toBeVisible();
      await press(hand, page.getByRole('button', { name: 'Choose Pro' }));
      await atProvider(hand, page, /^Pay/, 'Thank you');
      await press(hand, page.getByRole('link', { name: 'See it in the billing' }));
      await expect(page.getByText('Pro is yours from now on.', { exact: false })).toBeVisible();
      const state = page.getByRole('region', { name: 'Your plan' });
      await expect(state).toContainText('€9 a month');
      await expect(state).toContainText('Next payment');
      await expect(page.getByRole('row').filter({ hasText: 'Paid' })).toContainText('€9.00');
      await expect(page.getByRole('region', { name: 'Usage' })).toContainText('0 of 50,000');

      await press(hand, state.getByRole('button', { name: 'Manage subscription' }));
      await atProvider(hand, page, 'Let the next payment fail now', 'the last payment failed');
      await page.goto('/app/billing');
      const alert = page.getByRole('alert').filter({ hasText: 'The last payment failed.' });
      const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(Date.now() + 14 * 86_400_000);
      await expect(alert).toContainText(day);
      await press(hand, alert.getByRole('link', { name: 'Pay now' }));
      await atProvider(hand, page, 'Pay', /^paid$/);
      await page.goto('/app/billing');
      await expect(state).toContainText('Active');
      await expect(alert).toBeHidden();

      await press(hand, state.getByRole('button', { name: 'Manage subscription' }));
      await atProvider(hand, page, 'Cancel at the end of the period', 'ends with this period');
      await page.goto('/app/billing');
      await expect(state).toContainText('Canceled');
      await expect(state).toContainText('Pro ends on');
    });

    test('J8: forgets the password, sets another, and all other sessions end', async ({ page, browser, person, service, data }) => {
      const other = await otherBrowser(browser, service);
      await signIn(other, person, '/app/links');

      await page.goto('/app/login');
      await press(hand, page.getByRole('link', { name: 'Forgot your password?' }));
      // The page to sign in has a field of the same name, and is shown until this one has come.
      const send = page.getByRole('button', { name: 'Send the mail' });
      await expect(send).toBeVisible();
      await type(hand, page.getByLabel('E-mail address'), person.email);
      await press(hand, send);
      await expect(page.getByText('a mail is on its way', { exact: false })).toContainText(person.email);

      const token = await tokenFor(person.email, 'reset-password', data);
      await page.goto(`/app/reset?token=${token}`);
      await expect(page).not.toHaveURL(/token/);
      const password = 'an even better passphrase';
      await type(hand, page.getByLabel('New password', { exact: true }), password);
      await press(hand, page.getByRole('button', { name: 'Set the password' }));
      await expect(page.getByText('All other sessions have ended.', { exact: false })).toBeVisible();
      await expect(other.getByRole('dialog', { name: 'Your session is over' })).toBeVisible();
      await other.context().close();

      await press(hand, page.getByRole('link', { name: 'Back to sign in' }));
      await type(hand, page.getByLabel('E-mail address'), person.email);
      await type(hand, page.getByLabel('Password', { exact: true }), password);
      await press(hand, page.getByRole('button', { name: 'Sign in' }));
      await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
    });

    test('J12: deletes the account, and its links answer 404', async ({ page, person, service }) => {
      const slug = unique('gone');
      await createLink(service, person, slug, 'https://example.com/gone');
      expect((await visit(`${service}/${slug}`)).status).toBeLessThan(400);
      await signIn(page, person, '/app/settings');

      await press(hand, page.getByRole('button', { name: 'Delete the account…' }));
      const dialog = page.getByRole('dialog', { name: 'Delete the account?' });
      await expect(dialog).toContainText('1 link');
      const confirmation = dialog.getByLabel(`Type ${person.email} to confirm`);
      await type(hand, confirmation, 'eve@example.com');
      await type(hand, dialog.getByLabel('Current password'), 'not her password');
      await press(hand, dialog.getByRole('button', { name: 'Delete everything' }));
      await expect(dialog.getByText('This is not your e-mail address.')).toBeVisible();
      await type(hand, confirmation, person.email);
      await press(hand, dialog.getByRole('button', { name: 'Delete everything' }));
      await expect(dialog.getByText('This is not your current password.')).toBeVisible();
      expect((await visit(`${service}/${slug}`)).status).toBeLessThan(400);
      await type(hand, dialog.getByLabel('Current password'), person.password);
      await press(hand, dialog.getByRole('button', { name: 'Delete everything' }));

      await expect(page.getByRole('heading', { name: 'Your account is deleted' })).toBeVisible();
      await expect.poll(async () => (await visit(`${service}/${slug}`)).status).toBe(404);
      await page.goto('/app/settings');
      await page.waitForURL('**/app/login?next=*');
      await expect(post(`${service}/auth/login`, person)).rejects.toThrow('401');
    });

    test('J13b: ends the session of another browser, which is signed out within seconds', async ({ page, browser, person, service }) => {
      const other = await otherBrowser(browser, service);
      await signIn(other, person, '/app/links');
      await expect(other.getByRole('heading', { name: 'No links yet' })).toBeVisible();
      await signIn(page, person, '/app/settings');

      await expect(page.getByText('This browser', { exact: true })).toBeVisible();
      const end = page.getByRole('button', { name: /^End the session/ });
      if (hand === 'keyboard') {
        await page.keyboard.press('j');
        await expect(end).toBeFocused();
      }
      await press(hand, end);
      await expect(other.getByRole('dialog', { name: 'Your session is over' })).toBeVisible();
      await expect(page.getByText('You are signed in nowhere else.')).toBeVisible();
      await other.context().close();
    });

    test('a new password keeps this session alone, and a wrong one is told at its field', async ({ page, person, service }) => {
      await signIn(page, person, '/app/settings');
      await press(hand, page.getByRole('button', { name: 'Change the password' }));
      const dialog = page.getByRole('dialog', { name: 'Change the password' });
      await type(hand, dialog.getByLabel('Current password'), 'not the right one');
      await type(hand, dialog.getByLabel('New password'), 'an even better passphrase');
      await press(hand, dialog.getByRole('button', { name: 'Save' }));
      await expect(dialog.getByText('This is not your current password.')).toBeVisible();
      await expect(dialog.getByLabel('Current password')).toBeFocused();
      await type(hand, dialog.getByLabel('Current password'), person.password);
      await press(hand, dialog.getByRole('button', { name: 'Save' }));
      await expect(dialog).toBeHidden();

      // The page goes on with the token of the answer.
      await press(hand, page.getByRole('button', { name: 'Change the name' }));
      await type(hand, page.getByRole('dialog').getByLabel('Name'), 'Ada King');
      await press(hand, page.getByRole('dialog').getByRole('button', { name: 'Save' }));
      await expect(page.getByRole('definition').filter({ hasText: 'Ada King' })).toBeVisible();
      const { user } = await post(`${service}/auth/login`, { email: person.email, password: 'an even better passphrase' });
      expect(user.name).toBe('Ada King');
    });
  });
}
