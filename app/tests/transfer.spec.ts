// Links and domains that change hands: offered to another account, accepted there, declined, taken back.
import type { Browser, Locator, Page } from '@playwright/test';
import { demandProof } from './authenticator.ts';
import { ALL, examine } from './axe.ts';
import { createLink, expect, type Hand, HANDS, type Person, post, press, signIn, test as base, type, unique, visit } from './fixtures.ts';
import { settled } from './pages.ts';

const PASSWORD = 'correct horse battery staple';

interface Other extends Person {
  /** Signed in, in a browser of its own. */
  page: Page;
  accountId: string;
}

const test = base.extend<{ other: Other }>({
  other: async ({ browser, service }: { browser: Browser; service: string }, use) => {
    const grace = { email: `${unique('grace')}@example.com`, password: PASSWORD };
    await post(`${service}/auth/register`, { ...grace, name: 'Grace Hopper' });
    const { accessToken } = await post(`${service}/auth/login`, grace);
    await post(`${service}/account`, { name: 'Compilers' }, accessToken, 'PATCH');
    const context = await browser.newContext({ baseURL: service, locale: 'en-GB', permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    await signIn(page, grace, '/app/members');
    await settled(page);
    const accountId = await transfers(page).locator('code').innerText();
    await use({ ...grace, page, accountId });
    await context.close();
  },
});

const toast = (page: Page) => page.locator('.toast').last();
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const transfers = (page: Page) => page.getByRole('region', { name: 'Transfers' });
const giving = (page: Page) => page.getByRole('dialog', { name: 'Give to another account' });
const notice = (page: Page) => page.getByText('Other accounts offer you something.', { exact: false });

/** Selects links of the list, of which no more are there. */
async function select(hand: Hand, page: Page, slugs: string[]): Promise<void> {
  for (const slug of slugs) await press(hand, rowOf(page, slug).getByRole('checkbox', { name: /^Select/ }));
  await expect(page.getByText(`${slugs.length} selected`)).toBeVisible();
}

/** Offers what the dialog is about. */
async function offer(hand: Hand, page: Page, accountId: string): Promise<void> {
  await type(hand, giving(page).getByLabel('Id of the other account'), accountId);
  await press(hand, giving(page).getByRole('button', { name: 'Offer' }));
  await expect(giving(page)).toBeHidden();
  await expect(toast(page)).toHaveText('Offered to Compilers, who has 7 days to accept');
}

/** Opens the page of members anew, as for somebody who comes back to it. */
async function look(page: Page): Promise<Locator> {
  await page.goto('/app/members');
  await settled(page);
  return transfers(page);
}

for (const hand of HANDS) {
  test.describe(hand, () => {
    test('two links are offered from the list, and accepted with their clicks', async ({ page, other, person, service }) => {
      const slugs = [unique('one'), unique('two')];
      const stays = unique('stays');
      for (const slug of [...slugs, stays]) await createLink(service, person, slug, `https://example.com/${slug}`);
      await visit(`${service}/${slugs[0]}`);
      await signIn(page, person, '/app/links');
      await select(hand, page, slugs);
      await press(hand, page.getByRole('button', { name: 'Give to another account…' }));
      await expect(giving(page)).toContainText('2 links will belong to the other account, once it accepts.');
      const id = giving(page).getByLabel('Id of the other account');
      await expect(id).toBeFocused();
      for (const wrong of ['grace', crypto.randomUUID()]) {
        await type(hand, id, wrong);
        await press(hand, giving(page).getByRole('button', { name: 'Offer' }));
        await expect(giving(page).getByText('There is no account with this id.')).toBeVisible();
        await expect(id).toBeFocused();
      }
      await demandProof(page, 'OfferTransfer');
      await type(hand, id, other.accountId);
      await press(hand, giving(page).getByRole('button', { name: 'Offer' }));
      const proof = page.getByRole('dialog').filter({ has: page.getByLabel('Password', { exact: true }) });
      await type(hand, proof.getByLabel('Password', { exact: true }), person.password);
      await page.keyboard.press('Enter');
      await expect(giving(page)).toBeHidden();
      await expect(toast(page)).toHaveText('Offered to Compilers, who has 7 days to accept');
      await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0);
      await expect(await look(page)).toContainText('To Compilers');

      const theirs = other.page;
      await theirs.goto('/app');
      await press(hand, theirs.getByRole('link', { name: 'Another account offers you links', exact: false }));
      await expect(notice(theirs)).toBeVisible();
      await expect(transfers(theirs)).toContainText(slugs[0]!);
      await press(hand, transfers(theirs).getByRole('button', { name: /^Accept 2 links from/ }));
      const accept = theirs.getByRole('dialog', { name: /^Accept what/ });
      for (const slug of slugs) await expect(accept).toContainText(slug);
      await press(hand, accept.getByRole('button', { name: 'Accept' }));
      await expect(accept).toBeHidden();
      await expect(transfers(theirs).getByText('Accepted', { exact: true })).toBeVisible();
      await expect(notice(theirs)).toHaveCount(0);
      await theirs.goto('/app/links');
      await expect(rowOf(theirs, slugs[1]!)).toBeVisible();
      await expect(rowOf(theirs, slugs[0]!).locator('.cell-clicks')).toHaveText('1');
      expect((await visit(`${service}/${slugs[0]}`)).headers.get('location')).toBe(`https://example.com/${slugs[0]}`);

      await expect(await look(page)).toContainText('Accepted');
      await page.goto('/app/links');
      await expect(rowOf(page, stays)).toBeVisible();
      for (const slug of slugs) await expect(rowOf(page, slug)).toHaveCount(0);
    });

    test('an offer is declined, and another one taken back', async ({ page, other, person, service }) => {
      const slug = unique('kept');
      await createLink(service, person, slug, 'https://example.com/');
      await signIn(page, person, '/app/links');
      for (const end of ['declined', 'taken back']) {
        await page.goto('/app/links');
        await press(hand, rowOf(page, slug).getByRole('link').first());
        await press(hand, page.getByRole('button', { name: /^Actions for/ }));
        const item = page.getByRole('menuitem', { name: 'Give to another account…' });
        if (hand === 'mouse') await item.click();
        else {
          await page.keyboard.press('ArrowDown');
          await expect(item).toBeFocused();
          await page.keyboard.press('Enter');
        }
        await expect(giving(page)).toContainText('One link will belong to the other account, once it accepts.');
        await offer(hand, page, other.accountId);
        const [own, theirs] = [await look(page), await look(other.page)];
        await expect(own.getByRole('button', { name: /^Accept/ })).toHaveCount(0);
        if (end === 'declined') {
          await press(hand, theirs.getByRole('button', { name: /^Decline 1 link from/ }));
          const decline = other.page.getByRole('dialog', { name: /^Decline what/ });
          await press(hand, decline.getByRole('button', { name: 'Decline' }));
          await expect(toast(other.page)).toHaveText('The offer is declined');
          await expect(await look(page)).not.toContainText('Compilers');
        } else {
          await press(hand, own.getByRole('button', { name: /^Take back 1 link from/ }));
          await expect(toast(page)).toHaveText('The offer is taken back');
          await expect(own).not.toContainText('Compilers');
          // Who did not look meanwhile is told.
          await press(hand, theirs.getByRole('button', { name: /^Accept/ }));
          const accept = other.page.getByRole('dialog', { name: /^Accept what/ });
          await press(hand, accept.getByRole('button', { name: 'Accept' }));
          await expect(accept.getByRole('alert')).toHaveText('The offer was taken back or has expired.');
        }
        await expect(await look(other.page)).not.toContainText('From');
      }
      await page.goto('/app/links');
      await expect(rowOf(page, slug)).toBeVisible();
    });

    test('a domain is given with the links on it', async ({ page, other, person, service, dns }) => {
      const { accessToken } = await post(`${service}/auth/login`, person);
      const name = `${unique('go')}.example.com`;
      const domain = await post(`${service}/domains`, { domain: name }, accessToken);
      for (const { type: kind, name: at, value } of domain.dnsRecords) {
        dns.set(at, kind === 'TXT' ? { TXT: [value] } : { [kind]: [value] });
      }
      const { status } = await post(`${service}/domains/${domain.id}/verify`, {}, accessToken);
      expect(status).toBe('ACTIVE');
      const slug = unique('moves');
      const { id } = await post(`${service}/links`, { slug, destinationUrl: 'https://example.com/', domain: name }, accessToken);

      // The link goes with its domain alone.
      await signIn(page, person, '/app/links');
      await select(hand, page, [slug]);
      await press(hand, page.getByRole('button', { name: 'Give to another account…' }));
      await expect(giving(page)).toContainText('Links on a domain of yours are given with the whole domain');
      await press(hand, giving(page).getByRole('link', { name: 'Go to the domains' }));
      await press(hand, page.getByRole('link', { name, exact: true }));
      await press(hand, page.getByRole('button', { name: 'Give to another account…' }));
      await expect(giving(page)).toContainText(`${name} with its settings and all links on it (1) will belong to the other account`);
      await offer(hand, page, other.accountId);

      const theirs = other.page;
      await press(hand, (await look(theirs)).getByRole('button', { name: `Accept ${name} with 1 link from` }));
      await press(hand, theirs.getByRole('dialog', { name: /^Accept what/ }).getByRole('button', { name: 'Accept' }));
      // Its links follow in the background.
      await expect(transfers(theirs).getByText('Accepted', { exact: true })).toBeVisible();
      await theirs.goto(`/app/links/${id}`);
      await expect(theirs.getByRole('heading', { name: new RegExp(slug) })).toBeVisible();
      await theirs.goto('/app/domains');
      await expect(theirs.getByRole('link', { name, exact: true })).toBeVisible();
      await page.goto('/app/domains');
      await settled(page);
      await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0);
    });
  });
}

test('who is a member of several workspaces chooses one of them', async ({ page, other, person, service }) => {
  const slug = unique('mine');
  await createLink(service, person, slug, 'https://example.com/');
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('query TransferChoices')) return route.fallback();
    const response = await route.fetch();
    const answer = await response.json();
    answer.data.me.memberships.push({ __typename: 'Membership', account: { __typename: 'Account', id: other.accountId, name: 'Compilers' } });
    return route.fulfill({ response, json: answer });
  });
  await signIn(page, person, '/app/links');
  await select('keyboard', page, [slug]);
  await press('keyboard', page.getByRole('button', { name: 'Give to another account…' }));
  const choice = giving(page).getByLabel('To', { exact: true });
  await expect(choice.getByRole('option')).toHaveText(['Compilers', 'Another account, by its id']);
  await expect(giving(page).getByLabel('Id of the other account')).toHaveCount(0);
  await press('keyboard', giving(page).getByRole('button', { name: 'Offer' }));
  await expect(toast(page)).toHaveText('Offered to Compilers, who has 7 days to accept');
});

test('more than a hundred links are not given at once', async ({ page, person, service }) => {
  const { accessToken } = await post(`${service}/auth/login`, person);
  const name = unique('hundred');
  for (let at = 0; at <= 100; at += 1) await post(`${service}/links`, { slug: `${name}-${at}`, destinationUrl: 'https://example.com/' }, accessToken);
  await signIn(page, person, '/app/links');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Select all 101 that match' }).click();
  await page.getByRole('button', { name: 'Give to another account…' }).click();
  await expect(giving(page)).toContainText('At most 100 links can be given at once.');
  await expect(giving(page).getByRole('button', { name: 'Offer' })).toHaveCount(0);
});

test.describe('accessibility', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('dialogs and the section are accessible in each of their states', async ({ page, other, person, service }) => {
    test.setTimeout(240_000);
    const slug = unique('seen');
    await createLink(service, person, slug, 'https://example.com/');
    await signIn(page, person, '/app/links');
    const seen = async (of: Page, what: string, target: Locator) => {
      await expect(target).toBeVisible();
      await settled(of);
      await examine(of, what, ALL);
    };
    await select('mouse', page, [slug]);
    await seen(page, 'the bar', page.getByRole('region', { name: 'Selected links' }));
    await page.getByRole('button', { name: 'Give to another account…' }).click();
    await seen(page, 'the dialog', giving(page).getByLabel('Id of the other account'));
    await offer('mouse', page, other.accountId);
    await seen(page, 'an offer that was made', (await look(page)).getByText('To Compilers'));
    await seen(other.page, 'an offer that was received', (await look(other.page)).getByRole('button', { name: /^Accept/ }));
    await other.page.getByRole('button', { name: /^Accept/ }).click();
    await seen(other.page, 'accepting', other.page.getByRole('dialog'));
    await other.page.route('**/graphql', (route) => {
      if (!route.request().postData()?.includes('mutation AcceptTransfer')) return route.fallback();
      const details = { path: 'externalId', externalIds: ['crm-1', 'crm-2'] };
      return route.fulfill({ json: { data: null, errors: [{ message: 'Refused.', extensions: { code: 'CONFLICT', details } }] } });
    });
    await other.page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click();
    await seen(other.page, 'accepting what can’t be', other.page.getByText('crm-1, crm-2', { exact: false }));
    // Links that move, half of which have come.
    await other.page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('query Members')) return route.fallback();
      const response = await route.fetch();
      const answer = await response.json();
      Object.assign(answer.data.transfers.data[0], { domain: 'go.example.com', shortUrls: [], linkCount: 40, movedLinks: 20, state: 'MOVING' });
      return route.fulfill({ response, json: answer });
    });
    await seen(other.page, 'links that move', (await look(other.page)).getByText('20 of 40 links moved'));
    // The page asks again while links move, also when the test ends.
    await other.page.unrouteAll({ behavior: 'ignoreErrors' });
  });
});
