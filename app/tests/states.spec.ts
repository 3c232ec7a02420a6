// Each state that a page can be in: what a person sees and can do then, and that it is as accessible as the page itself.
import type { Page, Route } from '@playwright/test';
import { ALL, examine } from './axe.ts';
import { createLink, expect, OFFLINE, type Person, post, signIn, test, unique, visit } from './fixtures.ts';
import { addresses, fill, settled, usual } from './pages.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });
test.setTimeout(180_000);

interface Refusal {
  code: string;
  message?: string;
  details?: object;
  retryAfter?: number;
}

type Undo = () => Promise<void>;

async function intercept(page: Page, act: (route: Route) => unknown, only: RegExp): Promise<Undo> {
  const handle = (route: Route) => (only.test(route.request().postData() ?? '') ? act(route) : route.fallback());
  await page.route('**/graphql', handle);
  return () => page.unroute('**/graphql', handle);
}

/** Calls of the API, or only some, are answered by an error, as the documentation describes it. */
function refuse(page: Page, { retryAfter, message = 'Refused.', ...extensions }: Refusal, only = /./): Promise<Undo> {
  const errors = [{ message, extensions: { ...extensions, requestId: 'request-1' } }];
  const headers: Record<string, string> = retryAfter ? { 'retry-after': String(retryAfter) } : {};
  return intercept(page, (route) => route.fulfill({ json: { data: null, errors }, headers }), only);
}

/** Calls of the API wait until the answer is called. */
async function hold(page: Page): Promise<Undo> {
  let release = () => undefined as void;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const undo = await intercept(page, (route) => held.then(() => route.fallback()), /./);
  return async () => {
    release();
    await undo();
  };
}

/** The pages of somebody who is signed in and has one of everything. */
async function filled(page: Page, person: Person, service: string): Promise<string[]> {
  await fill(service, person, usual());
  await signIn(page, person);
  return addresses(page);
}

/** The form of a new link needs no answer before it is used, and help none at all. */
const withPanel = (all: string[]) => all.filter((address) => !['/app/links/new', '/app/help'].includes(address));

const alerts = (page: Page) => page.locator('main').getByRole('alert');
const banner = (page: Page) => page.locator('.banner');
const retry = (page: Page) => page.getByRole('button', { name: 'Try again' });
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' });

/** All sessions of a person end, as by a new password that was set elsewhere. */
async function endSessions(service: string, person: Person): Promise<void> {
  const { accessToken } = await post(`${service}/auth/login`, person);
  const password = `new ${person.password}`;
  await post(`${service}/me`, { password, currentPassword: person.password }, accessToken, 'PATCH');
  person.password = password;
}

async function signInAgain(page: Page, person: Person): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Your session is over' });
  await dialog.getByLabel('Password', { exact: true }).fill(person.password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await expect(dialog).toBeHidden();
}

test('loading: the page stands, and says that its content is on its way', async ({ page, person, service }) => {
  for (const address of withPanel(await filled(page, person, service))) {
    const release = await hold(page);
    await page.goto(address);
    await expect(page.locator('[aria-busy=true]').first()).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: 'Loading…' }).first()).toBeAttached();
    await expect(navigation(page)).toBeVisible();
    await examine(page, `${address}, loading`);
    await release();
    await settled(page);
  }
});

test('empty: each list says what to do, and offers it', async ({ page, person }) => {
  await signIn(page, person);
  const lists = [
    ['/app/links', 'No links yet', 'link', 'New link'],
    ['/app/links/tags', 'Group your links by tags', 'button', 'New tag'],
    ['/app/links/utm', 'Keep UTM parameters ready for many links', 'button', 'New UTM template'],
    ['/app/domains', 'Serve links on a domain of your own', 'button', 'Add a domain'],
    ['/app/developers', 'Call the API from your own programs', 'button', 'New API key'],
    ['/app/developers/webhooks', 'Let your own service know when something happens', 'button', 'New webhook'],
  ] as const;
  for (const [address, title, role, name] of lists) {
    await page.goto(address);
    const state = page.locator('.state').filter({ hasText: title });
    await expect(state).toBeVisible();
    await state.getByRole(role, { name }).click();
    if (role === 'link') await expect(page).toHaveURL('/app/links/new');
    else await expect(page.getByRole('dialog', { name })).toBeVisible();
  }
  await page.goto('/app');
  await expect(page.getByRole('region', { name: /^Three steps/ })).toBeVisible();
  await page.goto('/app/links?search=nothing');
  await page.getByRole('button', { name: 'Take the filters away' }).click();
  await expect(page.getByText('No links yet')).toBeVisible();
  await page.goto('/app/billing');
  await expect(page.getByText('The first one comes with a subscription.')).toBeVisible();
  await page.goto('/app/settings');
  await expect(page.getByText('There is no link yet, so nothing to export.')).toBeVisible();
  await expect(page.getByText('You are signed in nowhere else.')).toBeVisible();
});

test('error: told once, with the request id, and tried again', async ({ page, person, service }) => {
  for (const address of withPanel(await filled(page, person, service))) {
    const undo = await refuse(page, { code: 'INTERNAL_ERROR' });
    await page.goto(address);
    // A link has two requests: what it is, and its statistics.
    await expect(alerts(page)).toHaveCount(/links\/(?!tags|utm|import)[^/]+$/.test(address) ? 2 : 1);
    await expect(alerts(page).first()).toContainText('The fault is ours');
    await expect(alerts(page).first()).toContainText('Request request-1');
    await expect(navigation(page)).toBeVisible();
    await examine(page, `${address}, error`);
    await undo();
    for (let left = await retry(page).count(); left > 0; left -= 1) {
      await retry(page).first().click();
      await expect(retry(page)).toHaveCount(left - 1);
    }
    await settled(page);
    await expect(alerts(page)).toHaveCount(0);
  }
});

test('error in a part: the rest of the page stays, and so does what was there', async ({ page, person, service }) => {
  const slug = unique('part');
  await createLink(service, person, slug, 'https://example.com/part');
  await signIn(page, person, '/app/links');
  const statistics = await refuse(page, { code: 'INTERNAL_ERROR' }, /LinkSummary/);
  await page.getByRole('link', { name: slug }).click();
  await expect(page.getByRole('heading', { name: slug })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Period' })).toBeVisible();
  await expect(alerts(page)).toHaveCount(1);
  await examine(page, 'a link without its statistics', ALL);
  await statistics();

  await page.goto('/app/links');
  await expect(page.getByRole('link', { name: slug })).toBeVisible();
  const list = await refuse(page, { code: 'INTERNAL_ERROR' });
  await page.getByLabel('Order').selectOption('Oldest');
  await expect(alerts(page)).toHaveCount(1);
  await expect(page.getByRole('link', { name: slug })).toBeVisible();
  await examine(page, 'older links below an error', ALL);
  await list();

  // An answer that no page expects: its code fails, and takes nothing else along.
  const wrong = await intercept(page, (route) => route.fulfill({ json: { data: { links: {} } } }), /Links\(/);
  await page.goto('/app/links');
  await expect(alerts(page)).toContainText('This part of the page failed.');
  await examine(page, 'a page that failed', ALL);
  await wrong();
  await navigation(page).getByRole('link', { name: 'Domains' }).click();
  await expect(page.getByRole('heading', { name: 'Domains', level: 1 })).toBeVisible();
});

test('nothing there: an id that leads nowhere', async ({ page, person }) => {
  await signIn(page, person);
  const lists = {
    links: 'There is no such link',
    'links/import': 'There is nothing here',
    domains: 'There is no such domain',
    'developers/webhooks': 'There is no such webhook',
  };
  for (const [list, title] of Object.entries(lists)) {
    for (const id of ['01890000-0000-7000-8000-000000000000', 'nonsense']) {
      await page.goto(`/app/${list}/${id}`);
      await expect(alerts(page)).toHaveCount(1);
      await expect(alerts(page).getByRole('heading')).toHaveText(title);
      // It would not be there the second time either.
      await expect(retry(page)).toHaveCount(0);
    }
    await examine(page, `nothing in ${list}`);
    await alerts(page).getByRole('link', { name: 'Back to the list' }).click();
    await expect(page).toHaveURL(`/app/${list}`);
    await settled(page);
    await expect(alerts(page)).toHaveCount(0);
  }
});

test('plan limit: what is used, and the way to more, where it was asked for', async ({ page, person, service }) => {
  const { accessToken } = await post(`${service}/auth/login`, person);
  await post(`${service}/domains`, { domain: `${unique('go')}.example.com` }, accessToken);
  for (const name of ['a', 'b', 'c', 'd', 'e']) await post(`${service}/api-keys`, { name, scopes: [] }, accessToken);
  const webhook = { url: 'https://hooks.example.com/', events: ['link.created'] };
  for (const name of ['a', 'b']) await post(`${service}/webhooks`, { name, ...webhook }, accessToken);
  await signIn(page, person);

  const full = [
    ['/app/domains', 'Add a domain', { Domain: `${unique('two')}.example.com` }, 'Your plan allows 1 domain, and you have 1.'],
    ['/app/developers', 'New API key', { Name: 'f' }, 'Your plan allows 5 API keys, and you have 5.'],
    ['/app/developers/webhooks', 'New webhook', { Name: 'c', URL: webhook.url }, 'Your plan allows 2 webhooks, and you have 2.'],
  ] as const;
  for (const [address, button, fields, told] of full) {
    await page.goto(address);
    await page.getByRole('button', { name: button }).click();
    const dialog = page.getByRole('dialog');
    for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(value);
    await dialog.locator('[type=submit]').click();
    await expect(dialog.getByRole('alert')).toContainText(told);
    await examine(page, `${address}, plan limit`);
    await dialog.getByRole('link', { name: 'See the plans' }).click();
    await expect(page).toHaveURL('/app/billing');
    await expect(page.getByRole('heading', { name: 'Plans' })).toBeVisible();
  }
  await examine(page, 'billing with limits that are used up', ALL);

  const details = { resource: 'links', used: 1000, limit: 1000 };
  await refuse(page, { code: 'PLAN_LIMIT_REACHED', details }, /CreateLink/);
  await page.goto('/app/links/new?url=https%3A%2F%2Fexample.com%2F');
  await page.getByRole('button', { name: 'Create the link' }).click();
  await expect(alerts(page)).toContainText('Your plan allows 1,000 links, and you have 1,000.');
  await expect(page.getByRole('link', { name: 'See the plans' })).toBeVisible();
  await examine(page, 'a new link, plan limit', ALL);
});

test('rate limit: counts down, and then tries by itself', async ({ page, person }) => {
  await page.clock.install();
  await signIn(page, person);
  const undo = await refuse(page, { code: 'RATE_LIMITED', retryAfter: 100 });
  await page.goto('/app/domains');
  await expect(alerts(page)).toContainText(/Too many requests\. Again in \d+ seconds\./);
  await expect(alerts(page)).toContainText(/Trying again in \d+ seconds/);
  await examine(page, 'domains, rate limit', ALL);
  await undo();
  await page.clock.fastForward(100_000);
  await expect(page.getByText('Serve links on a domain of your own')).toBeVisible();
  await expect(alerts(page)).toHaveCount(0);
});

test('forbidden: which permission is missing, or why', async ({ page, person }) => {
  await signIn(page, person);
  const undo = await refuse(page, { code: 'FORBIDDEN', details: { scope: 'domains:manage' } });
  await page.goto('/app/domains');
  await expect(alerts(page)).toContainText('Your role in this workspace does not include this');
  await examine(page, 'domains, forbidden', ALL);
  await undo();
  await refuse(page, { code: 'FORBIDDEN', details: { reason: 'ACCOUNT_SUSPENDED' } }, /CreateLink/);
  await page.goto('/app/links/new?url=https%3A%2F%2Fexample.com%2Fkept');
  await page.getByRole('button', { name: 'Create the link' }).click();
  await expect(alerts(page)).toContainText('The operator of this service has suspended the account.');
  await expect(page.getByLabel('Destination')).toHaveValue('https://example.com/kept');
  await examine(page, 'a new link, forbidden', ALL);
});

test('offline: what is there stays, and what changes something says why it waits', async ({ page, context, person, service, allowed }) => {
  allowed.push(OFFLINE);
  const slug = unique('offline');
  await createLink(service, person, slug, 'https://example.com/offline');
  await signIn(page, person, '/app/links');
  await expect(page.getByRole('link', { name: slug })).toBeVisible();
  await context.setOffline(true);
  await expect(banner(page)).toContainText('You are offline.');
  await expect(page.getByRole('link', { name: slug })).toBeVisible();
  await expect(page.getByRole('switch')).toBeDisabled();
  await examine(page, 'links, offline', ALL);
  await context.setOffline(false);
  await expect(banner(page)).toHaveCount(0);
  await expect(page.getByRole('switch')).toBeEnabled();

  await page.goto('/app/links/new');
  await settled(page);
  await page.getByLabel('Destination').fill('https://example.com/kept');
  await context.setOffline(true);
  const create = page.getByRole('button', { name: 'Create the link' });
  await expect(create).toBeDisabled();
  await expect(create).toHaveAttribute('title', 'Not while you are offline');
  // It can be asked by keyboard why.
  await create.focus();
  await expect(create).toBeFocused();
  await examine(page, 'a new link, offline', ALL);
  await context.setOffline(false);
  await create.click();
  await expect(page.getByRole('textbox', { name: 'Your link is ready' })).toBeVisible();
});

test('offline: a page that could not be loaded comes by itself when the line is back', async ({ page, context, person, allowed }) => {
  allowed.push(OFFLINE, /Failed to load resource|Failed to fetch/);
  await signIn(page, person, '/app/links');
  await settled(page);
  await context.setOffline(true);
  for (const name of ['Billing', 'Settings']) {
    await navigation(page).getByRole('link', { name }).click();
    await expect(page.getByText('This page could not be loaded')).toBeVisible();
  }
  await examine(page, 'a page that could not be loaded, offline', ALL);
  await page.setViewportSize({ width: 1280, height: 900 });
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible();
  await expect(banner(page)).toHaveCount(0);

  // Also one that somebody left meanwhile.
  await context.setOffline(true);
  await navigation(page).getByRole('link', { name: 'Domains' }).click();
  await expect(page.getByText('This page could not be loaded')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible();
  await context.setOffline(false);
  await expect(banner(page)).toHaveCount(0);
  await navigation(page).getByRole('link', { name: 'Domains' }).click();
  await expect(page.getByText('Serve links on a domain of your own')).toBeVisible();
});

test('database away: said once above, the form keeps its input, and all comes back by itself', async ({ page, person, allowed }) => {
  allowed.push(/Failed to load resource/);
  await signIn(page, person, '/app/domains');
  await expect(page.getByText('Serve links on a domain of your own')).toBeVisible();
  const unready = { success: false, error: { code: 'UNAVAILABLE', details: { failed: ['database'] } } };
  await page.route('**/ready', (route) => route.fulfill({ status: 503, json: unready }));
  const undo = await refuse(page, { code: 'UNAVAILABLE', retryAfter: 1 });
  await page.getByRole('button', { name: 'Add a domain' }).first().click();
  const dialog = page.getByRole('dialog');
  const domain = `${unique('go')}.example.com`;
  await dialog.getByLabel('Domain').fill(domain);
  await dialog.getByRole('button', { name: 'Add the domain' }).click();
  await expect(dialog.getByRole('alert')).toContainText('The database is away. Your links still redirect.');
  await expect(banner(page)).toContainText('We keep trying.');
  await expect(dialog.getByLabel('Domain')).toHaveValue(domain);
  await examine(page, 'a new domain, database away', ALL);
  await undo();
  await page.unroute('**/ready');
  await expect(banner(page)).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Add the domain' }).click();
  await expect(page.getByRole('heading', { name: domain })).toBeVisible();
});

test('service away: said above, also when the application starts', async ({ page, person, allowed }) => {
  allowed.push(/Failed to load resource/);
  await signIn(page, person, '/app/domains');
  await expect(page.getByText('Serve links on a domain of your own')).toBeVisible();
  const undo = await intercept(page, (route) => route.abort('connectionrefused'), /./);
  await page.route('**/ready', (route) => route.abort('connectionrefused'));
  await navigation(page).getByRole('link', { name: 'Links' }).click();
  await expect(banner(page)).toContainText('The service can’t be reached. We keep trying.');
  await expect(alerts(page)).toContainText('Check your connection and try again.');
  await examine(page, 'links, service away', ALL);
  await undo();
  await page.unroute('**/ready');
  await expect(page.getByText('No links yet')).toBeVisible();
  await expect(banner(page)).toHaveCount(0);

  await page.route('**/auth/session/refresh', (route) => route.abort('connectionrefused'));
  await page.goto('/app/links');
  await expect(page.getByText('The service can’t be reached. We keep trying.')).toBeVisible();
  await examine(page, 'the start, service away', ALL);
  await page.unroute('**/auth/session/refresh');
  await expect(page.getByText('No links yet')).toBeVisible();
});

test('live lost: said above, and what was missed is fetched', async ({ page, person, service, allowed }) => {
  allowed.push(/WebSocket/);
  const slug = unique('live');
  await createLink(service, person, slug, 'https://example.com/live');
  let cut = () => Promise.resolve();
  let isCut = false;
  await page.routeWebSocket('**/graphql/ws', (socket) => {
    if (isCut) {
      void socket.close({ code: 1011 });
      return;
    }
    socket.connectToServer();
    cut = () => socket.close({ code: 1011 });
  });
  await page.clock.install();
  await signIn(page, person, '/app');
  const live = page.getByText('Live', { exact: true });
  await expect(live).toBeVisible();
  isCut = true;
  await cut();
  await expect(banner(page)).toContainText('Live updates are paused, reconnecting…');
  await expect(live).toBeHidden();
  await examine(page, 'the overview, live lost', ALL);
  await visit(`${service}/${slug}`);
  isCut = false;
  await page.clock.fastForward(20_000);
  await expect(live).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
  await expect(page.locator('.figure').filter({ hasText: 'Clicks' }).locator('strong')).toHaveText('1');
});

test('live not fetched: fetched again, and then live', async ({ page, person, service, allowed }) => {
  allowed.push(/status of 404/);
  await createLink(service, person, unique('live'), 'https://example.com/live');
  const gone = (route: Route) => route.fulfill({ status: 404, body: '' });
  await page.route('**/assets/socket-*.js', gone);
  await page.clock.install();
  const asked = page.waitForResponse('**/assets/socket-*.js');
  await signIn(page, person, '/app');
  await asked;
  const live = page.getByText('Live', { exact: true });
  await expect(live).toBeHidden();
  await page.unroute('**/assets/socket-*.js', gone);
  await page.clock.fastForward(20_000);
  await expect(live).toBeVisible();
});

test('session over: the next request asks for the password above any page, and goes on', async ({ page, person, service, allowed }) => {
  allowed.push(/status of 401/);
  const pages = {
    Overview: 'Overview',
    Links: 'Links',
    Domains: 'Domains',
    Developers: 'Developers',
    Billing: 'Billing',
    Settings: 'Settings',
  };
  await signIn(page, person, '/app/links/new');
  await settled(page);
  for (const [name, heading] of Object.entries(pages)) {
    await endSessions(service, person);
    // Where a socket is open, the dialog may be there already, above what is clicked.
    await navigation(page).getByRole('link', { name }).dispatchEvent('click');
    await expect(page.getByRole('dialog', { name: 'Your session is over' })).toBeVisible();
    await signInAgain(page, person);
    await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
    await settled(page);
  }
  // In the middle of a form, by its own request.
  await page.getByRole('button', { name: 'Change the name' }).click();
  const form = page.getByRole('dialog', { name: 'Change the name' });
  await form.getByLabel('Name').fill('Ada King');
  await endSessions(service, person);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog', { name: 'Your session is over' })).toBeVisible();
  await examine(page, 'a form, session over', ALL);
  await signInAgain(page, person);
  await expect(form).toBeHidden();
  await expect(page.getByRole('definition').filter({ hasText: 'Ada King' })).toBeVisible();
});

test('session over: a page that is seen again after a while says so before anything is typed', async ({ page, person, service, allowed }) => {
  allowed.push(/status of 401/);
  await page.clock.install();
  await signIn(page, person, '/app/settings');
  await settled(page);
  await endSessions(service, person);
  const dialog = page.getByRole('dialog', { name: 'Your session is over' });
  const see = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  // At once it is not worth a request.
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await see();
  await page.clock.fastForward('06:00');
  expect(asked.filter((url) => url.endsWith('/refresh'))).toEqual([]);
  await see();
  await expect(dialog).toBeVisible();
  await signInAgain(page, person);
});

test('a new version: a page whose file is gone loads anew, once', async ({ page, person, allowed }) => {
  allowed.push(/status of 404/);
  await signIn(page, person);
  await settled(page);
  const gone = (route: Route) => route.fulfill({ status: 404, body: '' });
  const loads: string[] = [];
  page.on('load', () => loads.push(page.url()));
  await page.route('**/assets/billing-*.js', gone, { times: 1 });
  await navigation(page).getByRole('link', { name: 'Billing' }).click();
  await expect(page.getByRole('heading', { name: 'Plans' })).toBeVisible();
  expect(loads).toEqual([expect.stringContaining('/app/billing')]);

  // Where the new version has no such file either, that is said.
  await page.route('**/assets/settings-*.js', gone);
  await navigation(page).getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByText('This page could not be loaded')).toBeVisible();
  expect(loads).toHaveLength(2);
  await examine(page, 'a page that could not be loaded', ALL);
  await page.unroute('**/assets/settings-*.js');
  await retry(page).click();
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible();
});

test('a dialog whose file can’t be fetched: told, and fetched when it is opened again', async ({ page, context, person, service, allowed }) => {
  allowed.push(/status of 404/, OFFLINE);
  const slug = unique('late');
  await createLink(service, person, slug, 'https://example.com/late');
  const gone = (route: Route) => route.fulfill({ status: 404, body: '' });
  await page.route('**/assets/dialogs-*.js', gone);
  await signIn(page, person, '/app/links');
  await page.getByRole('link', { name: slug }).click();
  await settled(page);
  const toast = page.locator('.toast.error');
  const dialog = page.getByRole('dialog');
  const open = async (name: string) => {
    const button = page.getByRole('button', { name });
    await button.click();
    await expect(toast).toContainText('The service can’t be reached.');
    await expect(dialog).toHaveCount(0);
    await expect(button).toBeFocused();
    await toast.getByRole('button', { name: 'Close' }).click();
    return button;
  };

  // After an upgrade the page loads anew, once.
  const anew = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Edit' }).click();
  await anew;
  await settled(page);
  const edit = await open('Edit');
  await context.setOffline(true);
  const qr = await open('QR code');
  await context.setOffline(false);

  await page.unroute('**/assets/dialogs-*.js', gone);
  await qr.click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(qr).toBeFocused();
  await edit.click();
  await expect(dialog.getByLabel('Destination')).toBeFocused();
});

test('the payment provider is away: said where the button was pressed', async ({ page, person }) => {
  await signIn(page, person, '/app/billing');
  await refuse(page, { code: 'UNAVAILABLE', retryAfter: 10 }, /CreateCheckout/);
  await page.getByRole('button', { name: 'Choose Pro' }).click();
  await expect(alerts(page)).toContainText('The payment provider does not answer.');
  await expect(banner(page)).toHaveCount(0);
  await examine(page, 'billing, provider away', ALL);
});
