// Signing in by the company's identity provider, and by a link of the operator.
import type { Locator, Page, Route } from '@playwright/test';
import { demandProof, secure } from './authenticator.ts';
import { ALL, examine } from './axe.ts';
import { type Identity, provide, say } from './company.ts';
import { expect, HANDS, post, press, signIn, test, type } from './fixtures.ts';
import { settled } from './pages.ts';

/** What the browser says of a login that needs a code, of a link that is spent, or of a session that is over. */
const REFUSED = /status of 401/;

/** Each code by which somebody comes back to the login, and words that say what it is, and what to do. */
const FAILURES: Record<string, RegExp> = {
  cancelled: /Acme did not sign you in.*Try again/,
  failed: /did not work, or took longer than ten minutes. Try again/,
  unavailable: /Acme can’t be reached just now. Try again later/,
  address: /an account with your e-mail address already.*Sign in with your password, then connect/,
  noEmail: /Ask whoever manages Acme to release it/,
  closed: /registration is closed. Ask somebody who has one to invite you/,
  group: /None of your groups.*Ask whoever manages Acme/,
  suspended: /has suspended your account/,
  limited: /too many attempts. Try again in a minute/,
  somethingNew: /did not work, or took longer than ten minutes/,
  toString: /did not work, or took longer than ten minutes/,
};

const company = (page: Page) => page.getByRole('link', { name: 'Sign in with Acme', exact: true });
const passwordField = (page: Page) => page.getByLabel('Password', { exact: true });
const codeField = (page: Page) => page.getByLabel('Code from your authenticator app');
const byLink = (page: Page) => page.getByRole('button', { name: 'Sign in with the link' });
const links = (page: Page) => page.getByRole('heading', { name: 'Links', level: 1 });
const proof = (page: Page) => page.getByRole('dialog', { name: 'Is it you?' });
const connections = (page: Page) => page.getByRole('region', { name: 'Sign-in by company' });
const banner = (page: Page) => page.locator('main .banner').filter({ hasNotText: 'not confirmed yet' });

const identity = (provider: string, email: string | null): Identity => ({
  id: crypto.randomUUID(),
  provider,
  email,
  createdAt: '2026-01-02T03:04:05.000Z',
  lastUsedAt: new Date(Date.now() - 3 * 86_400_000).toISOString(),
});

for (const hand of HANDS) {
  test.describe(hand, () => {
    test('the company’s button leads to the page that was wanted', async ({ page, person }) => {
      await say(page, { companySignIn: 'Acme' });
      const asked = await provide(page, person);
      await page.goto('/app/links?search=spring&sort=OLDEST');
      await expect(passwordField(page)).toBeVisible();
      // By way of the other doors.
      await press(hand, page.getByRole('link', { name: 'Forgot your password?' }));
      await press(hand, page.getByRole('link', { name: 'Back to sign in' }));
      await press(hand, page.getByRole('link', { name: 'Create an account' }));
      await expect(company(page)).toBeVisible();
      await press(hand, page.getByRole('link', { name: 'Sign in', exact: true }));
      await press(hand, company(page));
      await page.waitForURL('/app/links?search=spring&sort=OLDEST');
      await expect(links(page)).toBeVisible();
      expect(asked.map(({ search }) => search)).toEqual(['?to=%2Fapp%2Flinks%3Fsearch%3Dspring%26sort%3DOLDEST']);
      await page.reload();
      await expect(links(page)).toBeVisible();
    });

    test('a second factor is asked for after the company’s sign-in', async ({ page, person, service, allowed }) => {
      allowed.push(REFUSED);
      const { app } = await secure(service, person);
      const headers = { 'x-linkgraph': '1' };
      const refused = await page.request.post('/auth/session', { data: { ...person, isPersistent: true }, headers });
      const { challenge } = (await refused.json()).error.details;
      await say(page, { companySignIn: 'Acme', hasPasswordLogin: false });
      await page.goto(`/app/login#${new URLSearchParams({ challenge, to: '/app/links' })}`);
      await expect(codeField(page)).toBeFocused();
      expect(page.url()).not.toContain(challenge);
      await press(hand, page.getByRole('button', { name: 'Back' }));
      await expect(company(page)).toHaveAttribute('href', '/auth/sign-in?to=%2Fapp%2Flinks');
      await page.goto(`/app/login#${new URLSearchParams({ challenge, to: '/app/links' })}`);
      await type(hand, codeField(page), await app.next());
      await press(hand, page.getByRole('button', { name: 'Sign in' }));
      await expect(links(page)).toBeVisible();
    });

    test('a link of the operator signs in once it is pressed, and asks for the code', async ({ page, person, service, node, allowed }) => {
      test.skip(!node, 'asks the operator');
      allowed.push(REFUSED);
      const { app } = await secure(service, person);
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/auth/session')) sent.push(request.postData() ?? '');
      });
      await say(page, { companySignIn: 'Acme', hasPasswordLogin: false });
      await page.goto('/app/login');
      await expect(company(page)).toBeVisible();
      // It is pasted where the page is open already.
      await page.evaluate(() => location.assign('#link=spent'));
      await expect(byLink(page)).toBeVisible();
      await expect(page).toHaveURL('/app/login');
      expect(sent).toEqual([]);
      await press(hand, byLink(page));
      await expect(page.getByRole('alert')).toContainText('This link was used before, or is too old. Ask the operator');

      const link = await node!.command('accounts', 'login-link', person.email);
      await page.goto('/app/farewell');
      await page.goto(link);
      await expect(byLink(page)).toBeVisible();
      await expect(page).toHaveURL('/app/login');
      await expect(company(page)).toHaveCount(0);
      expect(sent).toHaveLength(1);
      await press(hand, byLink(page));
      await type(hand, codeField(page), await app.next());
      await press(hand, page.getByRole('button', { name: 'Sign in' }));
      await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
      expect(JSON.parse(sent[1]!)).toEqual({ link: new URL(link).hash.replace('#link=', ''), isPersistent: false });
    });

    test('a sign-in by company is connected, and disconnected', async ({ page, person }) => {
      const told = { companySignIn: 'Acme', identities: [] as Identity[], provedAt: new Date().toISOString() };
      await say(page, told);
      const asked = await provide(page, person);
      await signIn(page, person, '/app/settings');
      await expect(connections(page)).toContainText('None is connected.');
      told.identities = [identity('Acme', 'ada@acme.example'), identity('Former', null)];
      await press(hand, connections(page).getByRole('button', { name: 'Connect Acme' }));
      await expect(banner(page)).toHaveText('Acme is connected: you can sign in with it from now on.');
      await expect(banner(page)).toBeInViewport();
      expect(asked.map(({ search }) => search)).toEqual(['?connect=1&to=%2Fapp%2Fsettings%3FsignIn%3Dconnected']);
      await expect(connections(page).getByRole('listitem').first()).toContainText('ada@acme.example');
      await expect(connections(page).getByRole('listitem').first()).toContainText(/Connected since 2 Jan.*last used 3 days ago/);

      const sent: unknown[] = [];
      await page.route('**/graphql', (route: Route) => {
        const { query, variables } = route.request().postDataJSON();
        if (!query.includes('mutation RemoveIdentity')) return route.fallback();
        sent.push(variables);
        told.identities = told.identities.filter(({ id }) => id !== variables.id);
        return route.fulfill({ json: { data: { removeIdentity: variables.id } } });
      });
      await demandProof(page, 'RemoveIdentity');
      const first = told.identities[0]!;
      await press(hand, page.getByRole('button', { name: 'Disconnect ada@acme.example' }));
      const dialog = page.getByRole('dialog', { name: 'Disconnect Acme?' });
      await expect(dialog).toContainText('You sign in with your password then.');
      await press(hand, dialog.getByRole('button', { name: 'Disconnect' }));
      // The proof is the password, or the provider's, which knows the user.
      await expect(proof(page).getByRole('link', { name: 'Sign in with Acme again' })).toHaveAttribute('href', '/auth/sign-in?again=1&to=%2Fapp%2Fsettings');
      await type(hand, passwordField(page), person.password);
      await press(hand, proof(page).getByRole('button', { name: 'Go on' }));
      await expect(page.getByRole('button', { name: 'Disconnect ada@acme.example' })).toHaveCount(0);
      expect(sent).toEqual([{ id: first.id }]);
      if (hand === 'keyboard') await expect(page.getByRole('group', { name: 'Connected sign-ins' })).toBeFocused();
      await press(hand, page.getByRole('button', { name: 'Disconnect Former' }));
      await press(hand, page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }));
      await expect(connections(page)).toContainText('None is connected.');
    });

    test('connecting asks for a proof if the last one is too old', async ({ page, person }) => {
      const told = { companySignIn: 'Acme', identities: [], provedAt: new Date(Date.now() - 20 * 60_000).toISOString() };
      await say(page, told);
      const asked = await provide(page, person);
      await signIn(page, person, '/app/settings');
      const connect = connections(page).getByRole('button', { name: 'Connect Acme' });
      await press(hand, connect);
      // Nothing is connected that could prove it.
      await expect(proof(page).getByRole('button', { name: 'Go on' })).toBeVisible();
      await expect(proof(page).getByRole('link')).toHaveCount(0);
      await press(hand, proof(page).getByRole('button', { name: 'Cancel' }));
      expect(asked).toHaveLength(0);

      // The clock of this machine may be wrong; the service says it then.
      told.provedAt = new Date().toISOString();
      await page.goto('/app/settings?signIn=proof');
      await expect(banner(page)).toContainText('first you have to prove that it is you. Press “Connect Acme” again.');
      await press(hand, connect);
      await type(hand, passwordField(page), person.password);
      await press(hand, proof(page).getByRole('button', { name: 'Go on' }));
      await expect(banner(page)).toContainText('Acme is connected');
      expect(asked).toHaveLength(1);
    });
  });
}

test('whoever comes back from the company without being signed in learns why', async ({ page, person: _user }) => {
  const told = { companySignIn: 'Acme', hasPasswordLogin: true };
  await say(page, told);
  for (const [code, words] of Object.entries(FAILURES)) {
    await page.goto(`/app/login?signIn=${code}&to=%2Fapp%2Flinks`);
    await expect(banner(page)).toHaveText(words);
    await expect(company(page)).toHaveAttribute('href', '/auth/sign-in?to=%2Fapp%2Flinks');
  }
  // It is told once.
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL('/app/login?next=%2Fapp%2Flinks');
  await expect(banner(page)).toHaveCount(0);
  told.hasPasswordLogin = false;
  await page.goto('/app/login?signIn=address');
  await expect(banner(page)).toContainText('Ask the operator of this service for a link that signs you in');
});

test('the company’s button opened in another tab signs in there', async ({ page, context, person }) => {
  await say(page, { companySignIn: 'Acme' });
  await page.goto('/app/login?next=%2Fapp%2Flinks');
  await company(page).click({ button: 'right' });
  const other = await context.newPage();
  await page.request.post('/auth/session', { data: { ...person, isPersistent: true }, headers: { 'x-linkgraph': '1' } });
  await other.goto('/app/links#signed-in');
  await expect(links(other)).toBeVisible();
});

test('without passwords there is the company’s button alone', async ({ page, person: _user }) => {
  await say(page, { companySignIn: 'Acme', hasPasswordLogin: false });
  for (const door of ['/app/login', '/app/register', '/app/invitation#token=none']) {
    await page.goto('/app/farewell');
    await page.goto(door);
    await expect(company(page)).toBeVisible();
    await settled(page);
    await expect(page.getByRole('textbox')).toHaveCount(0);
    for (const name of ['Forgot your password?', 'Create an account', 'Register']) await expect(page.getByRole('link', { name })).toHaveCount(0);
  }
  await expect(company(page)).toHaveAttribute('href', `/auth/sign-in?to=${encodeURIComponent('/app/invitation?token=none')}`);
});

test('without passwords a session that is over, and a proof, are the company’s', async ({ page, person, service, allowed }) => {
  allowed.push(REFUSED);
  const told = { companySignIn: 'Acme', hasPasswordLogin: true, hasPassword: true, identities: [identity('Acme', null)] };
  await say(page, told);
  const asked = await provide(page, person);
  await signIn(page, person, '/app/settings');
  told.hasPasswordLogin = false;
  told.hasPassword = false;
  await demandProof(page, 'StartTotp');
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  const again = proof(page).getByRole('link', { name: 'Sign in with Acme again' });
  await expect(again).toBeVisible();
  await expect(proof(page).getByRole('textbox')).toHaveCount(0);
  await examine(page, 'the proof by the company', ALL);
  await again.click();
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  expect(asked.map(({ search }) => search)).toEqual(['?again=1&to=%2Fapp%2Fsettings']);

  // The provider did not prove it.
  await page.goto('/app/developers?signIn=cancelled');
  await demandProof(page, 'CreateApiKey');
  await page.getByRole('button', { name: 'New API key' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('Shop');
  await page.getByRole('button', { name: 'Create the key' }).click();
  await expect(proof(page)).toContainText('Acme has not confirmed that it is you.');
  await expect(again).toHaveAttribute('href', '/auth/sign-in?again=1&to=%2Fapp%2Fdevelopers');
  await page.goto('/app/settings');

  const { accessToken } = await post(`${service}/auth/login`, person);
  const password = 'an even better passphrase';
  await post(`${service}/me`, { password, currentPassword: person.password }, accessToken, 'PATCH');
  person.password = password;
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  const over = page.getByRole('dialog', { name: 'Your session is over' });
  await expect(over.getByRole('textbox')).toHaveCount(0);
  await examine(page, 'a session that is over, by the company', ALL);
  await over.getByRole('link', { name: 'Sign in with Acme' }).click();
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  await expect(over).toHaveCount(0);
  await settled(page);
});

test('where a proxy alone says who it is, one presses a button', async ({ page, person, allowed }) => {
  allowed.push(REFUSED);
  await say(page, { companySignIn: null, hasPasswordLogin: false });
  await page.goto('/app/links');
  const button = page.getByRole('button', { name: 'Sign in' });
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await button.click();
  await expect(page.getByRole('alert')).toContainText('did not say who you are');
  await examine(page, 'a proxy that names nobody');
  await page.request.post('/auth/session', { data: { ...person, isPersistent: true }, headers: { 'x-linkgraph': '1' } });
  await button.click();
  await expect(links(page)).toBeVisible();
});

test.describe('the sign-in by company', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('is accessible in each of its states', async ({ page, person, allowed }) => {
    test.setTimeout(240_000);
    allowed.push(REFUSED);
    const seen = async (what: string, target: Locator) => {
      await expect(target).toBeVisible();
      await settled(page);
      await examine(page, what, ALL);
    };
    const name = 'Acme Analytical Engines and Sons, of Marylebone';
    const told = { companySignIn: name, hasPasswordLogin: true, identities: [] as Identity[] };
    await say(page, told);
    const link = page.getByRole('link', { name: `Sign in with ${name}` });
    await page.goto('/app/login?signIn=address');
    await seen('a door with both, and a failure', link);
    await page.goto('/app/invitation#token=none');
    await seen('an invitation with both', link);
    told.hasPasswordLogin = false;
    await page.goto('/app/login');
    await seen('a door without passwords', link);
    await page.evaluate(() => location.assign('#link=spent'));
    await seen('a link of the operator', byLink(page));
    await byLink(page).click();
    await seen('a link of the operator that is spent', page.getByRole('alert'));
    // The page is made anew in another language, and has the same link.
    await page.getByRole('button', { name: 'Theme, Language' }).click();
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await expect(page.getByRole('button', { name: 'Mit dem Link anmelden' })).toBeVisible();
    await page.evaluate(() => localStorage.setItem('linkgraph.locale', 'en'));

    told.hasPasswordLogin = true;
    await page.goto('/app/farewell');
    await signIn(page, person, '/app/settings?signIn=taken');
    await seen('no connection, and a failure', banner(page));
    told.identities = [identity(name, `${'ada'.repeat(12)}@example.com`), identity('Former', null)];
    await page.goto('/app/settings?signIn=connected');
    await seen('connections', connections(page).getByRole('list'));
    await page.getByRole('button', { name: 'Disconnect Former' }).click();
    await seen('disconnecting', page.getByRole('dialog'));
  });
});
