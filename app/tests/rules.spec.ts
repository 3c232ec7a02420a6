// Where a link leads: rules as sentences, rehearsed before they are saved, a division among addresses with its report, and visits to try.
import type { Locator, Page } from '@playwright/test';
import { examine } from './axe.ts';
import { expect, type Hand, HANDS, post, press, signIn, test as base, type, unique, VISITOR } from './fixtures.ts';
import { tokenFor } from './mails.ts';

const OWN = 'https://example.com/own';
const PHONES = 'https://example.com/phones';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';

interface Own {
  id: string;
  /** Follows the link with a user agent, and answers where it leads. */
  follow(userAgent: string, query?: string): Promise<string | null>;
  /** Changes it as somebody else would, past the page. */
  set(path: string, body: object): Promise<void>;
  rules(): Promise<{ name: string | null; conditions: { kind: string; values: string[] }[] }[]>;
}

const test = base.extend<{ link: Own }>({
  link: async ({ service, person }, use) => {
    const { accessToken: token } = await post(`${service}/auth/login`, person);
    const slug = unique('leads');
    const { id } = await post(`${service}/links`, { slug, destinationUrl: OWN }, token);
    await use({
      id,
      async follow(userAgent, query = '') {
        const answer = await fetch(`${service}/${slug}${query}`, { headers: { 'user-agent': userAgent }, redirect: 'manual' });
        return answer.headers.get('location');
      },
      async set(path, body) {
        await post(`${service}/links/${id}${path}`, body, token, path === '' ? 'PATCH' : 'PUT');
      },
      async rules() {
        const answer = await fetch(`${service}/links/${id}/rules`, { headers: { authorization: `Bearer ${token}` } });
        return (await answer.json()).rules;
      },
    });
  },
});

const rule = (page: Page, number: number): Locator => page.locator('.rule-list > .rule').filter({ hasText: `Rule ${number}` });
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });

async function choose(hand: Hand, target: Locator, choice: string): Promise<void> {
  if (hand === 'mouse') await target.selectOption(choice);
  else {
    await press(hand, target);
    await target.page().keyboard.type(choice);
    await target.page().keyboard.press('Enter');
  }
  await expect(target.locator('option:checked')).toHaveText(choice);
}

const DEVICE = (value: string) => ({ kind: 'DEVICE', values: [value] });

for (const hand of HANDS) {
  test.describe(hand, () => {
    test('a rule for phones is made, rehearsed, saved, and followed', async ({ page, person, link }) => {
      await link.follow(PHONE);
      await link.follow(VISITOR['user-agent']);
      await signIn(page, person, `/app/links/${link.id}`);
      await press(hand, page.getByRole('link', { name: 'Where it leads: no rules' }));
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Where it leads');
      await press(hand, button(page, 'Add a rule'));
      await expect(rule(page, 1).getByLabel('What it is about')).toBeFocused();
      await press(hand, rule(page, 1).getByLabel('Phone'));
      await type(hand, rule(page, 1).getByLabel('Address', { exact: true }), PHONES);
      await expect(rule(page, 1).locator('.rule-sentence')).toHaveText('If the visitor is on a phone, go to example.com/phones');
      // Clicks are counted in a moment.
      await expect(async () => {
        await rule(page, 1).getByLabel('Name').fill(unique('Phones'));
        await expect(rule(page, 1).locator('.rehearsed')).toHaveText(/Of the last 7 days’ 2 visits, 1 would have gone here\./, { timeout: 4000 });
      }).toPass();
      await type(hand, rule(page, 1).getByLabel('Name'), 'Phones');
      await examine(page, 'a rule');
      await press(hand, button(page, 'Save the rules'));
      await expect(page.getByText('The rules are saved')).toBeVisible();
      expect(await link.rules()).toMatchObject([{ name: 'Phones', conditions: [DEVICE('MOBILE')] }]);
      await expect.poll(() => link.follow(PHONE)).toBe(PHONES);
      expect(await link.follow(VISITOR['user-agent'])).toBe(OWN);

      await page.reload();
      await expect(rule(page, 1).locator('.rule-sentence')).toHaveText('If the visitor is on a phone, go to example.com/phones');
      await examine(page, 'saved rules');
      await press(hand, page.locator('.crumb'));
      await expect(page.getByRole('link', { name: 'Where it leads: 1 rule' })).toBeVisible();
    });

    test('conditions have fields that suit them, and what is wrong is said there', async ({ page, person, link }) => {
      await signIn(page, person, `/app/links/${link.id}/rules`);
      await press(hand, button(page, 'Add a rule'));
      const first = rule(page, 1);
      await choose(hand, first.getByLabel('What it is about'), 'Country');
      await type(hand, first.getByLabel('Country', { exact: true }), 'Germany');
      await page.keyboard.press('Enter');
      await page.keyboard.type('Austria,');
      await expect(first.locator('.picked .chip')).toHaveText(['Germany', 'Austria']);
      await page.keyboard.type('Atlantis');
      await page.keyboard.press('Enter');
      await expect(first.getByText('“Atlantis” is not known. Choose one of the list.')).toBeVisible();
      for (let each = 0; each < 'Atlantis'.length; each += 1) await page.keyboard.press('Backspace');
      await type(hand, first.getByLabel('Address', { exact: true }), 'example.com/dach');
      await press(hand, button(first, 'Add a condition'));
      const second = first.locator('.condition').nth(1);
      await press(hand, button(page, 'Save the rules'));
      await expect(second.getByText('Something is missing here.')).toBeVisible();
      await choose(hand, second.getByLabel('What it is about'), 'Hours of the week');
      await press(hand, second.getByLabel('Fri'));
      await press(hand, second.getByLabel('Sun'));
      await second.getByLabel('Time zone').fill('Europe/Nowhere');
      await press(hand, button(page, 'Save the rules'));
      await expect(second.locator('.field-error')).toBeVisible();
      await second.getByLabel('Time zone').fill('Europe/Berlin');
      await expect(first.locator('.rule-sentence')).toHaveText(
        'If the visitor is in Germany or Austria and comes on Mon–Thu, Sun 09:00–17:00 (Europe/Berlin), go to example.com/dach',
      );
      await examine(page, 'conditions');
      await press(hand, button(page, 'Save the rules'));
      await expect(page.getByText('The rules are saved')).toBeVisible();
      expect(await link.rules()).toMatchObject([
        { conditions: [{ kind: 'COUNTRY', values: ['DE', 'AT'] }, { kind: 'WEEKLY_HOURS', values: ['MON-THU,SUN 09:00-17:00'], key: 'Europe/Berlin' }] },
      ]);
    });

    test('rules are put into another order, and somebody else’s change is not overwritten in silence', async ({ page, person, link }) => {
      const rules = ['MOBILE', 'TABLET', 'DESKTOP'].map((value) => ({ name: value, conditions: [DEVICE(value)], destinationUrl: `${OWN}/${value}` }));
      await link.set('/rules', { rules });
      await signIn(page, person, `/app/links/${link.id}/rules`);
      await expect(rule(page, 2).locator('.rule-warning').first()).toContainText('Most iPads');
      await press(hand, button(page, 'Move Rule 1 down'));
      await expect(button(page, 'Move Rule 2 down')).toBeFocused();
      await press(hand, button(page, 'Move Rule 2 down'));
      await expect(page.locator('.rule-head bdi')).toHaveText(['TABLET', 'DESKTOP', 'MOBILE']);
      await link.set('', { title: 'Theirs' });
      await press(hand, button(page, 'Save the rules'));
      await expect(page.getByRole('alert')).toContainText('was changed elsewhere after you opened this form');
      await examine(page, 'a conflict');
      await press(hand, button(page, 'Load the newer state'));
      await expect(page.locator('.rule-head bdi')).toHaveText(['MOBILE', 'TABLET', 'DESKTOP']);
      await press(hand, button(page, 'Remove Rule 2'));
      await press(hand, button(page, 'Save the rules'));
      await expect(page.getByText('The rules are saved')).toBeVisible();
      expect((await link.rules()).map(({ name }) => name)).toEqual(['MOBILE', 'DESKTOP']);
    });

    test('visitors are divided, and the report says how', async ({ page, person, link }) => {
      await signIn(page, person, `/app/links/${link.id}/rules`);
      await press(hand, button(page, 'Divide them'));
      const part = (number: number) => page.getByRole('group', { name: `Address ${number}`, exact: true });
      await expect(part(1).getByLabel('Address', { exact: true })).toHaveValue(OWN);
      await type(hand, part(1).getByLabel('Weight'), '30');
      await type(hand, part(2).getByLabel('Address', { exact: true }), 'example.com/other');
      await type(hand, part(2).getByLabel('Name'), 'New page');
      await type(hand, part(2).getByLabel('Weight'), '90');
      await expect(part(2).getByText('75% of visitors')).toBeVisible();
      await press(hand, button(page, 'Save the division'));
      await expect(page.getByText('The division is saved')).toBeVisible();
      const report = page.locator('.card').filter({ has: page.getByRole('heading', { name: 'How visitors were divided' }) });
      await expect(report.getByText('No visitors yet.')).toBeVisible();
      await expect.poll(() => link.follow(VISITOR['user-agent'])).not.toBeNull();
      await expect(async () => {
        await page.reload();
        await expect(report.getByText('Visitors are divided as they should be.')).toBeVisible({ timeout: 2000 });
      }).toPass();
      await expect(report).toContainText('Which address does better they do not say.');
      await examine(page, 'a division and its report');
      // What was saved here is no change of somebody else.
      await press(hand, button(page, 'Add a rule'));
      await press(hand, rule(page, 1).getByLabel('Phone'));
      await type(hand, rule(page, 1).getByLabel('Address', { exact: true }), PHONES);
      await press(hand, button(page, 'Save the rules'));
      await expect(page.getByText('The rules are saved')).toBeVisible();
      await press(hand, button(page, 'Divide them no longer'));
      await press(hand, button(page, 'Save the division'));
      await expect(page.getByText('The division is saved')).toBeVisible();
      await expect.poll(() => link.follow(VISITOR['user-agent'])).toBe(OWN);
    });

    test('statistics tell where visitors were led and what they opened, when that differs', async ({ page, person, link }) => {
      await link.set('/rules', { rules: [{ conditions: [DEVICE('MOBILE')], destinationUrl: PHONES }] });
      const panel = (name: string) => page.locator('.top-values').filter({ has: page.getByRole('heading', { name }) });
      await link.follow(VISITOR['user-agent']);
      await signIn(page, person, `/app/links/${link.id}`);
      await expect(panel('Devices').getByRole('listitem')).toHaveText(['Desktop100%1']);
      await expect(panel('Destinations')).toHaveCount(0);
      await expect(panel('Opened by')).toHaveCount(0);
      await link.follow(VISITOR['user-agent']);
      await link.follow(PHONE, '?qr');
      await expect(panel('Destinations').getByRole('listitem')).toHaveText(['example.com/own67%2', 'example.com/phones33%1']);
      await expect(panel('Opened by').getByRole('listitem')).toHaveText(['Short link67%2', 'QR code33%1']);
      await examine(page, 'destinations and triggers');
    });

    test('a visit is tried', async ({ page, person, link }) => {
      await link.set('/rules', {
        rules: [
          { name: 'French', conditions: [{ kind: 'LANGUAGE', values: ['fr'] }], destinationUrl: 'https://example.com/fr' },
          { conditions: [DEVICE('MOBILE')], destinationUrl: PHONES },
        ],
      });
      await signIn(page, person, `/app/links/${link.id}/rules`);
      const visit = page.getByRole('region', { name: 'Try a visit' });
      await press(hand, button(visit, 'Try it'));
      await expect(visit.getByText('It leads to example.com/phones')).toBeVisible();
      await expect(visit.getByText('Rule 2 decides.')).toBeVisible();
      await expect(visit.locator('.explained li').first()).toHaveText('Rule 1 French does not fit: it would have to be a visitor who prefers French');
      await choose(hand, visit.getByLabel('Language'), 'French');
      await press(hand, button(visit, 'Try it'));
      await expect(visit.getByText('It leads to example.com/fr')).toBeVisible();
      await expect(visit.locator('.explained li').nth(1)).toHaveText('Rule 2 was not asked: an earlier rule decides.');
      await examine(page, 'a visit');
    });
  });
}

test('who may not change links reads where one leads', async ({ page, person, link, service, data }) => {
  const { accessToken: token } = await post(`${service}/auth/login`, person);
  const parts = [{ destinationUrl: OWN, weight: 1 }, { destinationUrl: 'https://example.com/other', weight: 3 }];
  await link.set('/rules', { rules: [{ name: 'Phones', conditions: [DEVICE('MOBILE')], split: parts }] });
  await link.set('/split', { parts });
  const reader = { email: `${unique('reader')}@example.com`, password: person.password };
  await post(`${service}/invitations`, { email: reader.email, role: 'VIEWER' }, token);
  await post(`${service}/auth/register`, { ...reader, name: 'Reader' });
  await signIn(page, reader);
  await page.goto(`/app/invitation?token=${await tokenFor(reader.email, 'invitation', data)}`);
  await press('mouse', button(page, 'Join'));
  await page.waitForURL((url) => url.pathname === '/app');
  await page.goto(`/app/links/${link.id}/rules`);
  await expect(page.locator('.rule-sentence').first()).toHaveText(
    'If the visitor is on a phone, divide visitors among example.com/own (25%) and example.com/other (75%)',
  );
  await expect(page.getByRole('button', { name: /Save|Add|Move/ })).toHaveCount(0);
  await examine(page, 'rules of a viewer');
});

test.describe('in German', () => {
  test.use({ locale: 'de-CH' });
  test('rules are German sentences', async ({ page, context, person, link }) => {
    const conditions = [DEVICE('MOBILE'), { kind: 'COUNTRY', values: ['DE', 'AT'], negated: true }];
    await link.set('/rules', { rules: [{ conditions, destinationUrl: PHONES }] });
    const data = { ...person, isPersistent: true };
    await page.request.post('/auth/session', { data, headers: { 'x-linkgraph': '1' } });
    await context.addInitScript(() => localStorage.setItem('linkgraph.signed-in', '1'));
    await page.goto(`/app/links/${link.id}/rules`);
    await expect(page.locator('.rule-sentence').first()).toHaveText(
      'Wenn der Besucher mit einem Telefon kommt und nicht im Land Deutschland oder Österreich ist, geht es zu example.com/phones',
    );
  });
});
