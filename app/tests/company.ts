// A service with an identity provider, in the browser alone: what its answers say, and who comes back from the provider.
import type { Page, Route } from '@playwright/test';
import type { Person } from './fixtures.ts';

export interface Identity {
  id: string;
  provider: string;
  email: string | null;
  createdAt: string;
  lastUsedAt: string;
}

interface Told {
  /** Null: none is set up. */
  companySignIn?: string | null;
  hasPasswordLogin?: boolean;
  hasPassword?: boolean;
  registration?: 'OPEN' | 'CLOSED';
  /** Those of the user who asks. */
  identities?: Identity[];
  /** When the user who asks gave the last proof. */
  provedAt?: string;
}

/** Puts what is told in the place of what an answer has. */
function put(value: unknown, told: Told): void {
  if (value === null || typeof value !== 'object') return;
  for (const [name, each] of Object.entries(value)) {
    const isTold = name in told && Array.isArray(each) === Array.isArray(told[name as keyof Told]);
    if (isTold) Object.assign(value, { [name]: told[name as keyof Told] });
    else put(each, told);
  }
}

/** From now on the service says so; what is changed in `told` later, too. */
export async function say(page: Page, told: Told): Promise<void> {
  await page.route('**/graphql', async (route: Route) => {
    if (!/companySignIn|identities/.test(route.request().postData() ?? '')) return route.fallback();
    // Nobody waits for the answer any more where the page, or the test, was left meanwhile.
    const response = await route.fetch().catch(() => undefined);
    const json: unknown = await response?.json().catch(() => undefined);
    if (!response || json === undefined) return undefined;
    put(json, told);
    return route.fulfill({ response, json });
  });
}

/** Somebody is signed in by the provider, and comes back to the page that was wanted. Answers the addresses that led there. */
export async function provide(page: Page, person: Person): Promise<URL[]> {
  const asked: URL[] = [];
  await page.route('**/auth/sign-in?*', async (route: Route) => {
    const url = new URL(route.request().url());
    asked.push(url);
    const data = { ...person, isPersistent: true };
    await page.request.post('/auth/session', { data, headers: { 'x-linkgraph': '1' } });
    const to = (url.searchParams.get('to') ?? '/app').replaceAll('&', '&amp;');
    return route.fulfill({ contentType: 'text/html', body: `<meta http-equiv="refresh" content="0;url=${to}#signed-in">` });
  });
  return asked;
}
