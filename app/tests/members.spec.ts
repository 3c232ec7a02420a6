// Workspaces that several people share: invited by mail, joined, changed, switched between, and left.
import type { Browser, Page } from '@playwright/test';
import { ALL, examine } from './axe.ts';
import { createLink, expect, type Hand, HANDS, post, press, signIn, test as base, type, unique } from './fixtures.ts';
import { tokenFor } from './mails.ts';
import { settled } from './pages.ts';

/** What the browser says of a token that is of a role, or a membership, that is no more. */
const REFUSED = /status of 401/;
const PASSWORD = 'correct horse battery staple';

const test = base.extend<{ other: Page }>({
  // Somebody else's browser.
  other: async ({ browser, service }: { browser: Browser; service: string }, use) => {
    const context = await browser.newContext({ baseURL: service, locale: 'en-GB' });
    await use(await context.newPage());
    await context.close();
  },
});

const toast = (page: Page) => page.locator('.toast').last();
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const newLink = (page: Page) => page.getByRole('link', { name: 'New link' });
const switcher = (page: Page) => page.getByRole('button', { name: /^Workspace: / });
const shut = (page: Page) => page.getByRole('heading', { name: /^Your role in .+ does not include this$/ });
const slugOf = (page: Page, slug: string) => page.getByRole('link', { name: new RegExp(slug) });

async function invite(hand: Hand, page: Page, email: string, role: string): Promise<void> {
  await press(hand, page.getByRole('button', { name: 'Invite somebody' }));
  const dialog = page.getByRole('dialog', { name: 'Invite somebody to the workspace' });
  await type(hand, dialog.getByLabel('E-mail address'), email);
  await dialog.getByLabel('Role').selectOption({ label: role });
  await press(hand, dialog.getByRole('button', { name: 'Send the invitation' }));
  await expect(dialog).toBeHidden();
  await expect(toast(page)).toHaveText(`A mail is on its way to ${email}`);
}

/** Goes to the workspace that is not the current one, of two. */
async function goToOther(hand: Hand, page: Page): Promise<void> {
  const before = await switcher(page).getAttribute('aria-label');
  await press(hand, switcher(page));
  const items = page.getByRole('menuitemradio', { checked: false }).filter({ visible: true });
  if (hand === 'mouse') await items.click();
  else {
    await expect(page.getByRole('menuitemradio').filter({ visible: true }).first()).toBeFocused();
    if (!(await items.evaluate((element) => element === document.activeElement))) await page.keyboard.press('ArrowDown');
    await expect(items).toBeFocused();
    await page.keyboard.press('Enter');
  }
  await expect(toast(page)).toContainText('You are in');
  await expect(switcher(page)).not.toHaveAttribute('aria-label', before!);
}

for (const hand of HANDS) {
  test.describe(hand, () => {
    test('an owner invites somebody, who has an account, joins, and may do what the role says until removed', async ({ page, other, person, service, data, allowed }) => {
      allowed.push(REFUSED);
      const [theirs, own] = [unique('theirs'), unique('own')];
      await createLink(service, person, theirs, 'https://example.com/theirs');
      await signIn(page, person, '/app/members');
      await settled(page);
      await expect(page.getByRole('button', { name: 'Leave this workspace' })).toHaveCount(0);
      await press(hand, page.getByRole('button', { name: 'Rename the workspace' }));
      const rename = page.getByRole('dialog', { name: 'Rename the workspace' });
      await type(hand, rename.getByLabel('Name'), 'Analytical Engines');
      await press(hand, rename.getByRole('button', { name: 'Save' }));
      await expect(page.getByText('Analytical Engines', { exact: true })).toBeVisible();
      const email = `${unique('grace')}@example.com`;
      await invite(hand, page, email, 'Viewer');
      await expect(rowOf(page, email)).toContainText('Viewer');

      const token = await tokenFor(email, 'invitation', data);
      await other.goto(`/app/invitation?token=${token}`);
      const grace = { email, password: PASSWORD };
      await post(`${service}/auth/register`, { ...grace, name: 'Grace Hopper' });
      await press(hand, other.getByRole('link', { name: 'Sign in' }));
      await type(hand, other.getByLabel('E-mail address'), email);
      await type(hand, other.getByLabel('Password', { exact: true }), PASSWORD);
      await other.keyboard.press('Enter');
      await expect(other.getByText(`You are signed in as ${email}.`)).toBeVisible();
      await press(hand, other.getByRole('button', { name: 'Join' }));
      await other.waitForURL((url) => url.pathname === '/app');
      await expect(switcher(other)).toHaveAccessibleName('Workspace: Analytical Engines');

      // As a viewer.
      await other.goto('/app/links');
      await expect(slugOf(other, theirs)).toBeVisible();
      await expect(newLink(other)).toHaveCount(0);
      await expect(other.getByRole('switch')).toBeDisabled();
      await expect(other.getByRole('checkbox', { name: /^Select/ })).toHaveCount(0);
      await other.goto('/app/links/new');
      await expect(shut(other)).toBeVisible();
      await expect(shut(other)).toContainText('Analytical Engines');
      await expect(other.getByRole('button', { name: 'Try again' })).toHaveCount(0);
      await press(hand, other.getByRole('link', { name: 'Go to the overview' }));
      await expect(other.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
      await other.goto('/app/links');
      await settled(other);

      // The owner gives another role.
      await page.reload();
      await press(hand, page.getByRole('button', { name: 'Change the role of Grace', exact: false }));
      const change = page.getByRole('dialog', { name: /^Change the role of/ });
      await expect(change.getByText('Can see links, reports and domains, can’t change anything.')).toBeVisible();
      await change.getByLabel('Role').selectOption({ label: 'Member' });
      await expect(change.getByText('Can make and change links', { exact: false })).toBeVisible();
      await press(hand, change.getByRole('button', { name: 'Save' }));
      await expect(rowOf(page, email)).toContainText('Member');
      await expect.poll(async () => {
        await other.reload();
        await settled(other);
        return newLink(other).count();
      }).toBeGreaterThan(0);
      await press(hand, newLink(other).first());
      await type(hand, other.getByLabel('Destination'), 'https://example.com/more');
      await press(hand, other.getByRole('button', { name: 'Create the link' }));
      await expect(other.getByRole('textbox', { name: 'Your link is ready' })).toBeVisible();

      // Their own workspace is another one.
      await other.goto('/app/links');
      await expect(slugOf(other, theirs)).toBeVisible();
      await goToOther(hand, other);
      await expect(other).toHaveURL('/app/links');
      await expect(slugOf(other, theirs)).toHaveCount(0);
      await createLink(service, grace, own, 'https://example.com/own');
      await other.reload();
      await expect(slugOf(other, own)).toBeVisible();
      await goToOther(hand, other);
      await expect(slugOf(other, theirs)).toBeVisible();
      await expect(slugOf(other, own)).toHaveCount(0);
      // A page of one link gives way to the list.
      await press(hand, slugOf(other, theirs));
      await expect(other.getByRole('button', { name: 'Edit' }).first()).toBeVisible();
      await goToOther(hand, other);
      await expect(other).toHaveURL('/app/links');
      await goToOther(hand, other);

      // Removed, they are in their own.
      await press(hand, page.getByRole('button', { name: /^Remove Grace/ }));
      const remove = page.getByRole('dialog', { name: /^Remove Grace.* from the workspace\?$/ });
      await press(hand, remove.getByRole('button', { name: 'Remove' }));
      await expect(remove).toBeHidden();
      await expect(rowOf(page, email)).toHaveCount(0);
      await expect(slugOf(other, own)).toBeVisible();
      await expect(slugOf(other, theirs)).toHaveCount(0);
      await expect(switcher(other)).toHaveCount(0);
      await expect(newLink(other).first()).toBeVisible();
    });

    test('an invitation is taken back, and one for another address is refused', async ({ page, other, person, service, data }) => {
      await signIn(page, person, '/app/members');
      const [first, second] = [`${unique('first')}@example.com`, `${unique('second')}@example.com`];
      await invite(hand, page, first, 'Member');
      const gone = await tokenFor(first, 'invitation', data);
      await press(hand, page.getByRole('button', { name: `Take back the invitation of ${first}` }));
      await expect(page.getByRole('heading', { name: 'Waiting invitations' })).toHaveCount(0);
      await invite(hand, page, second, 'Member');
      const token = await tokenFor(second, 'invitation', data);

      const stranger = { email: `${unique('stranger')}@example.com`, password: PASSWORD };
      await post(`${service}/auth/register`, { ...stranger, name: 'Stranger' });
      await signIn(other, stranger);
      await other.goto(`/app/invitation?token=${gone}`);
      await press(hand, other.getByRole('button', { name: 'Join' }));
      await expect(other.getByText('This invitation was used before', { exact: false })).toBeVisible();
      await other.goto(`/app/invitation?token=${token}`);
      await press(hand, other.getByRole('button', { name: 'Join' }));
      await expect(other.getByText('Sign in with the address that was invited.', { exact: false })).toBeVisible();
      await press(hand, other.getByRole('button', { name: 'Sign in with another address' }));
      await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible();
      await post(`${service}/auth/register`, { email: second, password: PASSWORD, name: 'Second' });
      await type(hand, other.getByLabel('E-mail address'), second);
      await type(hand, other.getByLabel('Password', { exact: true }), PASSWORD);
      await other.keyboard.press('Enter');
      await press(hand, other.getByRole('button', { name: 'Join' }));
      await expect(switcher(other)).toBeVisible();

      // Leaves by herself; the last owner can't.
      await other.goto('/app/members');
      await press(hand, other.getByRole('button', { name: 'Leave this workspace' }));
      await press(hand, other.getByRole('dialog').getByRole('button', { name: 'Leave' }));
      await expect(toast(other)).toContainText('You are in Second');
      await expect(switcher(other)).toHaveCount(0);
    });
  });
}

test('whoever is invited and registers all the same signs in from there, and joins', async ({ page, person, other, service, data }) => {
  const invited = { email: `${unique('mary')}@example.com`, password: PASSWORD };
  await post(`${service}/auth/register`, { ...invited, name: 'Mary Somerville' });
  await signIn(page, person, '/app/members');
  await invite('mouse', page, invited.email, 'Viewer');
  const token = await tokenFor(invited.email, 'invitation', data);
  await other.goto(`/app/invitation?token=${token}`);
  await other.getByRole('link', { name: 'Register' }).click();
  await other.getByLabel('E-mail address').fill(invited.email);
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await other.keyboard.press('Enter');
  await expect(other.getByLabel('E-mail address')).toHaveAttribute('aria-invalid', 'true');
  await other.getByRole('link', { name: 'Sign in' }).click();
  await other.getByLabel('E-mail address').fill(invited.email);
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await other.keyboard.press('Enter');
  await other.getByRole('button', { name: 'Join' }).click();
  await expect(switcher(other)).toBeVisible();
});

test('the last owner can’t leave, nor take another role', async ({ page, person, service, data }) => {
  await signIn(page, person, '/app/members');
  const email = `${unique('grace')}@example.com`;
  await invite('mouse', page, email, 'Member');
  const token = await tokenFor(email, 'invitation', data);
  await post(`${service}/auth/register`, { email, password: PASSWORD, name: 'Grace Hopper' });
  const { accessToken } = await post(`${service}/auth/login`, { email, password: PASSWORD });
  await post(`${service}/invitations/accept`, { token }, accessToken);
  await page.reload();
  await page.getByRole('button', { name: 'Leave this workspace' }).click();
  const leave = page.getByRole('dialog');
  await leave.getByRole('button', { name: 'Leave' }).click();
  await expect(leave.getByRole('alert')).toHaveText('A workspace needs an owner: make another member an owner first.');
  await leave.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Change the role of Ada Lovelace' }).click();
  await page.getByRole('dialog').getByLabel('Role').selectOption({ label: 'Viewer' });
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog').getByText('A workspace needs an owner', { exact: false })).toBeVisible();
  await examine(page, 'the dialog of a role');
});

test('the pages of members are accessible in each role', async ({ page, other, person, service, data }) => {
  await createLink(service, person, unique('link'), 'https://example.com/');
  await signIn(page, person, '/app/members');
  await invite('mouse', page, `${unique('waiting')}-${'long'.repeat(10)}@example.com`, 'Admin');
  const email = `${unique('paid')}@example.com`;
  await invite('mouse', page, email, 'Billing');
  await examine(page, 'members', ALL);
  const token = await tokenFor(email, 'invitation', data);
  await other.goto(`/app/invitation?token=${token}`);
  await examine(other, 'an invitation, signed out', ALL);
  await post(`${service}/auth/register`, { email, password: PASSWORD, name: 'Paid' });
  await other.getByRole('link', { name: 'Sign in' }).click();
  await other.getByLabel('E-mail address').fill(email);
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await other.keyboard.press('Enter');
  await expect(other.getByRole('button', { name: 'Join' })).toBeVisible();
  await examine(other, 'an invitation', ALL);
  await other.getByRole('button', { name: 'Join' }).click();
  // The first page that the role has.
  await other.waitForURL((url) => url.pathname === '/app/billing');
  await settled(other);
  await expect(other.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Links', exact: true })).toHaveCount(0);
  for (const room of ['/app/billing', '/app/members', '/app/settings', '/app/links', '/app/help']) {
    await other.goto(room);
    await settled(other);
    await expect(switcher(other)).toBeVisible();
    await expect(other.locator('.state.error')).toHaveCount(0);
    await examine(other, `${room} for whoever pays`);
  }
  await switcher(other).click();
  await examine(other, 'the menu of workspaces');
});
