// Pages of a host: its colours and words, as its visitors see them.
import { examine } from './axe.ts';
import { expect, HANDS, post, press, signIn, test, type, unique } from './fixtures.ts';

for (const hand of HANDS) {
  test(`${hand}: a host has its own colours and words, and no longer`, async ({ page, person, service, request, allowed }) => {
    // The console has each answer that refuses a file.
    allowed.push(/the server responded with a status of 400/);
    const { accessToken: token } = await post(`${service}/auth/login`, person);
    await post(`${service}/subdomain`, { subdomain: unique('look') }, token);
    const { host } = await post(`${service}/subdomain/activate`, {}, token);
    // `fetch` lets nobody choose the host.
    const visit = async (language: string) => {
      const answer = await request.get(`${service}/nowhere`, { headers: { host, 'accept-language': language } });
      return answer.text();
    };
    const save = page.getByRole('button', { name: 'Save', exact: true });
    const preview = page.getByRole('region', { name: 'Preview' });

    await signIn(page, person, '/app/domains');
    await press(hand, page.getByRole('link', { name: 'Pages for your visitors' }));
    await expect(page.getByRole('heading', { name: 'Pages for your visitors' })).toBeVisible();
    await examine(page, 'the pages of the service');
    await press(hand, page.getByRole('switch', { name: 'A colour of your own for buttons' }));
    await page.getByLabel('A colour of your own for buttons: the colour').fill('#b00020');
    await page.getByLabel('Logo').setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no image') });
    await expect(page.getByText('This is no image that we can read')).toBeVisible();
    await page.getByLabel('Logo').setInputFiles('src/icon-192.png');
    await expect(preview.locator('img')).toBeVisible();
    await press(hand, page.getByRole('button', { name: 'Add a text' }));
    await type(hand, page.getByLabel('Language'), 'e');
    await type(hand, page.getByLabel('Title'), 'Nothing <here>');
    await expect(preview.getByRole('heading')).toHaveText('Nothing <here>');
    await press(hand, save);
    await expect(page.locator('.field-error')).toBeVisible();
    await type(hand, page.getByLabel('Language'), 'en');
    await press(hand, page.getByRole('button', { name: 'Add a text' }));
    await type(hand, page.getByLabel('Language').last(), 'fr');
    await type(hand, page.getByLabel('Title').last(), 'Rien ici');
    await type(hand, page.getByLabel('Text below').last(), 'Voyez example.com.');
    await examine(page, 'two texts');
    await press(hand, save);
    await expect(page.getByText(`The pages on ${host} are saved`)).toBeVisible();
    const english = await visit('en');
    expect(english).toContain('Nothing &lt;here&gt;</h1>');
    expect(english).toContain('--accent:#b00020');
    const [, logo = ''] = /<img class="logo" src="([^"]*)"/.exec(english) ?? [];
    expect((await request.get(logo)).headers()['content-type']).toBe('image/png');
    expect(await visit('fr')).toContain('Voyez example.com.');

    await page.reload();
    await expect(page.getByLabel('Title').first()).toHaveValue('Nothing <here>');
    await press(hand, page.getByRole('button', { name: 'Remove the logo' }));
    await press(hand, page.getByRole('button', { name: 'Remove text 1' }));
    await expect(page.getByLabel('Title')).toHaveValue('Rien ici');
    await press(hand, page.getByRole('switch', { name: 'A colour of your own for buttons' }));
    await press(hand, save);
    await expect(page.getByText(`The pages on ${host} are saved`).last()).toBeVisible();
    await expect.poll(() => visit('en')).toContain('Rien ici');
    expect(await visit('en')).not.toMatch(/--accent:#b00020|<img/);
  });
}
