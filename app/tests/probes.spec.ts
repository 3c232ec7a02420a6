// Stored texts of users and visitors are shown as text on every page, whatever they contain.
import { expect, post, signIn, test, unique } from './fixtures.ts';
import { addresses, fill, settled } from './pages.ts';

const MARK = 'probed';
// Two, since an account has few webhooks; as long as a name may be.
const PROBES = [
  `<img src=x onerror=${MARK}()>"><script>${MARK}()</script>\${${MARK}()}{{${MARK}()}}`,
  `'"--></style></title><svg onload=${MARK}()>&lt;b&gt;" autofocus onfocus=${MARK}() x="`,
];
const PERSON = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

function visits(probe: string) {
  const encoded = encodeURIComponent(probe);
  const query = `?${['source', 'medium', 'campaign', 'term', 'content'].map((name) => `utm_${name}=${encoded}`).join('&')}`;
  return [
    { headers: { 'user-agent': PERSON, referer: `https://example.org/${encoded}`, 'accept-language': 'de' }, query },
    { headers: { 'user-agent': probe, referer: probe, 'accept-language': probe.slice(0, 30) }, query },
  ];
}

test('what can be stored shows as text', async ({ page, person, service }) => {
  test.setTimeout(60_000);
  page.on('dialog', (dialog) => {
    throw new Error(`a dialog: ${dialog.message()}`);
  });
  await page.addInitScript((mark) => {
    Object.assign(window, { [mark]: () => console.error('a probe ran') });
  }, MARK);

  for (const [index, probe] of PROBES.entries()) {
    await fill(service, person, {
      name: probe,
      slugs: [unique('probe')],
      destination: () => `https://example.com/?q=${encodeURIComponent(probe)}#${probe.replaceAll(' ', '')}`,
      visits: PROBES.flatMap(visits),
      domain: index === 0 ? `${unique('go')}.example.com` : undefined,
    });
  }
  await signIn(page, person);
  const shown: string[] = [];
  for (const address of await addresses(page)) {
    await page.goto(address);
    await settled(page);
    const made = page.locator(`[onerror], [onload], [onfocus], [src="x"], #app script, #app style, #app svg:not([class], [role], [aria-hidden])`);
    await expect(made, address).toHaveCount(0);
    shown.push(await page.locator('body').innerText());
  }
  const text = shown.join('\n');
  for (const probe of PROBES) expect(text).toContain(probe);
});

test('an address that runs is no destination', async ({ page, person, service }) => {
  const { accessToken } = await post(`${service}/auth/login`, person);
  for (const destinationUrl of ['javascript:alert(1)', ' JaVaScRiPt:alert(1)', 'data:text/html,<script>alert(1)</script>', 'vbscript:x']) {
    await expect(post(`${service}/links`, { destinationUrl }, accessToken)).rejects.toThrow(/422|400/);
  }
  // The form says so, too, and the address of the page fills in nothing that runs.
  await signIn(page, person, '/app/links/new?url=javascript%3Aalert(1)');
  await page.getByLabel('Destination').press('Enter');
  await expect(page.getByLabel('Destination')).toHaveAttribute('aria-invalid', 'true');
  // A `javascript:` URL, which runs as a bookmark, does not run here.
  await page.getByText('Shorten any page').click();
  const bookmarklet = page.getByRole('link', { name: 'Shorten this page' });
  await expect(bookmarklet).toHaveAttribute('href', `javascript:void open('${service}/app/links/new?url='+encodeURIComponent(location.href)+'&title='+encodeURIComponent(document.title))`);
  await bookmarklet.click();
  await expect(page.locator('a[href^="javascript:"]')).toHaveCount(1);
  expect(page.context().pages()).toHaveLength(1);
  // After signing in, only a page of the application is gone to.
  await page.goto('/app/login?next=javascript%3Aalert(1)');
  await page.waitForURL('**/app');
});
