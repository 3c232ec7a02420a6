// The report of a campaign: the overview with the clicks of one tag, or of one UTM campaign, alone.
import type { Page } from '@playwright/test';
import { campaignOf, type Conditions, PARAMETERS } from '../src/analytics/conditions.ts';
import { ALL, examine } from './axe.ts';
import { expect, HANDS, type Person, post, press, signIn, test, unique, visit } from './fixtures.ts';
import { settled } from './pages.ts';

const CAMPAIGN = 'letter, may';

test('a campaign is one value of one condition', () => {
  const of = (given: Partial<Conditions>) => campaignOf({ ...(Object.fromEntries(Object.keys(PARAMETERS).map((name) => [name, []])) as unknown as Conditions), ...given });
  expect(of({ tag: ['spring'] })).toBe('spring');
  expect(of({ utm_campaign: ['spring'], country: ['DE'] })).toBe('spring');
  for (const none of [{}, { tag: ['spring', 'autumn'] }, { tag: [null] }, { 'tag.not': ['spring'] }, { 'utm_campaign.has': ['spring'] }, { tag: ['spring'], utm_campaign: ['spring'] }, { country: ['DE'] }]) {
    expect(of(none), JSON.stringify(none)).toBeUndefined();
  }
});

/** Two links with a tag, of which one has a click of a UTM campaign, one link without, and a template of the campaign. Answers the tag. */
async function campaigns(page: Page, person: Person, service: string): Promise<string> {
  const { accessToken: token } = await post(`${service}/auth/login`, person);
  const [tag, letter, poster, other] = ['Spring', 'letter', 'poster', 'other'].map(unique) as [string, string, string, string];
  for (const slug of [letter, poster, other]) await post(`${service}/links`, { slug, destinationUrl: 'https://example.com/', tags: slug === other ? [] : [tag] }, token);
  await post(`${service}/utm-templates`, { name: 'Letter', source: 'letter', campaign: CAMPAIGN }, token);
  await visit(`${service}/${letter}?${new URLSearchParams({ utm_campaign: CAMPAIGN })}`);
  for (const slug of [letter, poster, other]) await visit(`${service}/${slug}`);
  await signIn(page, person);
  await expect(clicksOf(page)).toHaveText('4');
  return tag;
}

const clicksOf = (page: Page) => page.locator('.figure strong').first();
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const chips = (page: Page) => page.getByRole('list', { name: 'Filters' }).getByRole('listitem');

for (const hand of HANDS) {
  test(`a tag and a UTM campaign lead to their reports, and these to all clicks, by ${hand}`, async ({ page, person, service }) => {
    const tag = await campaigns(page, person, service);
    await page.goto('/app/links/tags');
    await press(hand, page.getByRole('link', { name: `Clicks of ${tag}` }));
    await expect(page).toHaveURL(`/app?tag=${tag}`);
    await expect(heading(page)).toHaveText(tag);
    await expect(page).toHaveTitle(`${tag} · linkgraph`);
    await expect(clicksOf(page)).toHaveText('3');
    await expect(chips(page)).toHaveCount(1);
    // Another time of the same campaign, and a part of its clicks.
    await page.keyboard.press('w');
    await expect(page).toHaveURL(`/app?period=week&tag=${tag}`);
    await press(hand, page.getByRole('link', { name: 'Desktop' }));
    await expect(page).toHaveURL(`/app?period=week&tag=${tag}&device=desktop`);
    await expect(heading(page)).toHaveText(tag);
    await expect(chips(page)).toHaveCount(2);
    await press(hand, page.getByRole('main').getByRole('link', { name: 'Overview' }));
    await expect(page).toHaveURL('/app?period=week');
    await expect(heading(page)).toHaveText('Overview');
    await expect(page).toHaveTitle('Overview · linkgraph');
    await expect(clicksOf(page)).toHaveText('4');

    await page.goto('/app/links/utm');
    await press(hand, page.getByRole('link', { name: CAMPAIGN }));
    await expect(page).toHaveURL((url) => url.pathname === '/app' && url.searchParams.get('utm_campaign') === 'letter\\, may');
    await expect(heading(page)).toHaveText(CAMPAIGN);
    await expect(clicksOf(page)).toHaveText('1');
    await press(hand, page.getByRole('link', { name: 'Remove the filter by UTM campaign' }));
    await expect(heading(page)).toHaveText('Overview');
  });
}

test('the report of a campaign, and the ways to it, are legible', async ({ page, person, service }) => {
  const tag = await campaigns(page, person, service);
  for (const address of [`/app?tag=${tag}`, '/app/links/tags', '/app/links/utm', `/app?utm_campaign=${'a-long-word-'.repeat(9)}`]) {
    await page.goto(address);
    await settled(page);
    await examine(page, address, ALL);
  }
});
