// Links that ask visitors for a password, or to continue.
import type { Locator, Page } from '@playwright/test';
import { ALL, examine } from './axe.ts';
import { withDestination as test } from './destination.ts';
import { changeIn, expect, HANDS, post, press, signIn, type, unique, visit } from './fixtures.ts';

const DESTINATION = 'https://example.com/plans';

const field = (within: Page | Locator, name: string) => within.getByLabel(name, { exact: true });
const facts = (page: Page) => page.locator('.facts').last().locator('> span');
const edit = (page: Page) => page.getByRole('dialog', { name: 'Edit the link' });

for (const hand of HANDS) {
  test(`a link with a password and a notice: made, opened, opened to all, by ${hand}`, async ({ page, context, person, service, destination, allowed }) => {
    allowed.push(/status of 403/);
    const slug = unique('vault');
    await signIn(page, person, '/app/links/new');
    await type(hand, field(page, 'Destination'), destination);
    await type(hand, page.getByLabel('Short path'), slug);
    await press(hand, page.getByText('More', { exact: true }));
    await type(hand, field(page, 'Password'), 'tulips in april');
    await type(hand, field(page, 'Notice to visitors'), 'For adults only.');
    await press(hand, page.getByRole('button', { name: 'Create the link' }));
    await expect(page.getByRole('textbox', { name: 'Your link is ready' })).toHaveValue(`${service}/${slug}`);
    await expect(facts(page)).toHaveText(['Asks for a password', 'Asks before it opens', 'For adults only.']);

    const visitor = await context.newPage();
    await visitor.goto(`${service}/${slug}`);
    await expect(visitor.getByText('For adults only.')).toBeVisible();
    await examine(visitor, 'the page of a link with a password', ALL);
    await type(hand, visitor.getByLabel('Password'), 'tulips in may');
    await press(hand, visitor.getByRole('button', { name: 'Open the link' }));
    await expect(visitor.getByRole('alert')).toHaveText('This password is not right. Try again.');
    await expect(visitor.getByLabel('Password')).toBeFocused();
    await examine(visitor, 'a wrong password of a link', ALL);
    await type(hand, visitor.getByLabel('Password'), 'tulips in april');
    await press(hand, visitor.getByRole('button', { name: 'Open the link' }));
    await expect(visitor).toHaveTitle('Arrived');

    await press(hand, page.getByRole('link', { name: 'Details' }));
    await press(hand, page.getByRole('button', { name: 'Edit' }));
    await expect(field(edit(page), 'Password')).toHaveValue('');
    await expect(field(edit(page), 'Notice to visitors')).toHaveValue('For adults only.');
    await press(hand, field(edit(page), 'Take the password away'));
    await type(hand, field(edit(page), 'Notice to visitors'), '');
    await field(edit(page), 'Notice to visitors').fill('');
    await examine(page, 'a link with a password is changed', ALL);
    const sent = page.waitForRequest((request) => request.postData()?.includes('mutation UpdateLink') ?? false);
    await press(hand, edit(page).getByRole('button', { name: 'Save' }));
    expect(changeIn(await sent)).toEqual({ password: null, notice: null });
    await expect(page.getByText('Asks for a password')).toHaveCount(0);
    await expect.poll(async () => (await visit(`${service}/${slug}`)).headers.get('location')).toBe(destination);
  });
}

test('a password that is too short is said at its field, and is no draft', async ({ page, person }) => {
  await signIn(page, person, '/app/links/new');
  await field(page, 'Destination').fill(DESTINATION);
  await page.getByText('More', { exact: true }).click();
  await field(page, 'Password').fill('tulip');
  await page.getByRole('button', { name: 'Create the link' }).click();
  await expect(field(page, 'Password')).toBeFocused();
  await expect(field(page, 'Password')).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('link', { name: 'Links', exact: true }).click();
  await expect(page).toHaveURL('/app/links');
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('tulip');
});

test('many links get a password, and a page that asks', async ({ page, person, service }) => {
  const { accessToken: token } = await post(`${service}/auth/login`, person);
  const slugs = [unique('one'), unique('two')];
  for (const slug of slugs) await post(`${service}/links`, { slug, destinationUrl: DESTINATION }, token);
  await signIn(page, person, '/app/links');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await field(dialog, 'Password').selectOption('set');
  await dialog.locator('input[name=password]').fill('for all of them');
  await field(dialog, 'Before it opens').selectOption('A page with a button asks visitors first');
  const sent = page.waitForRequest((request) => request.postData()?.includes('mutation UpdateLinks') ?? false);
  await dialog.getByRole('button', { name: 'Save' }).click();
  expect((await sent).postData()).toContain('"asksFirst":true');
  await expect(dialog).toBeHidden();
  for (const slug of slugs) {
    await expect.poll(async () => (await visit(`${service}/${slug}`)).status).toBe(200);
    const body = new URLSearchParams({ password: 'for all of them' });
    expect((await fetch(`${service}/${slug}`, { method: 'POST', body, redirect: 'manual' })).status).toBe(303);
  }
});
