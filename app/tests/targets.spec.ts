// What is pressed is large enough for a thumb that is not steady.
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { expect, post, signIn, test, unique } from './fixtures.ts';
import { settled } from './pages.ts';

const LEAST = 24;

/** The heights and widths of all that are seen of these. */
async function sizes(targets: Locator): Promise<number[]> {
  await targets.first().waitFor();
  const all = await targets.evaluateAll((found) => found.map((each) => each.getBoundingClientRect()).flatMap(({ width, height }) => [width, height]));
  return all.filter((length) => length > 0);
}

async function judge(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().withRules(['target-size']).analyze();
  expect(violations.flatMap(({ nodes }) => nodes.map(({ target }) => target.join(' '))), page.url()).toEqual([]);
}

for (const width of [320, 1280]) {
  test(`tag chips, check boxes and all else have 24 px at ${width} px`, async ({ page, person, service }) => {
    const { accessToken } = await post(`${service}/auth/login`, person);
    const slugs = [unique('a'), unique('b')];
    const ids: string[] = [];
    for (const slug of slugs) {
      const { id } = await post(`${service}/links`, { slug, destinationUrl: 'https://example.com/', title: slug, tags: ['one', 'two', 'three'] }, accessToken);
      ids.push(id);
    }
    // As high as the pages, so that the bar at the bottom covers nothing that could be scrolled.
    await page.setViewportSize({ width, height: 4000 });
    await signIn(page, person, '/app/links');
    await settled(page);
    await judge(page);
    for (const targets of ['.tags a', 'input[type=checkbox]']) {
      for (const length of await sizes(page.locator(targets))) expect(length, targets).toBeGreaterThanOrEqual(LEAST);
    }
    await page.goto(`/app/links/${ids[0]}`);
    await settled(page);
    await judge(page);
    for (const length of await sizes(page.locator('.tags a'))) expect(length).toBeGreaterThanOrEqual(LEAST);
    await page.getByRole('button', { name: 'Edit' }).click();
    await settled(page);
    await judge(page);
    for (const length of await sizes(page.locator('.picked button'))) expect(length).toBeGreaterThanOrEqual(LEAST);
    await page.keyboard.press('Escape');

    // The buttons below a QR code are as high as all others, wherever it stands.
    const height = async (name: string) => (await page.getByRole('button', { name, exact: true }).boundingBox())!.height;
    const usual = await height('Edit');
    await page.getByRole('button', { name: 'QR code' }).click();
    await expect(page.getByRole('img', { name: /^QR code of/ })).toBeVisible();
    for (const name of ['SVG', 'PNG']) expect(await height(name)).toBeCloseTo(usual, 1);
    await page.goto('/app/links/new?url=https%3A%2F%2Fexample.com%2Fnew');
    await page.getByText('More', { exact: true }).click();
    for (const length of await sizes(page.locator('input[type=checkbox]'))) expect(length).toBeGreaterThanOrEqual(LEAST);
    await page.getByRole('button', { name: 'Create the link' }).click();
    await expect(page.getByRole('img', { name: /^QR code of/ })).toBeVisible();
    for (const name of ['SVG', 'PNG']) expect(await height(name)).toBeCloseTo(usual, 1);
    await judge(page);
  });
}
