import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, type Person, post, unique } from './fixtures.ts';

/** The addresses of a table of `shell/app.tsx`, so that a new page is in the tests that walk all pages. */
function table(name: string): string[] {
  const source = readFileSync(new URL('../src/shell/app.tsx', import.meta.url), 'utf8');
  const lines = source.match(new RegExp(`const ${name}: [^=]*= \\[([^]*?)\\n\\];`))?.[1] ?? '';
  return [...lines.matchAll(/\['([^']+)'/g)].map((match) => match[1]!);
}

export const DOORS = table('DOORS');
export const ROOMS = table('ROOMS');

/** The address of a door: those that mails lead to show what they have for whoever has a token. */
export const addressOf = (door: string): string => (/reset|email|invitation/.test(door) ? `${door}#token=none` : door);

/** Waits until what the page shows is there. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator('h1').first()).toBeAttached();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
}

/** The addresses of all pages of somebody who is signed in: a parameter is what the list above the page leads to. */
export async function addresses(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const room of ROOMS) {
    if (!room.includes(':')) {
      found.push(room);
      continue;
    }
    // What is below a page with a parameter is reached from there.
    const above = room.slice(0, room.lastIndexOf('/'));
    await page.goto(above.includes(':') ? found[ROOMS.indexOf(above)]! : above);
    await settled(page);
    const pattern = new RegExp(`^${room.replace(/:\w+/g, '[^/?]+')}$`);
    const links = await page.locator('main a').evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''));
    const address = links.find((link) => pattern.test(link) && !ROOMS.includes(link));
    if (!address) throw new Error(`${page.url()} has no link to ${room}`);
    found.push(address);
  }
  return found;
}

export interface Filling {
  /** Every name that a user can choose. */
  name: string;
  slugs: string[];
  destination(slug: string): string;
  /** Headers of visitors. */
  visits: { headers: Record<string, string>; query: string }[];
  domain?: string;
}

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** An account as it may be in use, with an unusually long slug. */
export const usual = (): Filling => ({
  name: 'Ada Lovelace',
  slugs: [unique('spring'), unique(`a-very-long-slug-${'that-goes-on-'.repeat(2)}`)],
  destination: (slug) => `https://www.example.com/landing/${slug}?utm_source=autumn`,
  visits: [
    { headers: { 'user-agent': AGENT, referer: 'https://news.example.org/', 'accept-language': 'de-CH' }, query: '?utm_source=mail' },
    { headers: { 'user-agent': 'Twitterbot/1.0' }, query: '' },
  ],
  domain: `${unique('go')}.example.com`,
});

/** A link that has begun, will end, and can be followed more often than any test does. */
const LIFE = {
  startsAt: '2026-01-02T03:04:05Z',
  expiresAt: '2099-01-02T03:04:05Z',
  expiredUrl: 'https://www.example.com/over',
  maxClicks: 1000,
};

/** An import that has ended, with a row that would become a link and one that can't. */
async function fillImport(service: string, { name, destination }: Filling, token: string): Promise<void> {
  const quoted = `"${name.replaceAll('"', '""')}"`;
  const slug = unique('imported');
  const data = `keyword,url,title\n${slug},${new URL(destination(slug)).href},${quoted}\n${quoted},nowhere,\n`;
  const { id } = await post(`${service}/imports`, { isDryRun: true, source: 'YOURLS', data }, token);
  const headers = { authorization: `Bearer ${token}` };
  const read = async () => (await fetch(`${service}/imports/${id}`, { headers })).json();
  await expect.poll(read).toMatchObject({ state: 'FINISHED', created: 1, failed: 1 });
}

/** Gives somebody one of everything that pages show. */
export async function fill(service: string, person: Person, filling: Filling): Promise<void> {
  const { accessToken: token } = await post(`${service}/auth/login`, person);
  await post(`${service}/me`, { name: filling.name }, token, 'PATCH');
  for (const [at, slug] of filling.slugs.entries()) {
    const { name } = filling;
    // The first one has all that a link can have.
    const texts = at === 0 && {
      title: name,
      notes: `${name}\n${slug}`,
      externalId: `${name} ${slug}`,
      forwardsQuery: true,
      tags: [name.slice(0, 50), ...Array.from({ length: 4 }, (_, more) => `${slug.slice(0, 40)}-${more}`)],
    };
    await post(`${service}/links`, { slug, destinationUrl: filling.destination(slug), ...LIFE, ...texts }, token);
    for (const { headers, query } of filling.visits) {
      await fetch(`${service}/${slug}${query}`, { headers, redirect: 'manual' });
    }
  }
  await post(`${service}/utm-templates`, { name: filling.name, source: filling.name, campaign: filling.slugs[0] }, token);
  const filter = [{ dimension: 'UTM_CAMPAIGN', operator: 'CONTAINS', values: [filling.name] }];
  await post(`${service}/reports`, { name: filling.name, filter, embedOrigins: ['https://wiki.example.com'] }, token);
  const allowedNetworks = ['192.0.2.0/24', '2001:db8::/32'];
  await post(`${service}/api-keys`, { name: filling.name, scopes: ['links:read'], allowedNetworks }, token);
  const url = 'https://hooks.example.com/linkgraph';
  await post(`${service}/webhooks`, { name: filling.name, url, events: ['domain.failing'] }, token);
  await fillImport(service, filling, token);
  if (filling.domain) {
    const { id } = await post(`${service}/domains`, { domain: filling.domain }, token);
    await post(`${service}/domains/${id}`, { rootUrl: LIFE.expiredUrl, ignoresCase: true }, token, 'PATCH');
  }
}
