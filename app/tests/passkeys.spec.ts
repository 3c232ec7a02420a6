// Passkeys, of an authenticator that Chromium has for tests: added, alone, after the password, as proof, removed.
import type { Locator, Page } from '@playwright/test';
import { demandProof } from './authenticator.ts';
import { ALL, examine } from './axe.ts';
import { expect, type Hand, HANDS, press, signIn, test, type } from './fixtures.ts';
import { settled } from './pages.ts';

// Browsers have no passkeys for addresses.
test.use({ host: 'localhost' });
test.skip(process.env.LINKGRAPH_URL !== undefined, 'needs a service whose host has a name');

/** What the browser says of a login that needs a second factor. */
const REFUSED = /status of 401/;
/** The service does not know Chromium without a screen. */
const NAME = 'My passkey';

const passkeyButton = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' });
const usePasskey = (page: Page) => page.getByRole('button', { name: 'Use a passkey' });
const overview = (page: Page) => page.getByRole('heading', { name: 'Overview', level: 1 });
const rows = (page: Page) => page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');

/** A device of the user that has passkeys; `verify` has it find that somebody else holds it. */
async function device(page: Page): Promise<{ verify(isUser: boolean): Promise<void> }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    verify: (isUserVerified) => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }) as Promise<unknown> as Promise<void>,
  };
}

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

async function seen(page: Page, what: string, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  await settled(page);
  await examine(page, what, ALL);
}

/** Adds a passkey in the settings, and answers the recovery codes of the first one. */
async function add(hand: Hand, page: Page): Promise<string[]> {
  await press(hand, page.getByRole('button', { name: 'Add a passkey' }));
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await expect(dialog.getByLabel('What you call it')).toHaveValue(NAME);
  await press(hand, dialog.getByRole('button', { name: 'Add', exact: true }));
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  const kept = await codes.getByRole('listitem').allInnerTexts();
  await press(hand, codes.getByRole('checkbox', { name: 'I have kept them' }));
  await press(hand, codes.getByRole('button', { name: 'Done' }));
  await expect(codes).toBeHidden();
  return kept;
}

for (const hand of HANDS) {
  test.describe(hand, () => {
    test('a passkey is added, signs in alone and after the password, and is removed', async ({ page, person, allowed }) => {
      allowed.push(REFUSED);
      await device(page);
      await signIn(page, person, '/app/settings');
      await expect(page.getByText('None yet. A passkey signs you in')).toBeVisible();
      const codes = await add(hand, page);
      expect(codes).toHaveLength(10);
      await expect(rows(page)).toHaveCount(1);
      await expect(page.getByText('Off. Your passkeys take its place.')).toBeVisible();
      await expect(page.getByText('10 of 10 left')).toBeVisible();
      // The device has one of this user already.
      await press(hand, page.getByRole('button', { name: 'Add a passkey' }));
      const again = page.getByRole('dialog', { name: 'Add a passkey' });
      await press(hand, again.getByRole('button', { name: 'Add', exact: true }));
      await expect(again.getByText('There is a passkey of yours already')).toBeVisible();
      await page.keyboard.press('Escape');

      await signOut(hand, page);
      await press(hand, passkeyButton(page));
      await expect(overview(page)).toBeVisible();

      await signOut(hand, page);
      await type(hand, page.getByLabel('E-mail address'), person.email);
      await type(hand, page.getByLabel('Password', { exact: true }), person.password);
      await press(hand, page.getByRole('button', { name: 'Sign in', exact: true }));
      await press(hand, usePasskey(page));
      await expect(overview(page)).toBeVisible();

      // A recovery code takes its place.
      await signOut(hand, page);
      await type(hand, page.getByLabel('E-mail address'), person.email);
      await type(hand, page.getByLabel('Password', { exact: true }), person.password);
      await press(hand, page.getByRole('button', { name: 'Sign in', exact: true }));
      await type(hand, page.getByLabel('One of your recovery codes'), codes[0]!);
      await press(hand, page.getByRole('button', { name: 'Sign in', exact: true }));
      await expect(overview(page)).toBeVisible();

      await page.goto('/app/settings');
      await expect(page.getByText('9 of 10 left')).toBeVisible();
      await expect(rows(page).getByText('last used')).toBeVisible();
      await demandProof(page, 'RemovePasskey');
      await press(hand, page.getByRole('button', { name: 'Remove the passkey' }));
      const remove = page.getByRole('dialog', { name: 'Remove the passkey' });
      await expect(remove.getByText('your password alone does')).toBeVisible();
      await press(hand, remove.getByRole('button', { name: 'Remove', exact: true }));
      await press(hand, page.getByRole('dialog', { name: 'Is it you?' }).getByRole('button', { name: 'Use a passkey' }));
      await expect(page.getByText('None yet. A passkey signs you in')).toBeVisible();
      await expect(page.getByText('Off. Your password alone signs you in.')).toBeVisible();

      await signOut(hand, page);
      await press(hand, passkeyButton(page));
      await expect(page.getByText('This passkey is not known here')).toBeVisible();
    });
  });
}

test('each state with a passkey is accessible', async ({ page, person, allowed }) => {
  test.setTimeout(240_000);
  allowed.push(REFUSED);
  const phone = await device(page);
  await signIn(page, person, '/app/settings');
  await seen(page, 'settings without a passkey', page.getByText('None yet. A passkey signs you in'));
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await seen(page, 'adding', dialog.getByLabel('What you call it'));
  await phone.verify(false);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await seen(page, 'none was made', dialog.getByText('No passkey was made'));
  await phone.verify(true);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await add('mouse', page);
  await seen(page, 'settings with a passkey', rows(page));
  await demandProof(page, 'RenewRecoveryCodes');
  await page.getByRole('button', { name: 'New codes for recovery' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make new ones' }).click();
  const proof = page.getByRole('dialog', { name: 'Is it you?' });
  // The button below waits for the proof.
  await expect(usePasskey(page)).toBeVisible();
  await examine(page, 'the proof by passkey', ALL);
  await proof.getByRole('button', { name: 'Cancel' }).click();
  await page.keyboard.press('Escape');

  await signOut('mouse', page);
  await seen(page, 'the login', passkeyButton(page));
  await phone.verify(false);
  await passkeyButton(page).click();
  await seen(page, 'no passkey was given', page.getByText('No passkey was given'));
  await page.getByLabel('E-mail address').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.keyboard.press('Enter');
  await seen(page, 'the second step', usePasskey(page));
  await usePasskey(page).click();
  await seen(page, 'the second step without a passkey', page.getByText('No passkey was given'));
  // The first step is too long ago.
  await page.route('**/auth/passkey/start', (route) => route.fulfill({ status: 401, json: { error: { code: 'UNAUTHENTICATED', message: 'Refused.' } } }));
  await usePasskey(page).click();
  await seen(page, 'the passkey came too late', page.getByText('That took too long.'));
});
