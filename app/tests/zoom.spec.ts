// At 400 %, a window of 1280 × 1024 pixels has room for 320 × 256.
import type { Page } from '@playwright/test';
import { expect, HANDS, press, signIn, test, type, unique, visit } from './fixtures.ts';
import { addresses, addressOf, DOORS, fill, settled, usual } from './pages.ts';

const SIZE = { width: 320, height: 256 };
/** Largest part of the height for elements that stay in sight while the page scrolls. */
const MOST_STUCK = 0.25;
const MOST_TABS = 200;

test.use({ viewport: SIZE, deviceScaleFactor: 4, contextOptions: { reducedMotion: 'reduce' } });
test.setTimeout(240_000);

/** Elements that are wider than the page, are cut off without a sign, or take too much of its height. */
const faults = (page: Page) =>
  page.evaluate((mostStuck) => {
    const told: string[] = [];
    const name = (element: Element) => `${element.tagName.toLowerCase()}.${element.className} “${element.textContent?.trim().slice(0, 40)}”`;
    const styleOf = (element: Element) => getComputedStyle(element);
    const scrolls = (element: Element) => /auto|scroll/.test(styleOf(element).overflowX);
    const isShortened = (element: Element) => styleOf(element).textOverflow === 'ellipsis';
    const isHidden = (element: Element) => element.closest('.hidden, .skip, [hidden]') !== null || !element.checkVisibility({ visibilityProperty: true });
    const excess = document.documentElement.scrollWidth - innerWidth;
    if (excess > 0) told.push(`the page is ${excess} px too wide`);

    scrollTo(0, document.documentElement.scrollHeight / 2);
    let stuck = 0;
    for (const element of document.querySelectorAll('body *')) {
      if (isHidden(element)) continue;
      let [inScroller, inShortened] = [false, false];
      for (let outer = element.parentElement; outer; outer = outer.parentElement) {
        inScroller ||= scrolls(outer);
        inShortened ||= isShortened(outer);
      }
      const { left, right, top, bottom, width } = element.getBoundingClientRect();
      if (width > 1 && !inScroller && !inShortened && (right > innerWidth + 1 || left < -1)) told.push(`beyond the edge: ${name(element)}`);
      const { overflowX, position } = styleOf(element);
      const isClipped = /hidden|clip/.test(overflowX) && element.scrollWidth > element.clientWidth + 1;
      if (width > 1 && isClipped && !isShortened(element) && !element.matches('input, .chart-canvas, .chart-canvas *')) told.push(`cut: ${name(element)}`);
      // A dialog is all that there is while it is open.
      const isStuck = !element.closest('dialog') && (position === 'fixed' || (position === 'sticky' && !inScroller));
      if (isStuck && bottom > 0 && top < innerHeight) stuck += Math.min(bottom, innerHeight) - Math.max(top, 0);
    }
    if (stuck > mostStuck * innerHeight) told.push(`${stuck} px of ${innerHeight} are stuck`);
    scrollTo(0, 0);
    return [...new Set(told)];
  }, MOST_STUCK);

/** Why what has the focus can't be seen. `end` when Tab left the page. */
const focusFault = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement!;
    if (element === document.body) return 'end';
    const box = element.getBoundingClientRect();
    const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
    const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
    const name = `${element.tagName.toLowerCase()}.${element.className} “${(element.getAttribute('aria-label') ?? element.textContent)?.trim().slice(0, 40)}”`;
    if (right - left < 2 || bottom - top < 2) return `out of sight: ${name}`;
    // An element that covers all of it, and is neither a part of it nor its label.
    const isSeen = [0.1, 0.5, 0.9].some((down) => {
      const at = document.elementFromPoint((left + right) / 2, top + (bottom - top) * down);
      return at !== null && (element.contains(at) || at.contains(element) || at.closest('label')?.control === element);
    });
    return isSeen ? '' : `covered: ${name}`;
  });

/** Goes through all that takes the focus, and answers what can't be seen then. */
async function walk(page: Page): Promise<string[]> {
  const told: string[] = [];
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    await page.keyboard.press('Tab');
    const fault = await focusFault(page);
    if (fault === 'end') return told;
    if (fault) told.push(fault);
    const isRound = await page.evaluate(() => {
      const [was, is] = [document.activeElement!.hasAttribute('data-walked'), document.activeElement!];
      is.setAttribute('data-walked', '');
      return was;
    });
    if (isRound) return told;
  }
  throw new Error(`Tab went on for ${MOST_TABS} times`);
}

async function examine(page: Page, what: string): Promise<void> {
  expect.soft(await faults(page), what).toEqual([]);
  expect.soft(await walk(page), what).toEqual([]);
}

test('J15: every page fits, and the focus is always in sight', async ({ page, person, service }) => {
  await fill(service, person, usual());
  for (const door of DOORS.filter((each) => each !== '/app/setup')) {
    await page.goto(addressOf(door));
    await settled(page);
    await examine(page, door);
  }
  await signIn(page, person);
  for (const address of await addresses(page)) {
    await page.goto(address);
    await settled(page);
    await examine(page, address);
  }
});

test('J15: dialogs and menus fit, scroll, and close', async ({ page, person, service }) => {
  const filling = usual();
  await fill(service, person, filling);
  await signIn(page, person, '/app/links');
  await settled(page);
  const dialog = page.getByRole('dialog');
  const row = page.getByRole('row').filter({ hasText: filling.slugs[0]! });

  /** The dialog is in the page, all of it can be scrolled to, and its button closes it. */
  async function check(what: string): Promise<void> {
    await expect(dialog).toBeVisible();
    await examine(page, what);
    const box = (await dialog.boundingBox())!;
    expect.soft(box.y, what).toBeGreaterThanOrEqual(0);
    expect.soft(box.y + box.height, what).toBeLessThanOrEqual(SIZE.height);
    for (const each of [dialog.locator('> :not(.hidden)').last(), dialog.locator('> :not(.hidden)').first()]) {
      await each.scrollIntoViewIfNeeded();
      await expect(each, what).toBeInViewport();
    }
    const close = dialog.getByRole('button', { name: 'Close' });
    if (await close.isVisible()) await close.click();
    else await page.keyboard.press('Escape');
    await expect(dialog, what).toBeHidden();
  }

  for (const item of ['Edit', 'QR code', 'Delete']) {
    const button = row.getByRole('button', { name: /^Actions/ });
    await button.click();
    const menu = page.locator('.menu:popover-open');
    for (const each of await menu.getByRole('menuitem').all()) {
      await each.scrollIntoViewIfNeeded();
      await expect(each).toBeInViewport({ ratio: 0.9 });
    }
    await menu.getByRole('menuitem', { name: item }).click();
    await check(item);
  }
  await page.keyboard.press('?');
  await check('the keys');
  await page.keyboard.press('Control+K');
  await expect(dialog.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('End');
  await check('the palette');

  const account = page.getByRole('button', { name: 'Account' });
  await account.click();
  const out = page.getByRole('menuitem', { name: 'Sign out' });
  await out.scrollIntoViewIfNeeded();
  await expect(out).toBeInViewport({ ratio: 0.9 });
  await page.keyboard.press('Escape');

  for (const [address, button] of [
    ['/app/domains', 'Add'],
    ['/app/developers', 'New'],
    ['/app/developers/webhooks', 'New'],
  ] as const) {
    await page.goto(address);
    await settled(page);
    await page.getByRole('main').getByRole('button', { name: new RegExp(`^${button}`, 'i') }).first().click();
    await check(`${address}: ${button}`);
  }
});

test('the bar of a selection hides nothing that has the focus, whatever the size', async ({ page, person, service }) => {
  const slugs = Array.from({ length: 12 }, (_, at) => unique(`row-${at}`));
  await fill(service, person, { ...usual(), slugs, visits: [] });
  for (const size of [SIZE, { width: 320, height: 640 }, { width: 1280, height: 640 }]) {
    await page.setViewportSize(size);
    if (size === SIZE) await signIn(page, person, '/app/links');
    else await page.reload();
    await page.getByRole('checkbox', { name: /^Select 127/ }).first().check();
    expect.soft(await walk(page), `${size.width} × ${size.height}`).toEqual([]);
  }
});

for (const hand of HANDS) {
  test(`J15 by ${hand}: a link is made, changed, selected and deleted`, async ({ page, person, service }) => {
    const slug = unique('near');
    await signIn(page, person, '/app/links/new');
    await type(hand, page.getByLabel('Destination'), 'https://example.com/near');
    await type(hand, page.getByLabel('Short path'), slug);
    await press(hand, page.getByRole('button', { name: 'Create the link' }));
    await expect(page.getByRole('textbox', { name: 'Your link is ready' })).toBeFocused();
    await expect(page.getByRole('textbox', { name: 'Your link is ready' })).toBeInViewport({ ratio: 1 });

    await press(hand, page.getByRole('link', { name: 'Details' }));
    await expect(page.getByRole('heading', { name: slug })).toBeVisible();
    await press(hand, page.getByRole('button', { name: 'Edit' }));
    const dialog = page.getByRole('dialog');
    await type(hand, dialog.getByLabel('Destination'), 'https://example.com/far');
    await press(hand, dialog.getByRole('button', { name: 'Save' }));
    await expect(dialog).toBeHidden();
    // Toasts leave most of the page free.
    const toast = (await page.locator('.toasts').boundingBox())!;
    expect(toast.height).toBeLessThan(SIZE.height / 3);
    expect(toast.y).toBeGreaterThan(SIZE.height / 2);

    await press(hand, page.getByRole('link', { name: 'Links', exact: true }));
    await press(hand, page.getByRole('row').filter({ hasText: slug }).getByRole('checkbox', { name: /^Select/ }));
    // What is said of the change lies above the page for some seconds.
    await expect(page.locator('.toast')).toHaveCount(0);
    await examine(page, 'a selection');
    await press(hand, page.getByRole('region', { name: 'Selected links' }).getByRole('button', { name: 'Delete' }));
    await press(hand, dialog.getByRole('button', { name: 'Delete' }));
    await expect(dialog).toBeHidden();
    await expect(page.getByText('No links yet')).toBeVisible();
    expect((await visit(`${service}/${slug}`)).status).toBe(404);
  });
}
