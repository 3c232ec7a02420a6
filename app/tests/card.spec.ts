// What messengers show of a link: written, filled in from the page, seen before it is saved, and taken away.
import { examine } from './axe.ts';
import { withDestination as test } from './destination.ts';
import { expect, HANDS, post, press, signIn, type, unique } from './fixtures.ts';

const IMAGE = 'https://images.example/spring.png';
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

for (const hand of HANDS) {
  test(`${hand}: a preview is filled in, changed, saved and removed`, async ({ page, person, service, destination, dns, allowed }) => {
    dns.set('elsewhere.localhost', { A: ['127.0.0.1'] });
    allowed.push(new RegExp(`request to ${IMAGE}`));
    await page.route(IMAGE, (route) => route.fulfill({ contentType: 'image/png', body: PIXEL }));
    const { accessToken: token } = await post(`${service}/auth/login`, person);
    const slug = unique('posted');
    const { id } = await post(`${service}/links`, { slug, destinationUrl: destination }, token);
    const messenger = async () => {
      const answer = await fetch(`${service}/${slug}`, { headers: { 'user-agent': 'Slackbot-LinkExpanding 1.0' }, redirect: 'manual' });
      return { status: answer.status, text: await answer.text() };
    };
    const button = (name: string) => page.getByRole('button', { name, exact: true });

    await signIn(page, person, `/app/links/${id}`);
    await press(hand, page.getByRole('link', { name: 'In messengers: as its page' }));
    await expect(page.getByRole('heading', { name: 'Preview in messengers' })).toBeVisible();
    await expect(page.getByText('Messengers show what they find at the address')).toBeVisible();
    await examine(page, 'no preview');

    await press(hand, button('Fill in from the page'));
    await expect(page.getByLabel('Title')).toHaveValue('Arrived');
    await expect(page.locator('.card-preview strong')).toHaveText(['Arrived', 'Arrived', 'Arrived']);
    await expect(page.getByText('There are changes that are not saved.')).toBeVisible();
    expect(await messenger()).toMatchObject({ status: 302 });

    await type(hand, page.getByLabel('Title'), 'x');
    await page.keyboard.press('Backspace');
    await press(hand, button('Save the preview'));
    await expect(page.locator('.field-error')).toBeVisible();
    await type(hand, page.getByLabel('Title'), 'Tulips');
    await type(hand, page.getByLabel('Description'), '');
    await page.keyboard.press('Backspace');
    await press(hand, button('Save the preview'));
    await expect(page.getByText('There are changes that are not saved.')).toHaveCount(0);
    await type(hand, page.getByLabel('Description'), 'Until Easter');
    await type(hand, page.getByLabel('Address of an image'), 'javascript:alert(1)');
    await press(hand, button('Save the preview'));
    await expect(page.locator('.field-error')).toBeVisible();
    await type(hand, page.getByLabel('Address of an image'), IMAGE);
    await expect(page.locator('.card-x img')).toHaveJSProperty('naturalWidth', 1);
    await press(hand, button('Save the preview'));
    await expect(page.getByText('There are changes that are not saved.')).toHaveCount(0);
    await expect(page.getByText('Saved. Messengers may go on showing').first()).toBeVisible();
    await examine(page, 'a preview');
    const shown = await messenger();
    expect(shown.status).toBe(200);
    expect(shown.text).toContain('<meta property="og:title" content="Tulips">');
    expect(shown.text).toContain(`<meta property="og:image" content="${IMAGE}">`);

    // An image of one's own.
    const upload = page.getByLabel('Upload an image');
    // The console has each answer that refuses a file.
    allowed.push(/the server responded with a status of 400/);
    await upload.setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no image') });
    await expect(page.getByText('This file is no PNG, JPEG or WebP image')).toBeVisible();
    await upload.setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(1_048_577) });
    await expect(page.getByText('This file is larger than 1 MiB.')).toBeVisible();
    await upload.setInputFiles({ name: 'spring.png', mimeType: 'image/png', buffer: PIXEL });
    await expect(page.getByLabel('Address of an image')).toHaveValue(/\/images\/[-0-9a-f]{36}\.png$/);
    await expect(page.locator('.card-x img')).toHaveJSProperty('naturalWidth', 1);
    await examine(page, 'an uploaded image');
    await press(hand, button('Save the preview'));
    await expect(page.getByText('There are changes that are not saved.')).toHaveCount(0);
    const url = await page.getByLabel('Address of an image').inputValue();
    expect((await messenger()).text).toContain(`<meta property="og:image" content="${url}">`);
    expect((await fetch(url)).headers.get('content-type')).toBe('image/png');

    await page.reload();
    await expect(page.getByLabel('Description')).toHaveValue('Until Easter');
    await press(hand, button('Remove the preview'));
    await expect(page.getByText('Messengers show what they find at the address again')).toBeVisible();
    await expect(page.getByLabel('Title')).toHaveValue('');
    expect(await messenger()).toMatchObject({ status: 302 });
    await press(hand, page.locator('.crumb'));
    await expect(page.getByRole('link', { name: 'In messengers: as its page' })).toBeVisible();
  });
}

test('a page that can’t be read is told, and nothing typed is lost', async ({ page, person, service }) => {
  const { accessToken: token } = await post(`${service}/auth/login`, person);
  const { id } = await post(`${service}/links`, { slug: unique('posted'), destinationUrl: 'http://nowhere.example/' }, token);
  await signIn(page, person, `/app/links/${id}/card`);
  await page.getByLabel('Title').fill('Typed');
  await page.getByRole('button', { name: 'Fill in from the page' }).click();
  await expect(page.getByText("can't be read")).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('Typed');
});
