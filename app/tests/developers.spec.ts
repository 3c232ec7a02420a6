import { expect, HANDS, type Hand, post, press, signIn, test, type, unique } from './fixtures.ts';
import type { Locator, Page } from '@playwright/test';

const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

/** Opens what makes a new one of what the page lists. */
async function startNew(hand: Hand, page: Page, name: string): Promise<Locator> {
  const button = page.getByRole('button', { name }).first();
  await expect(button).toBeVisible();
  if (hand === 'keyboard') await page.keyboard.press('c');
  else await button.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  return dialog;
}

/** Chooses in the open menu. */
async function choose(hand: Hand, item: Locator): Promise<void> {
  await item.waitFor();
  if (hand === 'mouse') {
    await item.click();
    return;
  }
  const { keyboard } = item.page();
  while (!(await item.evaluate((element) => element === document.activeElement))) await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
}

for (const hand of HANDS) {
  test.describe(hand, () => {
    test('J4: a domain, from its name to its being served', async ({ page, person, service, dns }) => {
      const domain = `${unique('go')}.example.com`;
      await signIn(page, person, '/app/domains');
      const dialog = await startNew(hand, page, 'Add a domain');
      await type(hand, dialog.getByLabel('Domain'), `https://${domain}/`);
      await press(hand, dialog.getByRole('button', { name: 'Add the domain' }));
      await expect(page.getByRole('heading', { name: domain })).toBeVisible();

      // The records to set, in the words of the provider.
      await expect(page.getByText('Not checked', { exact: true })).toHaveCount(2);
      await page.getByLabel('DNS provider').selectOption('Route 53');
      await press(hand, page.getByRole('button', { name: 'Copy the value of the TXT record' }));
      const quoted = await clipboard(page);
      expect(quoted).toMatch(/^"linkgraph-[0-9a-f]{32}"$/);
      const token = quoted.slice(1, -1);
      await press(hand, page.getByRole('button', { name: 'Copy the name of the TXT record' }));
      expect(await clipboard(page)).toBe(`_linkgraph.${domain.slice(0, -'.example.com'.length)}`);
      await press(hand, page.getByRole('button', { name: 'Copy the value of the A record' }));
      const address = await clipboard(page);

      // Wrong records: what was found, and what to do.
      dns.set(`_linkgraph.${domain}`, { TXT: [`"${token}"`] });
      dns.set(domain, { A: ['192.0.2.1'] });
      await press(hand, page.getByRole('button', { name: 'I have set the records: check' }));
      await expect(page.getByText('Wrong value')).toHaveCount(2);
      await expect(page.getByText('The record has more than the value.', { exact: false })).toBeVisible();
      await expect(page.getByText('192.0.2.1')).toBeVisible();
      await expect(page.getByRole('button', { name: /^Check again in/ })).toBeDisabled();

      // Right ones: a check that was asked for elsewhere is seen here.
      dns.set(`_linkgraph.${domain}`, { TXT: [token] });
      dns.set(domain, { A: [address] });
      const { accessToken } = await post(`${service}/auth/login`, person);
      await post(`${service}/domains/${new URL(page.url()).pathname.split('/').pop()}/verify`, {}, accessToken);
      await expect(page.getByRole('heading', { name: `${domain} is live` })).toBeVisible();
      await expect(page.getByText('Found', { exact: true })).toHaveCount(2);

      await press(hand, page.getByRole('link', { name: 'Create a link on it' }));
      await expect(page.getByLabel('Domain')).toHaveValue(domain);
    });

    test('the one domain of the free plan, and its removal', async ({ page, person, service }) => {
      const domain = `${unique('go')}.example.com`;
      const { accessToken } = await post(`${service}/auth/login`, person);
      await post(`${service}/domains`, { domain }, accessToken);
      await signIn(page, person, '/app/domains');
      await expect(page.getByRole('row').filter({ hasText: domain })).toContainText('Not checked yet');
      const second = await startNew(hand, page, 'Add a domain');
      await type(hand, second.getByLabel('Domain'), `${unique('two')}.example.com`);
      await press(hand, second.getByRole('button', { name: 'Add the domain' }));
      await expect(second.getByText('Your plan allows 1 domain, and you have 1.')).toBeVisible();
      await page.keyboard.press('Escape');

      await press(hand, page.getByRole('button', { name: `Remove ${domain}` }));
      const confirm = page.getByRole('dialog');
      await expect(confirm).toContainText('nothing stops redirecting');
      await press(hand, confirm.getByRole('button', { name: 'Remove the domain' }));
      await expect(page.getByText('Serve links on a domain of your own')).toBeVisible();
    });

    test('a subdomain: claimed, activated, released', async ({ page, person }) => {
      const name = unique('sub');
      await signIn(page, person, '/app/domains');
      await type(hand, page.getByLabel('Name'), name);
      await expect(page.getByRole('status').filter({ hasText: `http://${name}.` })).toBeVisible();
      await press(hand, page.getByRole('button', { name: 'Claim it' }));
      await press(hand, page.getByRole('button', { name: 'Activate' }));
      await expect(page.getByText('Serves your links since', { exact: false })).toBeVisible();
      await press(hand, page.getByRole('button', { name: 'Release' }));
      const confirm = page.getByRole('dialog');
      await expect(confirm).toContainText('answer 404 at once');
      await press(hand, confirm.getByRole('button', { name: 'Release the subdomain' }));
      await expect(page.getByRole('button', { name: 'Claim it' })).toBeVisible();
    });

    test('J5: a webhook, whose receiver fails, recovers and is gone', async ({ page, person, receiver }) => {
      await signIn(page, person, '/app/developers/webhooks');
      const form = await startNew(hand, page, 'New webhook');
      await type(hand, form.getByLabel('Name'), 'CRM');
      await type(hand, form.getByLabel('URL'), receiver.url);
      await press(hand, form.getByRole('checkbox', { name: 'link.created' }));
      await press(hand, form.getByRole('button', { name: 'Create the webhook' }));

      // The secret is shown once, and can't be closed away by accident.
      const secret = page.getByRole('dialog', { name: 'The signing secret' });
      await expect(secret.getByLabel('Secret')).toHaveValue(/^whsec_/);
      await page.keyboard.press('Escape');
      await expect(secret).toBeVisible();
      await expect(secret.getByRole('button', { name: 'Done' })).toBeDisabled();
      await press(hand, secret.getByRole('button', { name: 'Copy', exact: true }));
      expect(await clipboard(page)).toBe(await secret.getByLabel('Secret').inputValue());
      await press(hand, secret.getByRole('checkbox'));
      await press(hand, secret.getByRole('button', { name: 'Done' }));
      await expect(page.getByRole('heading', { name: 'CRM' })).toBeVisible();

      // A failure is seen as it happens, and why.
      receiver.answer(500);
      if (hand === 'keyboard') await page.keyboard.press('t');
      else await page.getByRole('button', { name: 'Send a test' }).click();
      const row = page.getByRole('row').filter({ hasText: 'webhook.test' });
      await expect(row).toContainText('Retrying');
      await expect(row).toContainText('HTTP 500');
      await expect(page.getByText('All attempts have failed since', { exact: false })).toBeVisible();
      if (hand === 'keyboard') {
        await page.keyboard.press('j');
        await page.keyboard.press('Enter');
      } else await row.getByRole('button', { name: 'webhook.test', exact: true }).click();
      const delivery = page.getByRole('dialog', { name: 'Delivery of webhook.test' });
      await expect(delivery.getByText('Attempt 1')).toBeVisible();
      const shown = JSON.parse(await delivery.locator('.code pre').innerText());
      expect(shown).toEqual(receiver.received[0]?.body);

      receiver.answer(204);
      await press(hand, delivery.getByRole('button', { name: 'Deliver again' }));
      await expect(delivery.getByText('Succeeded')).toBeVisible();
      await expect(delivery.getByText('HTTP 204')).toBeVisible();
      expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
      await page.keyboard.press('Escape');
      await expect(row).toContainText('Succeeded');

      receiver.answer(410);
      await press(hand, row.getByRole('button', { name: /^Deliver again/ }));
      await expect(page.getByText('The receiver answered 410 Gone', { exact: false })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Send a test' })).toBeDisabled();
      receiver.answer(204);
      await press(hand, page.getByRole('button', { name: 'Enable again' }));
      await expect(page.getByRole('heading', { name: 'CRM Active' })).toBeVisible();
    });

    test('a webhook gets a new secret, and is deleted', async ({ page, person, service, receiver }) => {
      const { accessToken } = await post(`${service}/auth/login`, person);
      const webhook = { name: 'CRM', url: receiver.url, events: ['link.created'] };
      const { id } = await post(`${service}/webhooks`, webhook, accessToken);
      await signIn(page, person, `/app/developers/webhooks/${id}`);
      const actions = page.getByRole('button', { name: 'Actions for CRM' });

      await press(hand, actions);
      await choose(hand, page.getByRole('menuitem', { name: 'New secret' }));
      await press(hand, page.getByRole('dialog').getByRole('button', { name: 'Make a new secret' }));
      const secret = page.getByRole('dialog', { name: 'The signing secret' });
      await press(hand, secret.getByRole('checkbox'));
      await press(hand, secret.getByRole('button', { name: 'Done' }));
      await expect(actions).toBeFocused();

      await press(hand, actions);
      await choose(hand, page.getByRole('menuitem', { name: 'Delete the webhook' }));
      await press(hand, page.getByRole('dialog').getByRole('button', { name: 'Delete the webhook' }));
      await expect(page.getByText('Let your own service know', { exact: false })).toBeVisible();
    });

    test('J6: an API key, created, used and revoked', async ({ page, person, service }) => {
      await signIn(page, person, '/app/developers');
      const form = await startNew(hand, page, 'New API key');
      await type(hand, form.getByLabel('Name'), 'CI deploys');
      await press(hand, form.getByRole('button', { name: 'Read only' }));
      await press(hand, form.getByRole('checkbox', { name: 'Create, change and delete links' }));
      const networks = form.getByLabel('Only from these networks');
      await type(hand, networks, '127.0.0.0/8\n192.0.2.300, 2001:db8::/32 nowhere');
      await press(hand, form.getByRole('button', { name: 'Create the key' }));
      // What is wrong is named, the rest is not, and all stays to be corrected.
      await expect(networks).toBeFocused();
      await expect(networks).toHaveAccessibleDescription(/192\.0\.2\.300, nowhere: /);
      await expect(networks).not.toHaveAccessibleDescription(/127\.0\.0\.0|2001:db8/);
      await expect(networks).toHaveValue('127.0.0.0/8\n192.0.2.300, 2001:db8::/32 nowhere');
      await type(hand, networks, '127.0.0.0/8\n2001:db8::/32');
      await press(hand, form.getByRole('button', { name: 'Create the key' }));

      const shown = page.getByRole('dialog', { name: 'Your API key' });
      const key = await shown.getByLabel('API key').inputValue();
      await press(hand, shown.getByRole('button', { name: 'Copy', exact: true }));
      expect(await clipboard(page)).toBe(key);
      await expect(shown.locator('pre')).toHaveText(`curl ${service}/api/v1/links \\\n  -H 'authorization: Bearer ${key}'`);
      await page.keyboard.press('Escape');
      await expect(shown.getByRole('button', { name: 'Done' })).toBeDisabled();
      await press(hand, shown.getByRole('checkbox'));
      await press(hand, shown.getByRole('button', { name: 'Done' }));
      await expect(shown).toBeHidden();
      await expect(page.locator('body')).not.toContainText(key);

      const call = () => fetch(`${service}/api/v1/links`, { headers: { authorization: `Bearer ${key}` } });
      expect((await call()).status).toBe(200);
      const row = page.getByRole('row').filter({ hasText: 'CI deploys' });
      await expect(row).toContainText('Live');
      await expect(row).toContainText('Only from 127.0.0.0/8, 2001:db8::/32');
      await press(hand, row.getByRole('button', { name: 'Revoke: CI deploys' }));
      await press(hand, page.getByRole('dialog').getByRole('button', { name: 'Revoke' }));
      await expect(row).toContainText('Revoked');
      expect((await call()).status).toBe(401);
    });
  });
}

test('the form of a webhook says what clicks alone are', async ({ page, person }) => {
  await signIn(page, person, '/app/developers/webhooks');
  await page.getByRole('button', { name: 'New webhook' }).first().click();
  const dialog = page.getByRole('dialog');
  const hint = dialog.getByRole('status').filter({ hasText: 'One request for each click, those of bots included' });
  await expect(hint).toBeVisible();
  await dialog.getByRole('checkbox', { name: /^link\.created/ }).check();
  await expect(hint).toHaveCount(0);
  await dialog.getByRole('checkbox', { name: /^link\.created/ }).uncheck();
  await expect(hint).toBeVisible();
  await dialog.getByRole('checkbox', { name: /^link\.clicked/ }).uncheck();
  await expect(hint).toHaveCount(0);
});
