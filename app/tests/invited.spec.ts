// Registering with an invitation, while nobody else may register.
import type { Page } from '@playwright/test';
import { ALL, examine } from './axe.ts';
import { provide, say } from './company.ts';
import { expect, type Hand, HANDS, type Person, post, press, test as base, type, unique } from './fixtures.ts';
import { tokenFor } from './mails.ts';
import { settled } from './pages.ts';

const PASSWORD = 'correct horse battery staple';

const test = base.extend<{ invite: (email: string, role?: string) => Promise<string> }, { owner: Person }>({
  // The first user of the service, who alone could register.
  owner: [
    async ({ service }, use) => {
      const owner = { email: 'owner@example.com', password: PASSWORD };
      const { accessToken } = await post(`${service}/auth/register`, { ...owner, name: 'Ada Lovelace' });
      await post(`${service}/account`, { name: 'Analytical Engines' }, accessToken, 'PATCH');
      await use(owner);
    },
    { scope: 'worker' },
  ],
  /** Invites somebody, and answers the token of the mail. */
  invite: async ({ service, owner, data }, use) => {
    const { accessToken } = await post(`${service}/auth/login`, owner);
    await use(async (email, role = 'MEMBER') => {
      await post(`${service}/invitations`, { email, role }, accessToken);
      return tokenFor(email, 'invitation', data);
    });
  },
});

test.use({ registration: 'closed' });

const workspace = (page: Page) => page.getByText('Analytical Engines', { exact: true });
const emailField = (page: Page) => page.getByLabel('E-mail address');
const title = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

async function register(hand: Hand, page: Page, email: string): Promise<void> {
  await type(hand, emailField(page), email);
  await type(hand, page.getByLabel('Password', { exact: true }), PASSWORD);
  await press(hand, page.getByRole('button', { name: 'Create the account' }));
}

for (const hand of HANDS) {
  test.describe(hand, () => {
    test('an invited person registers while registration is closed, and is in the workspace', async ({ page, invite }) => {
      await page.goto('/app/register');
      await expect(page.getByText('Registration is closed on this service.', { exact: false })).toBeVisible();
      const email = `${unique('grace')}@example.com`;
      const token = await invite(email);
      await page.goto(`/app/invitation?token=${token}`);
      await press(hand, page.getByRole('link', { name: 'Register' }));
      await expect(title(page, 'Create an account')).toBeVisible();
      await register(hand, page, `${unique('other')}@example.com`);
      await expect(page.getByText('The invitation was sent to another address.')).toBeVisible();
      await expect(emailField(page)).toBeFocused();
      await register(hand, page, email.toUpperCase());
      await expect(title(page, 'Overview')).toBeVisible();
      // The address counts as proved.
      await expect(page.locator('.banner').filter({ hasText: 'not confirmed yet' })).toHaveCount(0);
      await page.goto('/app/members');
      await expect(workspace(page)).toBeVisible();
      await expect(page.getByRole('row').filter({ hasText: email })).toContainText('Member');

      // The invitation is used up.
      await page.goto(`/app/invitation?token=${token}`);
      await press(hand, page.getByRole('button', { name: 'Join' }));
      await expect(page.getByText('This invitation was used before', { exact: false })).toBeVisible();
    });
  });
}

test('an invited person comes back from the company’s sign-in with the invitation, and joins', async ({ page, owner, invite }) => {
  await say(page, { companySignIn: 'Acme', hasPasswordLogin: false });
  const asked = await provide(page, owner);
  // The provider knows somebody else, who is a member already.
  const token = await invite(`${unique('grace')}@example.com`);
  await page.goto(`/app/invitation?token=${token}`);
  await page.getByRole('link', { name: 'Sign in with Acme' }).click();
  await expect(page.getByText('You are signed in as owner@example.com.')).toBeVisible();
  await expect(page).toHaveURL('/app/invitation');
  expect(asked.map(({ searchParams }) => searchParams.get('to'))).toEqual([`/app/invitation?token=${token}`]);
  await page.getByRole('button', { name: 'Join' }).click();
  await expect(page.getByText('The invitation is for another address', { exact: false })).toBeVisible();
});

test('an API key has no permission that the role of its maker lacks', async ({ page, invite, service }) => {
  const email = `${unique('maker')}@example.com`;
  const invitationToken = await invite(email);
  await post(`${service}/auth/register`, { email, password: PASSWORD, name: 'Maker', invitationToken });
  await page.goto('/app/login?next=%2Fapp%2Fdevelopers');
  await emailField(page).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'New API key' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New API key' });
  await dialog.getByLabel('Name').fill('Shop');
  const rows = dialog.getByRole('rowheader');
  await expect(rows).toHaveText(['Links', 'Clicks and statistics', 'API keys', 'Domains', 'Webhooks', 'Subdomain']);
  await expect(dialog.getByRole('checkbox')).toHaveCount(7);
  await expect(dialog.getByRole('button', { name: 'Links', pressed: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Everything' }).click();
  await expect(dialog.getByRole('checkbox', { checked: true })).toHaveCount(7);
  await examine(page, 'the form of a key of a member');
  await dialog.getByRole('button', { name: 'Create the key' }).click();
  const shown = page.getByRole('dialog', { name: 'Your API key' });
  await shown.getByRole('checkbox').check();
  await shown.getByRole('button', { name: 'Done' }).click();
  // It has not all that there are.
  await expect(page.getByRole('row').filter({ hasText: 'Shop' })).toContainText('links:read');
});

test('registering with an invitation is accessible in each of its states', async ({ page, invite }) => {
  const token = await invite(`${unique('grace')}@example.com`);
  await page.goto(`/app/invitation?token=${token}`);
  await expect(page.getByRole('link', { name: 'Register' })).toBeVisible();
  await examine(page, 'an invitation while registration is closed', ALL);
  await page.getByRole('link', { name: 'Register' }).click();
  await register('mouse', page, `${unique('other')}@example.com`);
  await expect(page.getByText('The invitation was sent to another address.')).toBeVisible();
  await examine(page, 'registering with another address', ALL);
  await page.goto('/app/register?invitation=none');
  await register('mouse', page, `${unique('other')}@example.com`);
  await expect(page.getByRole('alert')).toContainText('This invitation was used before');
  await settled(page);
  await examine(page, 'registering with an invitation that is spent', ALL);
});
