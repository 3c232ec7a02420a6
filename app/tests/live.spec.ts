import type { WebSocketRoute } from '@playwright/test';
import { createLink, expect, type Person, post, signIn, test, unique, visit } from './fixtures.ts';

/** Something to wait for, and what ends the waiting. */
function gate() {
  let open = () => {};
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { isOpen, open };
}

/** Follows a link for the first time, until that is stored. */
async function visitFirst(service: string, person: Person, slug: string): Promise<void> {
  const { accessToken } = await post(`${service}/auth/login`, person);
  const headers = { authorization: `Bearer ${accessToken}` };
  await visit(`${service}/${slug}`);
  const clicks = async () => (await (await fetch(`${service}/links?search=${slug}`, { headers })).json()).data[0].clickCount;
  await expect.poll(clicks).toBe(1);
}

test('a click between the answer of a link’s page and the late beginning of its subscription is shown', async ({ page, person, service }) => {
  const slug = unique('missed');
  await createLink(service, person, slug, 'https://example.com/missed');
  const { isOpen, open } = gate();
  await page.route('**/socket-*.js', async (route) => {
    await isOpen;
    await route.continue();
  });
  await page.clock.install();
  await signIn(page, person, '/app/links');
  await page.getByRole('link', { name: slug }).click();
  const count = page.getByRole('status').filter({ hasText: /\d clicks?/ });
  await expect(count).toHaveText('0 clicks');

  await visitFirst(service, person, slug);
  await expect(count).toHaveText('0 clicks');
  await page.clock.fastForward(2000);
  open();
  await expect(count).toHaveText('1 click');
  await expect(page.locator('.figure').filter({ hasText: 'Clicks' }).locator('strong')).toHaveText('1');
});

test('a click while the socket is broken is shown when it is there again', async ({ page, person, service }) => {
  const slug = unique('broken');
  await createLink(service, person, slug, 'https://example.com/broken');
  const { isOpen, open } = gate();
  const sockets: WebSocketRoute[] = [];
  let isBroken = false;
  await page.routeWebSocket('**/graphql/ws', async (socket) => {
    sockets.push(socket);
    if (isBroken) await isOpen;
    socket.connectToServer();
  });
  await signIn(page, person, '/app/links');
  await page.getByRole('link', { name: slug }).click();
  const count = page.getByRole('status').filter({ hasText: /\d clicks?/ });
  await expect(count).toHaveText('0 clicks');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();

  isBroken = true;
  await sockets.at(-1)!.close({ code: 1012 });
  await visitFirst(service, person, slug);
  await expect(count).toHaveText('0 clicks');
  open();
  await expect(count).toHaveText('1 click');
});

test('a page is live when the service has its subscription', async ({ page, person, service }) => {
  const slug = unique('begun');
  await createLink(service, person, slug, 'https://example.com/begun');
  await visitFirst(service, person, slug);
  const { isOpen, open } = gate();
  let isHeld = false;
  let held = 0;
  await page.routeWebSocket('**/graphql/ws', (socket) => {
    const server = socket.connectToServer();
    if (!isHeld) return;
    socket.onMessage(async (message) => {
      const { type } = JSON.parse(String(message)) as { type: string };
      if (type !== 'connection_init') {
        held += 1;
        await isOpen;
      }
      server.send(message);
    });
  });
  await signIn(page, person, '/app');
  const live = page.getByText('Live', { exact: true });
  await expect(live).toBeVisible();

  isHeld = true;
  await page.getByRole('link', { name: slug }).click();
  const count = page.getByRole('status').filter({ hasText: /\d clicks?/ });
  await expect(count).toHaveText('1 click');
  // The subscription and the ping.
  await expect.poll(() => held).toBe(2);
  await expect(live).toBeHidden();
  open();
  await expect(live).toBeVisible();
  await visit(`${service}/${slug}`);
  await expect(count).toHaveText('2 clicks');
});

test('a page is not live by the socket of the page before', async ({ page, person, service }) => {
  const slug = unique('before');
  await createLink(service, person, slug, 'https://example.com/before');
  await visitFirst(service, person, slug);
  let closing: WebSocketRoute | undefined;
  await page.routeWebSocket('**/graphql/ws', (socket) => {
    socket.connectToServer();
    // Only the first one closes slowly.
    if (!closing) socket.onClose(() => (closing = socket));
  });
  await signIn(page, person, '/app');
  const live = page.getByText('Live', { exact: true });
  await expect(live).toBeVisible();

  await page.getByRole('link', { name: slug }).click();
  await expect(page.getByRole('status').filter({ hasText: /\d clicks?/ })).toHaveText('1 click');
  await expect.poll(() => closing).toBeDefined();
  await expect(live).toBeHidden();
  await closing!.close({ code: 1000 });
  await expect(live).toBeVisible();
});
