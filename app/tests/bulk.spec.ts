import type { Locator, Page } from '@playwright/test';
import { expect, OFFLINE, type Hand, HANDS, type Person, post, press, signIn, test, type, unique, visit } from './fixtures.ts';

const ROWS = 14;

/** Makes links, of which `slugs[0]` is the first in the list. */
async function createLinks(service: string, person: Person): Promise<{ slugs: string[]; ids: string[]; token: string }> {
  const { accessToken: token } = await post(`${service}/auth/login`, person);
  const slugs = Array.from({ length: ROWS }, (_, at) => unique(`bulk-${at}`));
  const ids: string[] = [];
  for (const slug of slugs.toReversed()) {
    const { id } = await post(`${service}/links`, { slug, destinationUrl: `https://example.com/${slug}` }, token);
    ids.unshift(id);
  }
  return { slugs, ids, token };
}

/** The names of the changes that the page asks for from now on. */
function mutationsOf(page: Page): string[] {
  const names: string[] = [];
  page.on('request', (request) => {
    const name = /mutation (\w+)/.exec(request.postData() ?? '')?.[1];
    if (name) names.push(name);
  });
  return names;
}

/** Chooses by either hand; by keyboard as people do, with the first letters. */
async function choose(hand: Hand, field: Locator, label: string): Promise<void> {
  if (hand === 'mouse') await field.selectOption(label);
  else {
    await press(hand, field);
    await field.page().keyboard.type(label.slice(0, 3));
    await field.page().keyboard.press('Enter');
  }
  await expect(field.locator('option:checked')).toHaveText(label);
}

const rowOf = (page: Page, slug: string) => page.getByRole('row').filter({ hasText: slug });

/** Selects the first rows; by keyboard in both ways that there are. */
async function select(hand: Hand, page: Page, slugs: string[]): Promise<void> {
  await expect(page.getByRole('row')).toHaveCount(ROWS + 1);
  for (const [at, slug] of slugs.entries()) {
    const box = rowOf(page, slug).getByRole('checkbox', { name: /^Select/ });
    if (hand === 'mouse') await box.check();
    else if (at === 1) await press(hand, box);
    else {
      // Up to the first row from wherever the focus is, then down.
      const steps = at === 0 ? Array<string>(ROWS).fill('k') : ['j'];
      for (const step of steps) await page.keyboard.press(step);
      await expect(rowOf(page, slug).getByRole('link')).toBeFocused();
      await page.keyboard.press('x');
    }
    await expect(box).toBeChecked();
  }
  await expect(page.getByRole('region', { name: 'Selected links' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByText(`${slugs.length} selected`)).toBeVisible();
}

for (const hand of HANDS) {
  test.describe(hand, () => {
    /** Presses a button of the bar, by its key if by keyboard. */
    const act = (page: Page, name: string, key: string) =>
      hand === 'mouse'
        ? page.getByRole('region', { name: 'Selected links' }).getByRole('button', { name, exact: true }).click()
        : page.keyboard.press(key);

    test('J3: several links are switched off, on, and deleted', async ({ page, person, service }) => {
      const { slugs } = await createLinks(service, person);
      const [chosen, others] = [slugs.slice(0, 3), slugs.slice(3)];
      const statuses = async (of: string[]) => [
        ...new Set(await Promise.all(of.map(async (slug) => (await visit(`${service}/${slug}`)).status))),
      ];
      await signIn(page, person, '/app/links');
      const changes = mutationsOf(page);
      await select(hand, page, chosen);
      await act(page, 'Deactivate', '-');
      await expect(page.getByText('3 links changed')).toBeVisible();
      expect(changes).toEqual(['UpdateLinks']);
      await expect(page.getByRole('region', { name: 'Selected links' })).toBeHidden();
      expect(await statuses(chosen)).toEqual([404]);
      expect(await statuses(others)).toEqual([302]);
      for (const slug of chosen) await expect(rowOf(page, slug).getByRole('switch')).not.toBeChecked();
      await expect(rowOf(page, others[0]!).getByRole('switch')).toBeChecked();

      await select(hand, page, chosen);
      await act(page, 'Activate', '+');
      await expect(page.getByText('3 links changed').last()).toBeVisible();
      await expect.poll(() => statuses(slugs)).toEqual([302]);
      for (const slug of chosen) await expect(rowOf(page, slug).getByRole('switch')).toBeChecked();

      await select(hand, page, chosen);
      await act(page, 'Delete', 'Delete');
      const dialog = page.getByRole('dialog', { name: 'Delete 3 links?' });
      await press(hand, dialog.getByRole('button', { name: 'Cancel' }));
      await expect(dialog).toBeHidden();
      expect(await statuses(slugs)).toEqual([302]);
      await act(page, 'Delete', 'Delete');
      await press(hand, dialog.getByRole('button', { name: 'Delete' }));
      await expect(dialog).toBeHidden();
      // Until it can't be undone any more, they redirect.
      const toast = page.locator('.toast').filter({ hasText: '3 links are being deleted' });
      await expect(toast.getByRole('button', { name: 'Undo' })).toBeVisible();
      await expect(page.getByText('Being deleted', { exact: true })).toHaveCount(3);
      expect(changes).toEqual(['UpdateLinks', 'UpdateLinks']);
      expect(await statuses(slugs)).toEqual([302]);
      // The element with the focus is gone, with the bar or with its row.
      const around = hand === 'mouse' ? page.getByRole('heading', { level: 1 }) : page.getByRole('table', { name: 'Links' });
      await expect(around).toBeFocused();
      await toast.getByRole('button', { name: 'Close' }).click();
      await expect(page.getByRole('row')).toHaveCount(ROWS - 2);
      expect(changes).toEqual(['UpdateLinks', 'UpdateLinks', 'DeleteLinks']);
      for (const slug of chosen) await expect(rowOf(page, slug)).toHaveCount(0);
      expect(await statuses(chosen)).toEqual([404]);
      expect(await statuses(others)).toEqual([302]);
    });

    test('J3: several links are archived, and are in the lists again', async ({ page, person, service }) => {
      const { slugs } = await createLinks(service, person);
      const chosen = slugs.slice(0, 3);
      await signIn(page, person, '/app/links');
      await select(hand, page, chosen);
      await act(page, 'Archive', 'A');
      await expect(page.getByText('3 links changed')).toBeVisible();
      await expect(page.getByRole('row')).toHaveCount(ROWS - 2);
      expect((await visit(`${service}/${chosen[0]}`)).status).toBe(302);

      await page.getByRole('combobox', { name: 'Archived' }).selectOption('Archived only');
      await expect(page.getByRole('row')).toHaveCount(4);
      await press(hand, page.getByRole('checkbox', { name: 'Select all on this page' }));
      await act(page, 'Unarchive', 'A');
      await expect(page.getByText('3 links changed').last()).toBeVisible();
      await expect(page.getByText('No link matches')).toBeVisible();
      await page.goto('/app/links');
      await expect(page.getByRole('row')).toHaveCount(ROWS + 1);
    });

    test('J3: several links are edited: fields are set, taken away, or left as they are', async ({ page, person, service }) => {
      const { slugs, ids, token } = await createLinks(service, person);
      const before = { title: 'Kept', notes: 'Before', maxClicks: 7, expiredUrl: 'https://example.org/over' };
      for (const id of ids.slice(0, 3)) await post(`${service}/links/${id}`, before, token, 'PATCH');
      const read = async (id: string) => {
        const response = await fetch(`${service}/links/${id}`, { headers: { authorization: `Bearer ${token}` } });
        return response.json();
      };
      await signIn(page, person, '/app/links');
      const changes = mutationsOf(page);
      await select(hand, page, slugs.slice(0, 3));
      await act(page, 'Edit', 'E');
      const dialog = page.getByRole('dialog', { name: 'Edit 3 links' });
      const choice = (field: string) => dialog.getByRole('combobox', { name: field, exact: true });
      const value = (field: string) => dialog.getByLabel(`Set “${field}” to`);
      const save = () => press(hand, dialog.getByRole('button', { name: 'Save' }));
      await expect(dialog.getByRole('combobox', { name: 'Add tags' })).toBeFocused();
      await expect(choice('Title')).toHaveCount(0);
      await save();
      await expect(dialog.getByRole('alert')).toHaveText('Choose at least one field to set or to take away, a tag, or a UTM parameter.');
      expect(changes).toEqual([]);

      await choose(hand, choice('Notes'), 'Set to…');
      await choose(hand, choice('Click limit'), 'Take away');
      await choose(hand, choice('URL after the end'), 'Set to…');
      await save();
      await expect(value('Notes')).toBeFocused();
      await expect(dialog.getByText('Please fill this in.')).toHaveCount(2);
      await type(hand, value('Notes'), 'Autumn sale');
      // An error that only the service finds applies to each of them, and is shown once.
      await type(hand, value('URL after the end'), 'mailto:ada@example.com');
      await save();
      await expect(value('URL after the end')).toBeFocused();
      await expect(dialog.locator('.field-error')).not.toBeEmpty();
      expect(await read(ids[0]!)).toMatchObject(before);

      await type(hand, value('URL after the end'), 'example.org/later');
      await save();
      await expect(dialog).toBeHidden();
      await expect(page.getByText('3 links changed')).toBeVisible();
      for (const slug of slugs.slice(0, 3)) await expect(rowOf(page, slug)).toContainText('Notes: Autumn sale');
      const after = { title: 'Kept', notes: 'Autumn sale', maxClicks: null, expiredUrl: 'https://example.org/later' };
      for (const id of ids.slice(0, 3)) expect(await read(id)).toMatchObject(after);
      expect(await read(ids[3]!)).toMatchObject({ notes: null, expiredUrl: null });
      expect(changes).toEqual(['UpdateLinks', 'UpdateLinks']);
    });

    test('J3: what fails for some of several links is said for each', async ({ page, person, service }) => {
      const { slugs, ids, token } = await createLinks(service, person);
      const chosen = slugs.slice(0, 3);
      await signIn(page, person, '/app/links');
      await select(hand, page, chosen);
      // Meanwhile, elsewhere.
      for (const id of ids.slice(0, 2)) await post(`${service}/links/${id}`, {}, token, 'DELETE');
      await act(page, 'Deactivate', '-');

      const report = page.getByRole('dialog', { name: 'It failed for 2 of 3 links' });
      await expect(report.getByRole('listitem')).toHaveText(
        slugs.slice(0, 2).map((slug) => new RegExp(`${slug}.*It does not exist, or not any more`)),
      );
      await expect(page.getByText('1 link changed')).toBeVisible();
      expect((await visit(`${service}/${chosen[2]}`)).status).toBe(404);
      await press(hand, report.getByRole('button', { name: 'Close' }).last());
      await expect(report).toBeHidden();
      await expect(page.getByText('2 selected')).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByText('2 selected')).toBeHidden();
    });
  });
}

test('a list that is read while another change is made is read again', async ({ page, person, service }) => {
  const { slugs } = await createLinks(service, person);
  await signIn(page, person, '/app/links');
  await select('mouse', page, slugs.slice(1, 3));

  // The list is read after the first change and before the second, and answered after both.
  const isSecond = (body: string | null) => body?.includes('mutation UpdateLinks(') ?? false;
  const changed = page.waitForResponse((response) => isSecond(response.request().postData()));
  let readList = () => undefined as void;
  const isRead = new Promise<void>((resolve) => {
    readList = resolve;
  });
  let reads = 0;
  await page.route('**/graphql', async (route) => {
    const body = route.request().postData();
    if (isSecond(body)) await isRead;
    if (!body?.includes('query Links(') || (reads += 1) > 1) return route.continue();
    const response = await route.fetch();
    readList();
    await changed;
    return route.fulfill({ response });
  });
  await rowOf(page, slugs[0]!).getByRole('switch').click();
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByText('2 links changed')).toBeVisible();
  for (const slug of slugs.slice(0, 3)) await expect(rowOf(page, slug).getByRole('switch')).not.toBeChecked();
});

test('what writes is disabled while the browser is offline, in menus too', async ({ page, person, service, context, allowed }) => {
  allowed.push(OFFLINE);
  const { slugs } = await createLinks(service, person);
  await signIn(page, person, '/app/links');
  const row = rowOf(page, slugs[0]!);
  await row.waitFor();
  await context.setOffline(true);
  await expect(page.locator('.banner')).toContainText('You are offline');
  await expect(row.getByRole('switch')).toBeDisabled();
  await row.getByRole('button', { name: /^Actions/ }).click();
  const item = page.getByRole('menuitem', { name: 'Delete' });
  await expect(item).toBeDisabled();
  await expect(item).toHaveAttribute('title', 'Not while you are offline');
  // It can be reached, so that the reason is read, and does nothing.
  await page.keyboard.press('End');
  await expect(item).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(item).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await context.setOffline(false);
  await expect(item).toBeEnabled();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Delete the link?' })).toBeVisible();
});
