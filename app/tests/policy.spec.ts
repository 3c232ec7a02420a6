// Data that the browser keeps. Every test checks that no request goes to another host.
import { createLink, expect, signIn, test, unique } from './fixtures.ts';
import { addresses, fill, settled, usual } from './pages.ts';

test('nothing that is kept in the browser opens anything', async ({ page, person, service, context }) => {
  await createLink(service, person, unique('kept'), 'https://example.com/');
  await signIn(page, person, '/app/links');
  await settled(page);
  await page.getByRole('button', { name: /^Copy/ }).first().click();
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();

  const kept = await page.evaluate(async () => ({
    local: { ...localStorage },
    session: { ...sessionStorage },
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    readable: document.cookie,
    globals: Object.getOwnPropertyNames(window).filter((name) => String(window[name as never]).includes('eyJ')),
    history: JSON.stringify(history.state),
  }));
  expect(kept.local).toEqual({ 'linkgraph.signed-in': '1', 'linkgraph.theme': 'dark' });
  expect(kept).toMatchObject({ session: {}, databases: [], caches: [], workers: 0, readable: '', globals: [] });
  expect(JSON.stringify(kept)).not.toContain('eyJ');
  expect(await page.content()).not.toContain('eyJ');

  const cookies = await context.cookies();
  expect(cookies).toHaveLength(1);
  expect(cookies[0]).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
  expect(cookies[0]!.value).not.toContain('eyJ');
});

test('every page has the policy, and gets nothing from elsewhere', async ({ page, person, service }) => {
  await fill(service, person, usual());
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  page.on('websocket', (socket) => hosts.add(new URL(socket.url()).host));
  await signIn(page, person);
  for (const address of await addresses(page)) {
    await page.goto(address);
    await settled(page);
    // Not what the browser got, which is 304 for a page that it has.
    const policy = (await fetch(service + address)).headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    expect(policy).not.toContain('unsafe');
  }
  expect([...hosts]).toEqual([new URL(service).host]);
});
