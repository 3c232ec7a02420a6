// What a change of a link means to its visitors, told beside the button before it is saved.
import type { Page } from '@playwright/test';
import { examine } from './axe.ts';
import { expect, HANDS, post, press, signIn, test, type, unique, visit } from './fixtures.ts';

const edit = (page: Page) => page.getByRole('dialog', { name: 'Edit the link' });
const told = (page: Page) => edit(page).getByRole('status').filter({ hasText: 'in the last 7 days' });

for (const hand of HANDS) {
  test(`${hand}: a change is rehearsed while it is typed, and saved as it was rehearsed`, async ({ page, person, service }) => {
    const { accessToken: token } = await post(`${service}/auth/login`, person);
    const slug = unique('rehearsed');
    const { id } = await post(`${service}/links`, { slug, destinationUrl: 'https://example.com/there' }, token);
    const address = `${service}/links/${id}/rehearse`;
    for (let each = 0; each < 2; each += 1) await visit(`${service}/${slug}`);
    await expect(async () => expect(await post(address, {}, token)).toMatchObject({ visits: 2 })).toPass();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.postData()?.includes('query LinkRehearsal')) asked.push(request.postData()!);
    });

    await signIn(page, person, `/app/links/${id}`);
    await press(hand, page.getByRole('button', { name: 'Edit', exact: true }));
    const destination = edit(page).getByLabel('Destination', { exact: true });
    // Visitors do not notice a title.
    await type(hand, edit(page).getByLabel('Title'), 'Spring');
    await type(hand, destination, 'example.com/elsewhere');
    await expect(told(page)).toHaveText('The link had 2 visits in the last 7 days, about 2 a day.Once this is saved: all would go to the new address.');
    expect(asked).toHaveLength(1);
    await examine(page, 'a rehearsed change');

    await type(hand, destination, 'https://example.com/there');
    await expect(told(page)).toBeHidden();
    await press(hand, edit(page).locator('summary', { hasText: /^More$/ }));
    await type(hand, edit(page).getByLabel('Click limit', { exact: true }), '1');
    await expect(told(page)).toContainText('Once this is saved: all would be asked first.');
    await expect(told(page)).toContainText('Whether a visitor says yes, or knows the password, nobody can tell beforehand.');
    await press(hand, edit(page).getByRole('button', { name: 'Save' }));
    await expect(edit(page)).toBeHidden();
    const asks = await visit(`${service}/${slug}`);
    expect([asks.status, asks.headers.get('location')]).toEqual([200, null]);
  });
}
