// While something is typed, only the answer to the newest question counts, in whichever order answers come.
import type { Page, Route } from '@playwright/test';
import { createLink, expect, signIn, test, unique } from './fixtures.ts';

/** Answers a search by its own text; the answer to `late` is held back until the result is called, and then is there when that comes back. */
async function hold(page: Page, operation: string, late: string, answer: (search: string) => object) {
  const held: (() => Promise<void>)[] = [];
  await page.route('**/graphql', (route: Route) => {
    const { query, variables } = route.request().postDataJSON() as { query: string; variables: { search: string } };
    if (!query.includes(`${operation}(`)) return route.fallback();
    const reply = () => route.fulfill({ json: { data: answer(variables.search) } });
    if (variables.search !== late) return reply();
    held.push(reply);
    return undefined;
  });
  const isHeld = () => expect.poll(() => held.length).toBe(1);
  const release = async () => {
    const came = page.waitForResponse((response) => response.request().postData()?.includes(`"search":"${late}"`) ?? false);
    await held[0]!();
    await (await came).finished();
    // What the page makes of it is painted by then.
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))));
  };
  return { isHeld, release };
}

test('tags: the suggestions are those for what was typed last', async ({ page, person, service }) => {
  const slug = unique('typed');
  await createLink(service, person, slug, 'https://example.com/typed');
  await signIn(page, person, '/app/links');
  const answer = (search: string) => ({ tags: { __typename: 'TagPageResult', data: [{ __typename: 'Tag', id: search, name: `of ${search}` }] } });
  const { isHeld, release } = await hold(page, 'SuggestedTags', 'a', answer);
  await page.getByRole('link', { name: slug }).focus();
  await page.keyboard.press('e');
  const field = page.getByRole('dialog').getByLabel('Tags');
  await field.pressSequentially('a');
  await isHeld();
  await field.pressSequentially('b');
  const options = page.locator('datalist option');
  await expect(options).toHaveText(['of ab']);
  await release();
  await expect(options).toHaveText(['of ab']);
});

test('links of a webhook: those that are found are for what was typed last', async ({ page, person }) => {
  await signIn(page, person, '/app/developers/webhooks');
  const answer = (search: string) => ({
    links: { __typename: 'LinkPageResult', data: [{ __typename: 'Link', id: search, shortUrl: `https://example.com/of-${search}` }] },
  });
  const { isHeld, release } = await hold(page, 'LinksToPick', 'a', answer);
  await page.getByRole('button', { name: 'New webhook' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Filters and batches').click();
  await dialog.getByRole('combobox', { name: 'Links' }).selectOption('some');
  const field = dialog.getByRole('searchbox');
  await field.pressSequentially('a');
  await isHeld();
  await field.pressSequentially('b');
  const found = dialog.locator('.found');
  await expect(found).toHaveText('example.com/of-ab');
  await release();
  await expect(found).toHaveText('example.com/of-ab');
});
