// The designer of QR codes: what is shown, what is saved, and the URL of the API.
import { readFileSync } from 'node:fs';
import { ALL, examine } from './axe.ts';
import { createLink, expect, HANDS, post, press, signIn, test, unique } from './fixtures.ts';

/** A square of one red pixel. */
const LOGO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

for (const hand of HANDS) {
  test(`${hand}: a QR code is designed, saved, and asked of the API`, async ({ page, context, person, service }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const slug = unique('poster');
    await createLink(service, person, slug, 'https://example.com/');
    await signIn(page, person, '/app/links');
    await page.getByRole('link', { name: slug }).first().click();
    await press(hand, page.getByRole('button', { name: 'QR code' }));
    const dialog = page.getByRole('dialog', { name: 'QR code' });
    const code = dialog.getByRole('img', { name: `QR code of ${service}/${slug}` });
    await expect(code).toBeVisible();
    await examine(page, 'the designer', ALL);

    const warning = dialog.getByText('Scanners may not read these colours');
    await dialog.getByLabel('Dark colour').fill('#ffee00');
    await expect(warning).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Copy the API’s URL' })).toHaveCount(0);
    await examine(page, 'the designer with a warning', ALL);
    await dialog.getByLabel('Dark colour').fill('#1d3557');
    await expect(warning).toHaveCount(0);
    await dialog.getByLabel('Margin').selectOption('2 modules');

    // The API draws the same modules.
    await press(hand, dialog.getByRole('button', { name: 'Copy the API’s URL' }));
    const url = await page.evaluate(() => navigator.clipboard.readText());
    const { accessToken } = await post(`${service}/auth/login`, person);
    const { key } = await post(`${service}/api-keys`, { name: 'qr', scopes: ['links:read'] }, accessToken);
    const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.headers.get('content-type')).toBe('image/svg+xml');
    const drawn = await answer.text();
    expect(drawn).toContain('fill="#1d3557"');
    const pixels = (svg: string) =>
      page.evaluate(async (text) => {
        const image = new Image();
        image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
        await image.decode();
        const canvas = document.createElement('canvas');
        canvas.width = canvas.height = 330;
        const pen = canvas.getContext('2d')!;
        pen.drawImage(image, 0, 0, 330, 330);
        return [...pen.getImageData(0, 0, 330, 330).data].join();
      }, svg);

    const saved = async (name: string) => {
      const download = page.waitForEvent('download');
      await press(hand, dialog.getByRole('button', { name, exact: true }));
      const file = await download;
      expect(file.suggestedFilename()).toBe(`${slug}.${name.toLowerCase()}`);
      return readFileSync(await file.path());
    };
    const sized = (svg: string) => svg.replace('<svg ', '<svg width="330" height="330" ');
    const plain = (await saved('SVG')).toString();
    expect(await pixels(sized(plain))).toBe(await pixels(drawn.replace('width="512" height="512"', 'width="330" height="330"')));

    // Rounded, with a logo, which is in the file itself.
    const switched = dialog.getByRole('switch', { name: 'Rounded modules' });
    if (hand === 'mouse') await switched.click();
    else {
      await switched.focus();
      await page.keyboard.press('Space');
    }
    await dialog.getByLabel('Logo').setInputFiles({ name: 'logo.txt', mimeType: 'image/png', buffer: Buffer.from('no image') });
    await expect(dialog.getByText('This file is no image that the browser can show.')).toBeVisible();
    await dialog.getByLabel('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: LOGO });
    await expect(code.locator('image')).toHaveCount(1);
    await examine(page, 'the designer with a logo', ALL);
    await press(hand, dialog.getByRole('button', { name: 'Copy the API’s URL' }));
    const withLogo = await page.evaluate(() => navigator.clipboard.readText());
    expect(withLogo).toMatch(/level=H.*&logo=[-0-9a-f]{36}$/);
    const asked = await fetch(withLogo, { headers: { authorization: `Bearer ${key}` } });
    expect(await asked.text()).toContain('href="data:image/png;base64,');
    const svg = (await saved('SVG')).toString();
    expect(svg).toContain('a.5.5 0 1 1');
    expect(svg).toContain('href="data:image/png;base64,');
    const png = await saved('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1024, 1024]);
    await press(hand, dialog.getByRole('button', { name: 'Remove the logo' }));
    await expect(code.locator('image')).toHaveCount(0);
    // One that is no photograph is uploaded as one.
    const vector = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="20"/></svg>');
    await dialog.getByLabel('Logo').setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: vector });
    await expect(code.locator('image')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'QR code' })).toBeFocused();
  });
}
