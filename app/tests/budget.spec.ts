// What a browser fetches that has nothing yet, for somebody who is signed in, until the page is live. Dialogs come a second later.
import { expect, post, test, unique } from './fixtures.ts';
import { settled } from './pages.ts';

const LIMITS = [
  ['/app/links', 57_500],
  ['/app', 60_000],
] as const;
const MOST_REQUESTS = 15;

for (const locale of ['en-GB', 'de-CH']) {
  test.describe(locale, () => {
    test.use({ locale });
    for (const [address, limit] of LIMITS) {
      test(`${address} in ${locale} is within its budget`, async ({ page, context, person, service, allowed }) => {
        const { accessToken } = await post(`${service}/auth/login`, person);
        await post(`${service}/links`, { slug: unique('budget'), destinationUrl: 'https://example.com/' }, accessToken);
        const data = { ...person, isPersistent: true };
        await page.request.post('/auth/session', { data, headers: { 'x-linkgraph': '1' } });
        await page.addInitScript(() => localStorage.setItem('linkgraph.signed-in', '1'));
        await page.route('**/dialogs-*.js', (route) => route.abort());
        allowed.push(/net::ERR_FAILED/);

        const kinds = new Map<string, string>();
        let bytes = 0;
        const network = await context.newCDPSession(page);
        await network.send('Network.enable');
        network.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
          if (!request.url.includes('/dialogs-')) kinds.set(requestId, `${type} ${request.url}`);
        });
        network.on('Network.webSocketCreated', ({ requestId, url }) => kinds.set(requestId, `WebSocket ${url}`));
        network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
          if (kinds.get(requestId)?.startsWith('Script ')) bytes += encodedDataLength;
        });
        const opened = page.waitForEvent('websocket');
        await page.goto(address);
        await (await opened).waitForEvent('framereceived');
        await settled(page);
        await expect(page.locator('html')).toHaveAttribute('lang', locale.slice(0, 2));

        const all = [...kinds.values()];
        console.log(`${address} in ${locale}: ${bytes} bytes of script, ${all.length} requests`);
        expect(bytes).toBeGreaterThan(10_000);
        expect(bytes).toBeLessThanOrEqual(limit);
        expect(all.length, all.join('\n')).toBeLessThanOrEqual(MOST_REQUESTS);
        // The page is seen before it is live.
        const { painted, socket } = await page.evaluate(() => ({
          painted: performance.getEntriesByName('first-contentful-paint')[0]!.startTime,
          socket: performance.getEntriesByType('resource').find(({ name }) => name.includes('/socket-'))!.startTime,
        }));
        expect(socket).toBeGreaterThan(painted);
      });
    }
  });
}
