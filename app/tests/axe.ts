import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

type Look = { width: number; colorScheme: 'light' | 'dark' };
/** Differences by the colour scheme are the same at each width in most states: two checks see both. */
export const TWO: Look[] = [
  { width: 1280, colorScheme: 'light' },
  { width: 320, colorScheme: 'dark' },
];
export const ALL: Look[] = [...TWO, { width: 1280, colorScheme: 'dark' }, { width: 320, colorScheme: 'light' }];

/** No rule of any impact is broken, and nothing is wider than the page. */
export async function examine(page: Page, what: string, looks = TWO): Promise<void> {
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    // Without the blank page in which results of frames would be joined: there are no frames.
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    const told = violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`));
    expect.soft(told, `${what}, ${width} px, ${colorScheme}`).toEqual([]);
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect.soft(excess, `${what} is wider than ${width} px`).toBeLessThanOrEqual(0);
  }
}
