import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test as base, expect, type Locator, type Page, type Request } from '@playwright/test';
import { type Dns, startDns } from './dns.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { freePort, Service } from './service.ts';

export { expect };

/** Every journey is made twice. */
export const HANDS = ['mouse', 'keyboard'] as const;
export type Hand = (typeof HANDS)[number];

const PASSWORD = 'correct horse battery staple';
const MOST_TABS = 80;

export interface Person {
  email: string;
  password: string;
}

/** The API's answer to a POST, without the application. */
export async function post(url: string, body: object, token?: string, method = 'POST') {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return response.status === 204 ? undefined : response.json();
}

interface Own {
  /** Somebody who is registered, and not signed in. */
  person: Person;
  /** Trouble that a test causes on purpose, by its message. */
  allowed: RegExp[];
  /** Gets the events of webhooks. */
  receiver: Receiver;
  /** Fails the test for any error in the console, violation of the policy, or request to another host. */
  watched: void;
}

interface Shared {
  /** Where the service listens. */
  host: string;
  /** Whether it limits rates. */
  limits: 'on' | 'off';
  /** Whether others than the first user may register without an invitation. */
  registration: 'open' | 'closed';
  service: string;
  /** The database of the service; SQLite in its data directory if absent. */
  databaseUrl: string | undefined;
  /** The service, if the tests start it. */
  node: Service | undefined;
  /** The data directory of the service. */
  data: string;
  /** The DNS server that the service asks about domains, if the tests start it. */
  dns: Dns;
}

/** `LINKGRAPH_URL` and `LINKGRAPH_DATA` are a service that runs; otherwise `LINKGRAPH_BIN` is started on an empty database. */
export const test = base.extend<Own, Shared>({
  host: ['127.0.0.1', { option: true, scope: 'worker' }],
  limits: ['off', { option: true, scope: 'worker' }],
  registration: ['open', { option: true, scope: 'worker' }],
  data: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names
    async ({}, use) => {
      const running = process.env.LINKGRAPH_DATA;
      const data = running ?? mkdtempSync(path.join(tmpdir(), 'linkgraph-app-'));
      await use(data);
      if (!running) rmSync(data, { recursive: true });
    },
    { scope: 'worker' },
  ],
  dns: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names
    async ({}, use) => {
      const dns = await startDns();
      await use(dns);
      dns.close();
    },
    { scope: 'worker' },
  ],
  databaseUrl: [undefined, { option: true, scope: 'worker' }],
  node: [
    async ({ data, host, limits, registration, dns, databaseUrl }, use) => {
      if (process.env.LINKGRAPH_URL) {
        await use(undefined);
        return;
      }
      const service = new Service(`${host}:${await freePort(host)}`, {
        LINKGRAPH_DATA_DIR: data,
        LINKGRAPH_RATE_LIMITS: limits,
        LINKGRAPH_REGISTRATION: registration,
        LINKGRAPH_DNS_SERVER: dns.address,
        // The receivers of webhooks run on this machine.
        LINKGRAPH_ALLOW_PRIVATE_TARGETS: 'true',
        ...(databaseUrl && { DATABASE_URL: databaseUrl }),
      });
      try {
        await service.start();
        await use(service);
      } finally {
        await service.end();
      }
    },
    { scope: 'worker' },
  ],
  service: [
    async ({ node }, use) => use(node?.url ?? process.env.LINKGRAPH_URL!),
    { scope: 'worker' },
  ],
  baseURL: async ({ service }, use) => use(service),
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names
  allowed: async ({}, use) => use([]),
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names
  receiver: async ({}, use) => {
    const receiver = await startReceiver();
    await use(receiver);
    receiver.close();
  },
  person: async ({ service }, use) => {
    const person = { email: `ada.${crypto.randomUUID()}@example.com`, password: PASSWORD };
    await post(`${service}/auth/register`, { ...person, name: 'Ada Lovelace' });
    await use(person);
  },
  watched: [
    async ({ context, service, allowed }, use) => {
      const trouble: string[] = [];
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) => {
          console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
        });
      });
      context.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') trouble.push(message.text());
      });
      context.on('weberror', (event) => trouble.push(String(event.error())));
      context.on('request', (request) => {
        const isOwn = request.url().startsWith(service) || /^(data|blob):/.test(request.url());
        const isDestination = request.isNavigationRequest();
        if (!isOwn && !isDestination) trouble.push(`request to ${request.url()}`);
      });
      await use();
      expect(trouble.filter((text) => !allowed.some((pattern) => pattern.test(text)))).toEqual([]);
    },
    { auto: true },
  ],
});

const hasFocus = (target: Locator): Promise<boolean> => target.evaluate((element) => element === document.activeElement);

export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    if (await hasFocus(target)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`not reached by Tab: ${target}`);
}

/** Presses a button, link or switch, by either hand. */
export async function press(hand: Hand, target: Locator): Promise<void> {
  if (hand === 'mouse') {
    await target.click();
    return;
  }
  await tabTo(target.page(), target);
  const isSwitch = await target.evaluate((element) => element instanceof HTMLInputElement);
  await target.page().keyboard.press(isSwitch ? 'Space' : 'Enter');
}

/** Types into a field in place of what it has, by either hand. */
export async function type(hand: Hand, target: Locator, text: string): Promise<void> {
  if (hand === 'mouse') await target.click();
  else await tabTo(target.page(), target);
  await target.page().keyboard.press('Control+A');
  await target.page().keyboard.type(text);
}

export async function signIn(page: Page, { email, password }: Person, next = '/app'): Promise<void> {
  await page.goto(`/app/login?next=${encodeURIComponent(next)}`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname + url.search === next);
}

export async function createLink(service: string, person: Person, slug: string, destinationUrl: string): Promise<void> {
  const { accessToken } = await post(`${service}/auth/login`, person);
  await post(`${service}/links`, { slug, destinationUrl }, accessToken);
}

/** What a form sent to change, without the version that it was opened with. */
export function changeIn(request: Request): object {
  const { expectedUpdatedAt: _version, ...change } = request.postDataJSON().variables.input;
  return change;
}

/** Messages of the browser about requests and live connections that end when the network is lost. */
export const OFFLINE = /net::ERR_INTERNET_DISCONNECTED|WebSocket connection to/;

/** Headers of a person; whoever has none is a bot. */
export const VISITOR = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

/** Follows a link as a visitor would, who is nobody of the application. */
export const visit = (url: string) => fetch(url, { headers: VISITOR, redirect: 'manual' });

/** A slug that no other test has. */
export const unique = (name: string): string => `${name}-${crypto.randomUUID().slice(0, 8)}`;
