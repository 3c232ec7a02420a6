// The second factor: set up, asked for, replaced by a recovery code, turned off. And the proof that some changes need.
import { readFileSync } from 'node:fs';
import type { Locator, Page, Route } from '@playwright/test';
import { Authenticator, demandProof, secure } from './authenticator.ts';
import { ALL, examine } from './axe.ts';
import { expect, type Hand, HANDS, type Person, post, press, signIn, test, type } from './fixtures.ts';
import { settled } from './pages.ts';

/** What the browser says of a login that needs a code, or of a wrong one. */
const REFUSED = /status of (401|429)/;

const codeField = (page: Page) => page.getByLabel('Code from your authenticator app');
const passwordField = (page: Page) => page.getByLabel('Password', { exact: true });
const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in' });
const overview = (page: Page) => page.getByRole('heading', { name: 'Overview', level: 1 });
const recoveryCodes = (page: Page) => page.getByRole('dialog', { name: 'Your recovery codes' });
const proof = (page: Page) => page.getByRole('dialog', { name: 'Is it you?' });

async function signOut(hand: Hand, page: Page): Promise<void> {
  await press(hand, page.getByRole('button', { name: 'Account', exact: true }));
  const out = page.getByRole('menuitem', { name: 'Sign out' });
  if (hand === 'keyboard') {
    await page.keyboard.press('End');
    await expect(out).toBeFocused();
    await page.keyboard.press('Enter');
  } else await out.click();
  await page.waitForURL('**/app/login');
}

/** The first step of signing in, on the page that has it. */
async function givePassword(hand: Hand, page: Page, { email, password }: Person): Promise<void> {
  await type(hand, page.getByLabel('E-mail address'), email);
  await type(hand, passwordField(page), password);
  await press(hand, signInButton(page));
}

async function giveCode(hand: Hand, page: Page, code: string): Promise<void> {
  await expect(codeField(page)).toBeFocused();
  await type(hand, codeField(page), code);
  await press(hand, signInButton(page));
}

/** Says that the codes are kept, and answers them. */
async function keepCodes(hand: Hand, page: Page): Promise<string[]> {
  const dialog = recoveryCodes(page);
  const codes = await dialog.getByRole('listitem').allInnerTexts();
  expect(codes).toHaveLength(10);
  const done = dialog.getByRole('button', { name: 'Done' });
  await expect(done).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  await press(hand, dialog.getByRole('checkbox', { name: 'I have kept them' }));
  await press(hand, done);
  await expect(dialog).toBeHidden();
  return codes;
}

/** The second step is answered by an error, once. */
async function refuseCode(page: Page, status: number, code: string, headers = {}): Promise<void> {
  let isDone = false;
  await page.route('**/auth/session', (route: Route) => {
    if (isDone || !route.request().postData()?.includes('"challenge"')) return route.fallback();
    isDone = true;
    return route.fulfill({ status, headers, json: { error: { code, message: 'Refused.' } } });
  });
}

for (const hand of HANDS) {
  test.describe(hand, () => {
    test('an authenticator app is set up, asked for, replaced by a recovery code, and turned off', async ({ page, person, allowed }) => {
      allowed.push(REFUSED);
      await signIn(page, person, '/app/settings');
      await expect(page.getByText('Off. Your password alone signs you in.')).toBeVisible();
      await press(hand, page.getByRole('button', { name: 'Set up an authenticator app' }));
      const setUp = page.getByRole('dialog', { name: 'Set up an authenticator app' });
      await expect(setUp.getByRole('img', { name: /^QR code/ })).toBeVisible();
      const secret = await setUp.locator('code').innerText();
      expect(secret).toMatch(/^([A-Z2-7]{4} )+[A-Z2-7]{1,4}$/);
      await press(hand, setUp.getByRole('button', { name: 'Copy the key' }));
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(secret.replaceAll(' ', ''));
      const app = new Authenticator(secret);
      const digits = setUp.getByLabel('The six digits that the app shows');
      await type(hand, digits, '000000');
      await press(hand, setUp.getByRole('button', { name: 'Turn on' }));
      await expect(setUp.getByText('This code is wrong')).toBeVisible();
      await expect(digits).toBeFocused();
      // As apps show it.
      await type(hand, digits, (await app.next()).replace(/^.../, '$& '));
      await press(hand, setUp.getByRole('button', { name: 'Turn on' }));

      await press(hand, recoveryCodes(page).getByRole('button', { name: 'Copy' }));
      const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
      await expect.poll(clipboard).toContain('-');
      const copied = await clipboard();
      const downloaded = page.waitForEvent('download');
      await press(hand, recoveryCodes(page).getByRole('button', { name: 'Download' }));
      const file = readFileSync(await (await downloaded).path(), 'utf8');
      const codes = await keepCodes(hand, page);
      expect(copied.trim().split('\n')).toEqual(codes);
      expect(file).toContain(copied);
      expect(file).toContain(person.email);
      await expect(page.getByText('10 of 10 left')).toBeVisible();
      await expect(page.getByText(/^On since/)).toBeVisible();

      await signOut(hand, page);
      await givePassword(hand, page, person);
      await expect(codeField(page)).toBeFocused();
      await press(hand, page.getByRole('button', { name: 'Back' }));
      await expect(page.getByLabel('E-mail address')).toHaveValue(person.email);
      await givePassword(hand, page, person);
      await giveCode(hand, page, '000000');
      await expect(page.getByText('This code is wrong')).toBeVisible();
      await giveCode(hand, page, await app.next());
      await expect(overview(page)).toBeVisible();

      await signOut(hand, page);
      await givePassword(hand, page, person);
      await giveCode(hand, page, codes[0]!.toUpperCase());
      await expect(overview(page)).toBeVisible();
      await page.goto('/app/settings');
      await expect(page.getByText('9 of 10 left')).toBeVisible();
      await press(hand, page.getByRole('button', { name: 'New codes for recovery' }));
      await press(hand, page.getByRole('dialog').getByRole('button', { name: 'Make new ones' }));
      await expect(recoveryCodes(page)).toBeVisible();
      const newCodes = await keepCodes(hand, page);
      expect(newCodes.filter((code) => codes.includes(code))).toEqual([]);
      await expect(page.getByText('10 of 10 left')).toBeVisible();

      await press(hand, page.getByRole('button', { name: 'Turn off the authenticator app' }));
      await press(hand, page.getByRole('dialog').getByRole('button', { name: 'Turn off' }));
      await expect(page.getByText('Off. Your password alone signs you in.')).toBeVisible();
      if (hand === 'keyboard') await expect(page.getByRole('group', { name: 'How you sign in' })).toBeFocused();
      await signOut(hand, page);
      await givePassword(hand, page, person);
      await expect(overview(page)).toBeVisible();
    });

    test('a session that is over asks for the code, too, and the form goes on', async ({ page, person, service, allowed }) => {
      allowed.push(REFUSED);
      const { app, token } = await secure(service, person);
      await page.goto('/app/login?next=%2Fapp%2Fsettings');
      await givePassword(hand, page, person);
      await giveCode(hand, page, await app.next());
      await press(hand, page.getByRole('button', { name: 'Change the name' }));
      const form = page.getByRole('dialog', { name: 'Change the name' });
      await type(hand, form.getByLabel('Name'), 'Ada King');
      const password = 'an even better passphrase';
      await post(`${service}/me`, { password, currentPassword: person.password }, token, 'PATCH');
      await press(hand, form.getByRole('button', { name: 'Save' }));
      const over = page.getByRole('dialog', { name: 'Your session is over' });
      await type(hand, over.getByLabel('Password', { exact: true }), password);
      await press(hand, over.getByRole('button', { name: 'Sign in' }));
      await giveCode(hand, page, await app.next());
      await expect(over).toBeHidden();
      await expect(form).toBeHidden();
      await expect(page.getByRole('definition').filter({ hasText: 'Ada King' })).toBeVisible();
    });

    test('a change that needs a proof asks for the code, and is then made', async ({ page, person, service, allowed }) => {
      allowed.push(REFUSED);
      const { codes } = await secure(service, person);
      await page.goto('/app/login?next=%2Fapp%2Fdevelopers');
      await givePassword(hand, page, person);
      await giveCode(hand, page, codes[0]!);
      await demandProof(page, 'CreateApiKey');
      await press(hand, page.getByRole('button', { name: 'New API key' }).first());
      const form = page.getByRole('dialog', { name: 'New API key' });
      await type(hand, form.getByLabel('Name'), 'Shop');
      const create = form.getByRole('button', { name: 'Create the key' });
      await press(hand, create);
      await expect(codeField(page)).toBeFocused();
      await press(hand, proof(page).getByRole('button', { name: 'Cancel' }));
      await expect(form.getByRole('alert')).toContainText('first you have to prove that it is you');
      await expect(form.getByLabel('Name')).toHaveValue('Shop');

      await demandProof(page, 'CreateApiKey');
      await press(hand, create);
      await type(hand, codeField(page), '000000');
      await press(hand, proof(page).getByRole('button', { name: 'Go on' }));
      await expect(proof(page).getByText('This code is wrong')).toBeVisible();
      await type(hand, codeField(page), codes[1]!);
      await press(hand, proof(page).getByRole('button', { name: 'Go on' }));
      await expect(proof(page)).toBeHidden();
      await expect(form).toBeHidden();
      await expect(page.getByRole('dialog')).toContainText('shown');
    });

    test('without a second factor, the proof is the password', async ({ page, person }) => {
      await signIn(page, person, '/app/settings');
      await demandProof(page, 'StartTotp');
      const setUp = page.getByRole('button', { name: 'Set up an authenticator app' });
      await press(hand, setUp);
      await press(hand, proof(page).getByRole('button', { name: 'Cancel' }));
      const toast = page.locator('.toast.error');
      await expect(toast).toContainText('first you have to prove that it is you');
      await press(hand, toast.getByRole('button', { name: 'Close' }));

      await demandProof(page, 'StartTotp');
      await press(hand, setUp);
      await expect(passwordField(page)).toBeFocused();
      await type(hand, passwordField(page), 'not the right one');
      await press(hand, proof(page).getByRole('button', { name: 'Go on' }));
      await expect(proof(page).getByText('This is not your password.')).toBeVisible();
      await type(hand, passwordField(page), person.password);
      await press(hand, proof(page).getByRole('button', { name: 'Go on' }));
      await expect(proof(page)).toBeHidden();
      await expect(page.getByRole('dialog', { name: 'Set up an authenticator app' })).toBeVisible();
    });
  });
}

test('a code that comes too late leads back to the password, and too many say until when', async ({ page, person, service, allowed }) => {
  allowed.push(REFUSED);
  const { codes } = await secure(service, person);
  await page.goto('/app/login');
  await givePassword('mouse', page, person);
  await refuseCode(page, 401, 'UNAUTHENTICATED');
  await giveCode('mouse', page, codes[0]!);
  await expect(page.getByRole('alert')).toContainText('That took too long.');
  await expect(page.getByLabel('E-mail address')).toHaveValue(person.email);
  await expect(passwordField(page)).toBeFocused();
  await givePassword('mouse', page, person);
  await refuseCode(page, 429, 'RATE_LIMITED', { 'retry-after': '90' });
  await giveCode('mouse', page, codes[0]!);
  await expect(page.getByRole('alert')).toContainText(/Too many requests\. Again in \d+ seconds\./);
  await expect(codeField(page)).toHaveValue(codes[0]!);
  await signInButton(page).click();
  await expect(overview(page)).toBeVisible();
});

test.describe('the second factor', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('is accessible in each of its states', async ({ page, person, allowed }) => {
    test.setTimeout(240_000);
    allowed.push(REFUSED);
    const seen = async (what: string, target: Locator) => {
      await expect(target).toBeVisible();
      await settled(page);
      await examine(page, what, ALL);
    };
    /** The button below waits for the proof. */
    const seenAbove = async (what: string, target: Locator) => {
      await expect(target).toBeFocused();
      await examine(page, what, ALL);
    };
    await signIn(page, person, '/app/settings');
    await demandProof(page, 'StartTotp');
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    await seenAbove('the proof by password', passwordField(page));
    await passwordField(page).fill(person.password);
    await page.keyboard.press('Enter');
    const setUp = page.getByRole('dialog', { name: 'Set up an authenticator app' });
    await seen('setting up', setUp.getByRole('img', { name: /^QR code/ }));
    const app = new Authenticator(await setUp.locator('code').innerText());
    await setUp.getByLabel('The six digits').fill('000000');
    await page.keyboard.press('Enter');
    await seen('setting up, wrong code', setUp.getByText('This code is wrong'));
    await setUp.getByLabel('The six digits').fill(await app.next());
    await page.keyboard.press('Enter');
    await seen('the recovery codes', recoveryCodes(page));
    await keepCodes('mouse', page);
    await seen('security, on', page.getByText('10 of 10 left'));
    await demandProof(page, 'RenewRecoveryCodes');
    await page.getByRole('button', { name: 'New codes for recovery' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make new ones' }).click();
    await seenAbove('the proof by code', codeField(page));
    await proof(page).getByRole('button', { name: 'Cancel' }).click();
    await seen('recovery codes, no proof', page.getByRole('alert').filter({ hasText: 'prove that it is you' }));
    await page.keyboard.press('Escape');

    // Few are left.
    await page.route('**/graphql', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('"recoveryCodesLeft":10', '"recoveryCodesLeft":2') });
    });
    await page.reload();
    await seen('security, few recovery codes', page.getByText('2 of 10 left'));
    await page.unroute('**/graphql');
    await signOut('mouse', page);
    await givePassword('mouse', page, person);
    await seen('the step with the code', codeField(page));
    await codeField(page).fill('000000');
    await page.keyboard.press('Enter');
    await seen('the step with the code, wrong', page.getByText('This code is wrong'));
    await refuseCode(page, 401, 'UNAUTHENTICATED');
    await codeField(page).press('Enter');
    await seen('the code came too late', page.getByText('That took too long.'));
  });
});
