import type { Page } from '@playwright/test';
import { expect, type Hand, HANDS, type Person, post, press, signIn, test, unique, visit } from './fixtures.ts';

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
      await select(hand, page, chosen);
      await act(page, 'Deactivate', '-');
      await expect(page.getByText('3 links changed')).toBeVisible();
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
      await expect(page.getByText('3 links deleted')).toBeVisible();
      await expect(dialog).toBeHidden();
      // What had the focus is gone, with the bar or with its row.
      const around = hand === 'mouse' ? page.getByRole('heading', { level: 1 }) : page.getByRole('table', { name: 'Links' });
      await expect(around).toBeFocused();
      await expect(page.getByRole('row')).toHaveCount(ROWS - 2);
      for (const slug of chosen) await expect(rowOf(page, slug)).toHaveCount(0);
      expect(await statuses(chosen)).toEqual([404]);
      expect(await statuses(others)).toEqual([302]);
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
  const { slugs, ids } = await createLinks(service, person);
  await signIn(page, person, '/app/links');
  await select('mouse', page, slugs.slice(0, 3));

  // The list is read after the first changes and before the last one, and answered after all.
  const isLast = (body: string | null) => body !== null && body.includes('UpdateLink') && body.includes(ids[2]!);
  const changed = page.waitForResponse((response) => isLast(response.request().postData()));
  let readList = () => undefined as void;
  const isRead = new Promise<void>((resolve) => {
    readList = resolve;
  });
  let reads = 0;
  await page.route('**/graphql', async (route) => {
    const body = route.request().postData();
    if (isLast(body)) await isRead;
    if (!body?.includes('query Links(') || (reads += 1) > 1) return route.continue();
    const response = await route.fetch();
    readList();
    await changed;
    return route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByText('3 links changed')).toBeVisible();
  for (const slug of slugs.slice(0, 3)) await expect(rowOf(page, slug).getByRole('switch')).not.toBeChecked();
});

test('what writes is disabled while the browser is offline, in menus too', async ({ page, person, service, context, allowed }) => {
  allowed.push(/net::ERR_INTERNET_DISCONNECTED|WebSocket connection to/);
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
