// Notes on what happened: written down, seen in the chart of the clicks, changed and deleted.
import { examine } from './axe.ts';
import { expect, HANDS, post, press, signIn, test, type, unique, visit } from './fixtures.ts';
import { settled } from './pages.ts';

for (const hand of HANDS) {
  test(`a note marks the chart until it is deleted, by ${hand}`, async ({ page, person, service }) => {
    const { accessToken } = await post(`${service}/auth/login`, person);
    const slug = unique('noted');
    const { id } = await post(`${service}/links`, { slug, destinationUrl: 'https://example.com/' }, accessToken);
    await visit(`${service}/${slug}`);
    await signIn(page, person, '/app');
    await settled(page);
    const fold = page.locator('details').filter({ has: page.getByText('Notes', { exact: true }) });
    const dialog = page.getByRole('dialog');
    const marks = page.locator('.chart-mark');

    await press(hand, fold.locator('summary'));
    await expect(fold.getByText('Nothing is noted in this time.')).toBeVisible();
    await press(hand, fold.getByRole('button', { name: 'Add a note' }));
    await type(hand, dialog.getByLabel('What happened'), 'Newsletter sent');
    await press(hand, dialog.getByRole('button', { name: 'Save' }));
    await expect(fold.getByRole('listitem')).toContainText(['Newsletter sent']);
    await expect(marks).toHaveCount(1);
    // The point tells it, too.
    await expect(page.getByRole('slider')).toHaveAttribute('aria-valuetext', /Newsletter sent$/);

    // A link's page has those about all links, and its own.
    await page.goto(`/app/links/${id}`);
    await settled(page);
    await expect(marks).toHaveCount(1);
    await press(hand, fold.locator('summary'));
    await press(hand, fold.getByRole('button', { name: 'Add a note' }));
    await type(hand, dialog.getByLabel('What happened'), 'Poster hung up');
    await press(hand, dialog.getByRole('button', { name: 'Save' }));
    await expect(fold.getByRole('listitem')).toHaveCount(2);
    await press(hand, fold.getByRole('button', { name: 'Change Poster hung up' }));
    await type(hand, dialog.getByLabel('What happened'), 'Poster taken down');
    await press(hand, dialog.getByRole('button', { name: 'Save' }));
    await expect(fold.getByText('Poster taken down')).toBeVisible();
    await examine(page, 'notes of a link');
    await page.setViewportSize({ width: 1280, height: 900 });

    for (const text of ['Poster taken down', 'Newsletter sent']) {
      await press(hand, fold.getByRole('button', { name: `Delete ${text}` }));
      await press(hand, dialog.getByRole('button', { name: 'Delete' }));
      await expect(fold.getByText(text)).toHaveCount(0);
    }
    await expect(marks).toHaveCount(0);
  });
}

test('the latest of many notes are shown, and the number of the others', async ({ page, person, service }) => {
  const { accessToken } = await post(`${service}/auth/login`, person);
  const { id } = await post(`${service}/links`, { slug: unique('noted'), destinationUrl: 'https://example.com/' }, accessToken);
  for (let ago = 0; ago < 102; ago += 1) {
    const occurredAt = new Date(Date.now() - ago * 1000).toISOString();
    await post(`${service}/analytics/annotations`, { occurredAt, text: `Talk ${ago}`, linkId: id }, accessToken);
  }
  await signIn(page, person, `/app/links/${id}`);
  const fold = page.locator('details').filter({ has: page.getByText('Notes', { exact: true }) });
  await fold.locator('summary').click();
  await expect(fold.getByRole('listitem')).toHaveCount(100);
  await expect(fold).toContainText('2 earlier notes are neither here nor in the chart.');
});
