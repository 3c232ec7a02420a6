// Two people edit one thing: the second to save is told, and decides.
import { ALL, examine } from './axe.ts';
import { expect, HANDS, post, press, signIn, test, type, unique } from './fixtures.ts';

const CHANGED = /was changed elsewhere after you opened this form/;

for (const hand of HANDS) {
  test.describe(hand, () => {
    test('a link that was changed meanwhile is not overwritten in silence', async ({ page, person, service }) => {
      const slug = unique('editors');
      const { accessToken: token } = await post(`${service}/auth/login`, person);
      const { id } = await post(`${service}/links`, { slug, destinationUrl: 'https://example.com/first' }, token);
      await signIn(page, person, `/app/links/${id}`);
      await press(hand, page.getByRole('button', { name: 'Edit', exact: true }));
      const dialog = page.getByRole('dialog', { name: 'Edit the link' });
      await type(hand, dialog.getByLabel('Title'), 'Mine');
      await post(`${service}/links/${id}`, { title: 'Theirs', notes: 'Theirs' }, token, 'PATCH');

      await press(hand, dialog.getByRole('button', { name: 'Save' }));
      await expect(dialog.getByRole('alert')).toContainText(CHANGED);
      await examine(page, 'a form of what was changed elsewhere', ALL);
      const read = async () => {
        const answer = await fetch(`${service}/links/${id}`, { headers: { authorization: `Bearer ${token}` } });
        const { title, notes } = await answer.json();
        return [title, notes];
      };
      expect(await read()).toEqual(['Theirs', 'Theirs']);

      await press(hand, dialog.getByRole('button', { name: 'Save' }));
      await expect(dialog).toBeHidden();
      expect(await read()).toEqual(['Mine', 'Theirs']);
    });
  });
}
