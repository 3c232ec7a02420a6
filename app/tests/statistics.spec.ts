import { createLink, expect, signIn, test, unique } from './fixtures.ts';

const PERSON = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

// On 2026-03-29 the clocks there go forward.
test.use({ timezoneId: 'Europe/Zurich' });

test('the time and the clicks of a page of statistics are chosen by its address, by hand and by key', async ({
  page,
  person,
  service,
}) => {
  const slug = unique('counted');
  await createLink(service, person, slug, 'https://example.com/counted');
  for (const agent of [PERSON, 'Twitterbot/1.0', 'Googlebot/2.1']) {
    await fetch(`${service}/${slug}`, { headers: { 'user-agent': agent }, redirect: 'manual' });
  }
  const asked: { variables: Record<string, unknown> }[] = [];
  page.on('request', (request) => {
    if (/Overview\(|LinkSummary\(/.test(request.postData() ?? '')) asked.push(request.postDataJSON());
  });
  const clicks = page.locator('.figure').filter({ hasText: 'Clicks' }).locator('strong');

  await signIn(page, person, '/app');
  await expect(clicks).toHaveText('3');
  await page.getByRole('link', { name: slug }).click();
  await expect(page.getByRole('heading', { name: slug })).toBeVisible();
  const path = new URL(page.url()).pathname;

  for (const at of ['/app', path]) {
    await page.goto(at);
    await expect(clicks).toHaveText('3');
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
    await page.getByRole('switch', { name: 'Without bots' }).click();
    await expect(page).toHaveURL(`${at}?period=day&bots=no`);
    await expect(clicks).toHaveText('1');
    await page.getByRole('link', { name: 'The period before' }).click();
    await expect(page).toHaveURL(`${at}?period=day&back=1&bots=no`);
    await expect(clicks).toHaveText('0');
    await page.keyboard.press('ArrowRight');
    await expect(clicks).toHaveText('1');
  }
  expect(asked.every(({ variables }) => variables.timeZone === 'Europe/Zurich')).toBe(true);
});

test('periods begin at midnights of the user’s zone, also across a change of the clocks', async ({ page, person }) => {
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
