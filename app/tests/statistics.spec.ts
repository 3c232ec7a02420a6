import { createLink, expect, HANDS, press, signIn, test, unique, visit, VISITOR } from './fixtures.ts';

// On 2026-03-29 the clocks there go forward.
test.use({ timezoneId: 'Europe/Zurich' });

test('the time and the clicks of a page of statistics are chosen by its address, by hand and by key', async ({
  page,
  person,
  service,
}) => {
  const slug = unique('counted');
  await createLink(service, person, slug, 'https://example.com/counted');
  for (const agent of [VISITOR['user-agent'], 'Twitterbot/1.0', 'Googlebot/2.1']) {
    await fetch(`${service}/${slug}`, { headers: { 'user-agent': agent }, redirect: 'manual' });
  }
  const asked: { variables: Record<string, unknown> }[] = [];
  page.on('request', (request) => {
    if (/Overview\(|LinkSummary\(/.test(request.postData() ?? '')) asked.push(request.postDataJSON());
  });
  const clicks = page.locator('.figure').filter({ hasText: 'Clicks' }).locator('strong');

  await signIn(page, person, '/app');
  await expect(clicks).toHaveText('1');
  await page.getByRole('link', { name: slug }).click();
  await expect(page.getByRole('heading', { name: slug })).toBeVisible();
  const path = new URL(page.url()).pathname;

  for (const at of ['/app', path]) {
    await page.goto(at);
    await expect(clicks).toHaveText('1');
    for (const [key, address] of [
      ['d', '?period=day'],
      ['w', '?period=week'],
      ['y', '?period=year'],
      ['m', ''],
      ['ArrowLeft', '?back=1'],
      ['d', '?period=day'],
    ] as const) {
      await page.keyboard.press(key);
      await expect(page).toHaveURL(`${at}${address}`);
    }
    await page.getByRole('switch', { name: 'With bots' }).click();
    await expect(page).toHaveURL(`${at}?period=day&bots=yes`);
    await expect(clicks).toHaveText('3');
    await page.getByRole('link', { name: 'The period before' }).click();
    await expect(page).toHaveURL(`${at}?period=day&back=1&bots=yes`);
    await expect(clicks).toHaveText('0');
    await page.keyboard.press('ArrowRight');
    await expect(clicks).toHaveText('3');
    await page.getByRole('switch', { name: 'With bots' }).click();
    await expect(page).toHaveURL(`${at}?period=day`);
    await expect(clicks).toHaveText('1');
  }
  expect(asked.every(({ variables }) => variables.timeZone === 'Europe/Zurich')).toBe(true);
});

test('periods begin at midnights of the user’s zone, also across a change of the clocks', async ({ page, person, service }) => {
  await createLink(service, person, unique('zone'), 'https://example.com/zone');
  await page.clock.setFixedTime('2026-03-30T10:20:30.000Z');
  const ranges: string[] = [];
  page.on('request', (request) => {
    const body = request.postData() ?? '';
    if (body.includes('Overview(')) ranges.push(JSON.parse(body).variables.from);
  });
  await signIn(page, person, '/app?period=week');
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  for (const [key, from] of [
    ['w', '2026-03-23T23:00:00.000Z'],
    ['y', '2025-03-31T22:00:00.000Z'],
    ['d', '2026-03-29T11:00:00.000Z'],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => ranges.at(-1)).toBe(from);
  }
});

for (const hand of HANDS) {
  test(`bots are left out until they are switched on, which is remembered, by ${hand}`, async ({ page, person, service }) => {
    const slug = unique('bots');
    await createLink(service, person, slug, 'https://example.com/bots');
    await visit(`${service}/${slug}`);
    for (const agent of ['Twitterbot/1.0', 'Googlebot/2.1']) {
      await fetch(`${service}/${slug}`, { headers: { 'user-agent': agent }, redirect: 'manual' });
    }
    const clicks = page.locator('.figure').filter({ hasText: 'Clicks' }).locator('strong');
    const rows = page.locator('.latest tbody tr');
    const choice = page.getByRole('switch', { name: 'With bots' });

    await signIn(page, person);
    await expect(page.locator('.figure').filter({ hasText: 'Bots' }).locator('strong')).toHaveText('2');
    await expect(clicks).toHaveText('1');
    await expect(choice).not.toBeChecked();
    await press(hand, choice);
    await expect(clicks).toHaveText('3');

    // On the page of the link, and in another visit.
    await press(hand, page.getByRole('link', { name: slug }));
    await expect(choice).toBeChecked();
    await expect(clicks).toHaveText('3');
    await expect(rows).toHaveCount(3);
    await page.goto('/app');
    await expect(clicks).toHaveText('3');

    // An address that says so wins, and changes nothing that is remembered.
    await page.goto('/app?bots=no');
    await expect(clicks).toHaveText('1');
    await page.keyboard.press('w');
    await expect(page).toHaveURL('/app?period=week&bots=no');
    await page.goto('/app');
    await expect(clicks).toHaveText('3');

    await press(hand, choice);
    await expect(clicks).toHaveText('1');
    await press(hand, page.getByRole('link', { name: slug }));
    await expect(choice).not.toBeChecked();
    await expect(rows).toHaveCount(1);
    expect(await page.evaluate(() => localStorage.getItem('linkgraph.bots'))).toBeNull();
  });
}
