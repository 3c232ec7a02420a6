// Settings of hosts, and links that move from one host to another.
import type { Locator, Page } from '@playwright/test';
import { ALL, examine } from './axe.ts';
import { changeIn, test as base, expect, type Hand, HANDS, post, press, signIn, type, unique } from './fixtures.ts';
import { settled } from './pages.ts';

const HOME = 'https://example.com/home';
const LOST = 'https://example.com/lost';
const OVER = 'https://example.com/over';

interface Answer {
  status: number;
  location: string | null;
}

/** The subdomain and links of a person, by the API, without the application. */
interface Stored {
  /** Claims and activates a subdomain, and answers its host. */
  claim(): Promise<string>;
  make(link: object): Promise<{ id: string; shortUrl: string }>;
  read(path: string): Promise<Record<string, unknown>>;
  /** The subdomain's answer to a visitor. */
  visit(host: string, path: string): Promise<Answer>;
}

const test = base.extend<{ stored: Stored }>({
  stored: async ({ service, person, request }, use) => {
    const { accessToken: token } = await post(`${service}/auth/login`, person);
    await use({
      async claim() {
        await post(`${service}/subdomain`, { subdomain: unique('sub') }, token);
        return (await post(`${service}/subdomain/activate`, {}, token)).host;
      },
      make: (link) => post(`${service}/links`, { destinationUrl: 'https://example.com/', ...link }, token),
      read: async (path) => (await fetch(service + path, { headers: { authorization: `Bearer ${token}` } })).json(),
      // `fetch` lets nobody choose the host.
      async visit(host, path) {
        const response = await request.get(service + path, { headers: { host }, maxRedirects: 0 });
        return { status: response.status(), location: response.headers().location ?? null };
      },
    });
  },
});

const field = (within: Page | Locator, name: string) => within.getByLabel(name, { exact: true });
const settings = (page: Page) => page.getByRole('region', { name: 'Settings' });
/** Where visitors are sent. */
const urls = (page: Page) => settings(page).locator('a[target=_blank]');
const dialog = (page: Page) => page.getByRole('dialog');

/** Chooses by the words of the choice. */
async function choose(hand: Hand, target: Locator, choice: string): Promise<void> {
  if (hand === 'mouse') await target.selectOption(choice);
  else {
    await press(hand, target);
    await target.page().keyboard.type(choice);
    await target.page().keyboard.press('Enter');
  }
  await expect(target.locator('option:checked')).toHaveText(choice);
}

async function empty(hand: Hand, target: Locator): Promise<void> {
  await type(hand, target, '');
  await target.press('Delete');
  await expect(target).toHaveValue('');
}

/** Saves, and answers what was sent. */
async function save(hand: Hand, page: Page, mutation: string): Promise<object> {
  const sent = page.waitForRequest((request) => request.postData()?.includes(`mutation ${mutation}`) ?? false);
  await press(hand, dialog(page).getByRole('button', { name: 'Save' }));
  await expect(dialog(page)).toBeHidden();
  return changeIn(await sent);
}

for (const hand of HANDS) {
  test.describe(hand, () => {
    test('the settings of a subdomain: what visitors get, and what was taken away', async ({ page, person, service, stored }) => {
      const host = await stored.claim();
      const place = `${host}:${new URL(service).port}`;
      await stored.make({ slug: 'Spring', domain: host });
      await stored.make({ slug: 'over', domain: host, expiresAt: '2020-01-02T03:04:05Z' });
      await signIn(page, person, '/app/domains');
      await expect(settings(page)).toContainText('Visitors get 404');
      await expect(settings(page)).toContainText('Visitors get 410');
      await press(hand, settings(page).getByRole('button', { name: `Edit the settings of ${place}` }));
      await expect(field(dialog(page), 'Where / leads')).toBeFocused();
      await type(hand, field(dialog(page), 'Where / leads'), 'example.com/home');
      await type(hand, field(dialog(page), 'Where addresses without a link lead'), LOST);
      await type(hand, field(dialog(page), 'Where links lead after their end'), OVER);
      await press(hand, dialog(page).getByRole('checkbox', { name: 'Ignore case' }));
      await press(hand, dialog(page).getByRole('checkbox', { name: 'Forward queries' }));
      await type(hand, field(dialog(page), 'Tags of new links'), 'poster,flyer');
      await examine(page, 'the settings of a host', ALL);
      expect(await save(hand, page, 'UpdateSubdomain')).toEqual({
        rootUrl: HOME,
        notFoundUrl: LOST,
        expiredUrl: OVER,
        ignoresCase: true,
        forwardsQuery: true,
        defaultTags: ['poster', 'flyer'],
      });
      await expect(page.getByRole('status').filter({ hasText: `The settings of ${place} are saved` })).toBeVisible();
      await expect(urls(page)).toHaveText(['example.com/home', 'example.com/lost', 'example.com/over']);
      const tags = settings(page).getByRole('listitem');
      await expect(tags).toHaveText(['flyer', 'poster']);
      await expect(settings(page)).toContainText('/SPRING leads where /spring does');
      await expect(settings(page)).toContainText('Destinations get the parameters of the short URL');
      await expect.poll(() => stored.visit(host, '/')).toEqual({ status: 302, location: HOME });
      await expect.poll(() => stored.visit(host, '/nothing')).toEqual({ status: 302, location: LOST });
      await expect.poll(() => stored.visit(host, '/over')).toEqual({ status: 302, location: OVER });
      await expect.poll(() => stored.visit(host, '/SPRING?ref=mail')).toEqual({ status: 302, location: 'https://example.com/?ref=mail' });

      // Nothing but the changes is sent.
      await press(hand, settings(page).getByRole('button', { name: `Edit the settings of ${place}` }));
      await empty(hand, field(dialog(page), 'Where / leads'));
      await empty(hand, field(dialog(page), 'Where links lead after their end'));
      await press(hand, dialog(page).getByRole('checkbox', { name: 'Ignore case' }));
      await press(hand, dialog(page).getByRole('button', { name: 'Take away flyer' }));
      expect(await save(hand, page, 'UpdateSubdomain')).toEqual({ ignoresCase: false, defaultTags: ['poster'], rootUrl: null, expiredUrl: null });
      await expect(urls(page)).toHaveText(['example.com/lost']);
      await expect(settings(page)).toContainText('Visitors get what an address without a link gives');
      await expect.poll(() => stored.visit(host, '/over')).toMatchObject({ status: 410 });
      await expect.poll(() => stored.visit(host, '/SPRING')).toEqual({ status: 302, location: LOST });

      // Files at fixed paths.
      await press(hand, settings(page).getByRole('button', { name: `Edit the settings of ${place}` }));
      await type(hand, field(dialog(page), 'Icon'), 'example.com/icon.png');
      await type(hand, field(dialog(page), 'Contact for security'), 'mailto:security@example.com');
      await type(hand, field(dialog(page), 'Rules for crawlers'), 'User-agent: *');
      expect(await save(hand, page, 'UpdateSubdomain')).toEqual({
        faviconUrl: 'https://example.com/icon.png',
        securityContact: 'mailto:security@example.com',
        robotsText: 'User-agent: *',
      });
      await expect(settings(page)).toContainText('mailto:security@example.com');
      await expect(settings(page)).toContainText('Your own file');
      await expect.poll(() => stored.visit(host, '/favicon.ico')).toEqual({ status: 302, location: 'https://example.com/icon.png' });
      await expect.poll(() => stored.visit(host, '/robots.txt')).toMatchObject({ status: 200 });
    });

    test('the settings of a domain, and what is wrong with them at their fields', async ({ page, person, service, stored }) => {
      const host = await stored.claim();
      for (const slug of ['same', 'SAME']) await stored.make({ slug, domain: host });
      const domain = `${unique('go')}.example.com`;
      const { accessToken } = await post(`${service}/auth/login`, person);
      const { id } = await post(`${service}/domains`, { domain }, accessToken);
      await signIn(page, person, `/app/domains/${id}`);
      await press(hand, settings(page).getByRole('button', { name: `Edit the settings of ${domain}` }));
      await type(hand, field(dialog(page), 'Where / leads'), `https://${domain}/round`);
      await press(hand, dialog(page).getByRole('button', { name: 'Save' }));
      await expect(field(dialog(page), 'Where / leads')).toHaveAttribute('aria-invalid', 'true');
      await expect(field(dialog(page), 'Where / leads')).toBeFocused();
      await type(hand, field(dialog(page), 'Where / leads'), HOME);
      expect(await save(hand, page, 'UpdateDomain')).toEqual({ rootUrl: HOME });
      await expect(urls(page)).toHaveText(['example.com/home']);
      expect(await stored.read(`/domains/${id}`)).toMatchObject({ settings: { rootUrl: HOME } });

      // Slugs that differ in case alone are named.
      await page.goto('/app/domains');
      await press(hand, settings(page).getByRole('button', { name: `Edit the settings of ${host}:${new URL(service).port}` }));
      const ignore = dialog(page).getByRole('checkbox', { name: 'Ignore case' });
      await press(hand, ignore);
      await press(hand, dialog(page).getByRole('button', { name: 'Save' }));
      await expect(ignore).toHaveAccessibleDescription(/SAME, same/);
      await expect(ignore).toBeFocused();
      await press(hand, ignore);
      await expect(dialog(page).locator('.field-error')).toHaveCount(0);
      await page.keyboard.press('Escape');
      await settled(page);
    });

    test('a link moves to another host, and forwards queries, does not, or does as its host', async ({ page, person, service, stored }) => {
      const host = await stored.claim();
      const [slug, taken] = [unique('moving'), unique('taken')];
      await stored.make({ slug: taken, domain: host });
      await signIn(page, person, '/app/links/new');
      await type(hand, field(page, 'Destination'), 'https://example.com/?shop=7');
      await type(hand, page.getByLabel('Short path'), slug);
      await press(hand, page.getByText('More', { exact: true }));
      await choose(hand, field(page, 'Query of a visit'), 'Forward it to the destination');
      await press(hand, page.getByRole('button', { name: 'Create the link' }));
      await expect(page.getByRole('textbox', { name: 'Your link is ready' })).toHaveValue(`${service}/${slug}`);
      await expect.poll(() => stored.visit(new URL(service).host, `/${slug}?ref=mail`)).toMatchObject({
        location: 'https://example.com/?shop=7&ref=mail',
      });

      await press(hand, page.getByRole('link', { name: 'Details' }));
      await expect(page.getByText('Forwards queries')).toBeVisible();
      const id = page.url().split('/').at(-1)!;
      await press(hand, page.getByRole('button', { name: 'Edit' }));
      await expect(field(dialog(page), 'Query of a visit')).toHaveValue('true');
      const domain = field(dialog(page), 'Domain');
      await expect(domain).toHaveValue('127.0.0.1');
      await choose(hand, domain, `${host}:${new URL(service).port}`);
      await expect(domain).toHaveAccessibleDescription(`${service.replace('http://', '')}/${slug} answers 404 at once: the link moves to this domain.`);
      await type(hand, field(dialog(page), 'Short path'), taken);
      await press(hand, dialog(page).getByRole('button', { name: 'Save' }));
      await expect(field(dialog(page), 'Short path')).toHaveAttribute('aria-invalid', 'true');
      await type(hand, field(dialog(page), 'Short path'), slug);
      await choose(hand, field(dialog(page), 'Query of a visit'), 'Do not forward it');
      await examine(page, 'a link that moves', ALL);
      expect(await save(hand, page, 'UpdateLink')).toEqual({ domain: host, forwardsQuery: false });
      await expect(page.getByRole('heading', { name: `${host}:${new URL(service).port}/${slug}` })).toBeVisible();
      await expect(page.getByText('Does not forward queries')).toBeVisible();
      await expect.poll(() => stored.visit(new URL(service).host, `/${slug}`)).toMatchObject({ status: 404 });
      await expect.poll(() => stored.visit(host, `/${slug}?ref=mail`)).toMatchObject({ location: 'https://example.com/?shop=7' });

      await press(hand, page.getByRole('button', { name: 'Edit' }));
      await choose(hand, field(dialog(page), 'Query of a visit'), 'As the domain does');
      expect(await save(hand, page, 'UpdateLink')).toEqual({ forwardsQuery: null });
      await expect(page.getByText('forward queries')).toHaveCount(0);

      // The same for several links.
      for (const [choice, value] of [['Set to…', true], ['As the domain does', null]] as const) {
        await page.goto('/app/links');
        await press(hand, page.getByRole('checkbox', { name: 'Select all on this page' }));
        await press(hand, page.getByRole('region', { name: 'Selected links' }).getByRole('button', { name: 'Edit' }));
        await choose(hand, field(dialog(page), 'Query of a visit'), choice);
        if (value) await expect(field(dialog(page), 'Set “Query of a visit” to')).toHaveValue('true');
        await press(hand, dialog(page).getByRole('button', { name: 'Save' }));
        await expect(dialog(page)).toBeHidden();
        expect(await stored.read(`/links/${id}`)).toMatchObject({ forwardsQuery: value });
      }
    });
  });
}
