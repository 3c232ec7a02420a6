// The service is killed: the pages say so, keep what was typed, and recover by themselves.
import type { Page } from '@playwright/test';
import { createLink, expect, type Hand, HANDS, press, signIn, test, type, unique, visit } from './fixtures.ts';

const BROKEN = /net::ERR_(CONNECTION|EMPTY_RESPONSE|SOCKET|FAILED)|WebSocket connection to/;
const LOST = 'The change may have been made all the same';

async function edit(hand: Hand, page: Page, slug: string): Promise<void> {
  const row = page.getByRole('row').filter({ hasText: slug });
  if (hand === 'keyboard') {
    await row.waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('e');
  } else {
    await row.getByRole('button', { name: /^Actions/ }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
  }
}

for (const hand of HANDS) {
  test.describe(hand, () => {
    test('J10: the server is killed in the middle of a form and started again', async ({ page, person, service, node, allowed }) => {
      test.skip(!node, 'kills the service');
      allowed.push(BROKEN);
      const slug = unique('kept');
      await createLink(service, person, slug, 'https://example.com/before');
      await signIn(page, person, '/app/links');
      const banner = page.locator('.banner');
      const counted = page.locator('.cell-clicks .fresh');
      const seenLive = () =>
        expect(async () => {
          await visit(`${service}/${slug}`);
          await expect(counted).toBeVisible({ timeout: 2000 });
        }).toPass();
      await expect(page.locator('.cell-clicks')).toHaveText('0');
      await seenLive();

      await edit(hand, page, slug);
      const dialog = page.getByRole('dialog');
      const destination = dialog.getByLabel('Destination');
      await type(hand, destination, 'https://example.com/ha');
      await node!.end('SIGKILL');
      await expect(banner).toHaveText('The service can’t be reached. We keep trying.');
      await expect(banner).toBeInViewport();
      await page.keyboard.type('lf');
      await press(hand, dialog.getByRole('button', { name: 'Save' }));
      await expect(dialog.getByRole('alert')).toContainText('The service can’t be reached');
      await expect(destination).toHaveValue('https://example.com/half');

      await node!.start();
      await expect(banner).toHaveCount(0);
      await expect(counted).toHaveCount(0);
      await seenLive();
      await expect(destination).toHaveValue('https://example.com/half');
      await press(hand, dialog.getByRole('button', { name: 'Save' }));
      await expect(dialog).toBeHidden();
      await expect(page.getByRole('row').filter({ hasText: slug })).toContainText('example.com/half');
      expect((await visit(`${service}/${slug}`)).headers.get('location')).toBe('https://example.com/half');
    });

    for (const isMade of [false, true]) {
      test(`J10: the server is killed ${isMade ? 'after' : 'before'} it made a change, and its answer is lost`, async ({
        page,
        person,
        service,
        node,
        allowed,
      }) => {
        test.skip(!node, 'kills the service');
        allowed.push(BROKEN);
        const slug = unique('lost');
        await signIn(page, person, '/app/links/new');
        const [destination, path] = [page.getByLabel('Destination'), page.getByLabel('Short path')];
        const create = page.getByRole('button', { name: 'Create the link' });
        await type(hand, destination, 'https://example.com/lost');
        await type(hand, path, slug);

        if (isMade) {
          await page.route('**/graphql', async (route) => {
            if (!route.request().postData()?.includes('mutation CreateLink')) return route.continue();
            await route.fetch();
            await node!.end('SIGKILL');
            return route.abort('connectionreset');
          });
          await press(hand, create);
        } else {
          node!.freeze();
          await press(hand, create);
          await expect(create).toHaveAttribute('aria-busy', 'true');
          await node!.end('SIGKILL');
        }
        await expect(page.getByRole('alert')).toContainText(LOST);
        await expect(page.locator('.banner')).toHaveText('The service can’t be reached. We keep trying.');
        await page.unrouteAll();

        await node!.start();
        await expect(page.locator('.banner')).toHaveCount(0);
        await expect(destination).toHaveValue('https://example.com/lost');
        await expect(path).toHaveValue(slug);
        expect((await visit(`${service}/${slug}`)).status).toBe(isMade ? 302 : 404);
        await press(hand, create);
        if (isMade) await expect(path).toHaveAttribute('aria-invalid', 'true');
        else await expect(page.getByRole('textbox', { name: 'Your link is ready' })).toHaveValue(`${service}/${slug}`);
      });
    }
  });
}
