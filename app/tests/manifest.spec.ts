import { expect, test } from './fixtures.ts';

interface Icon {
  src: string;
  sizes: string;
  type: string;
  purpose: string;
}

test('the icons of the manifest are what it says', async ({ page }) => {
  await page.goto('/app/login');
  const address = await page.locator('link[rel=manifest]').getAttribute('href');
  const { icons } = (await (await page.request.get(address!)).json()) as { icons: Icon[] };
  expect(icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual(['any any', '192x192 any', '512x512 any', '512x512 maskable']);
  for (const { src, sizes, type } of icons) {
    const answer = await page.request.get(src);
    expect(answer.headers()['content-type'], src).toBe(type);
    const size = await page.evaluate(async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, src);
    expect(size, src).toBe(sizes === 'any' ? '512x512' : sizes);
  }
});
