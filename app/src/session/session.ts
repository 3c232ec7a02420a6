// The user who is signed in. The access token lives in this module alone; what outlives the page is an HttpOnly cookie that
// can do one thing, fetch another token.
import { signal } from '@preact/signals';
import { problemOfResponse, unreachable, type Problem } from '../api/problem.ts';
import { doubt } from '../api/service.ts';
import { account, claimsOf, role } from './role.ts';

export interface User {
  id: string;
  email: string;
  name: string;
  createdAt: string;
  /** Null: the address is not proved to be the user's yet. */
  emailVerifiedAt: string | null;
  /** An address that replaces the other once it is proved; null: none waits. */
  pendingEmail: string | null;
}

interface Granted {
  accessToken: string;
  expiresIn: number;
  user: User;
}

type Status = 'starting' | 'away' | 'out' | 'in' | 'over';

/**
 * `away`: nobody could say yet whether there is a session.
 * `over`: the page still shows what a user sees whose session ended; the dialog of `SessionOver` lies above it.
 */
export const status = signal<Status>('starting');
export const user = signal<User | null>(null);

const PATH = '/auth/session';
const HEADERS = { 'x-linkgraph': '1' };
// Tells only whether asking for a token is worth a request; it is no credential.
const HINT = 'linkgraph.signed-in';
/** What says that the page was loaded anew for another account. */
export const MOVED = 'linkgraph.moved';
const EARLY_MS = 60_000;
const AGAIN_MS = 3000;
const FRESH_MS = 5 * 60_000;

let token: string | null = null;
let expiresAt = 0;
let grantedAt = 0;
let refreshing: Promise<boolean> | null = null;
let renewing: { isDone: Promise<void>; done(): void } | null = null;

const tabs = new BroadcastChannel('linkgraph.session');
tabs.onmessage = () => leave();
const changes = new BroadcastChannel('linkgraph.user');
changes.onmessage = () => {
  const seen = isStillIn().then((isIn) => {
    if (!isIn) leave();
  });
  seen.catch(() => undefined);
};

// Follows the address of a page to which the company's identity provider has sent the browser back, with the cookie.
const BACK = '#signed-in';
const expectSession = (): void => localStorage.setItem(HINT, '1');

let isMoving = false;

/** The page that shows the same of another account: one thing that is in this account alone gives way to its list. */
const sameInOther = (): string => location.pathname.replace(/\/[\da-f]{8}-[\da-f-]{27}$/, '');

/**
 * From here on the token of this answer is the one in force. One for another account loads the page anew, so that nothing of the former
 * account stays in memory, or is sent to the other one; so does `to`, which names the page.
 */
export function grant(granted: Granted, to?: string): void {
  const { account: granting, mem } = claimsOf(granted.accessToken);
  const isOther = account.value !== null && account.value !== granting;
  if (isOther || to !== undefined) {
    isMoving = true;
    if (isOther) sessionStorage.setItem(MOVED, 'moved');
    location.replace(to ?? sameInOther());
    return;
  }
  account.value = granting;
  role.value = mem?.[2] ?? 'OWNER';
  token = granted.accessToken;
  grantedAt = Date.now();
  expiresAt = grantedAt + granted.expiresIn * 1000;
  user.value = granted.user;
  status.value = 'in';
  expectSession();
  renewing?.done();
  renewing = null;
}

function forget(): void {
  localStorage.removeItem(HINT);
  sessionStorage.clear();
  user.value = null;
  account.value = null;
}

/** Loads the sign-in page anew, so that nothing of the user stays in memory. */
function leave(to = '/app/login'): void {
  forget();
  location.replace(to);
}

export const accessToken = (): string | null => token;
export const isStale = (): boolean => token !== null && Date.now() > expiresAt - EARLY_MS;

// Tabs take turns where there are locks, which plain http has not. Without them, the service still takes the cookie that
// another tab has just replaced.
const inTurn = (act: () => Promise<boolean>): Promise<boolean> =>
  isSecureContext ? navigator.locks.request('linkgraph.refresh', act) : act();

/** Fetches a token by the cookie, once for all who ask meanwhile, and one tab after the other. */
export function refresh(): Promise<boolean> {
  refreshing ??= inTurn(async () => {
    const response = await fetch(`${PATH}/refresh`, { method: 'POST', headers: HEADERS });
    if (response.ok) grant((await response.json()) as Granted);
    else if (response.status !== 401) throw new Error(`refresh: ${response.status}`);
    return response.ok;
  })
    // Whoever waits shall do nothing more on a page that is being left for another account.
    .then((isIn) => (isMoving ? new Promise<never>(() => undefined) : isIn))
    .finally(() => {
      refreshing = null;
    });
  return refreshing;
}

/** Comes back with a good token: asks for the password again if the session is over. */
export async function renew(): Promise<void> {
  if (await refresh()) return;
  if (!renewing) {
    let done = () => undefined as void;
    const isDone = new Promise<void>((resolve) => {
      done = resolve;
    });
    renewing = { isDone, done };
    status.value = 'over';
  }
  await renewing.isDone;
}

const isStillIn = async (): Promise<boolean> => status.value !== 'in' || refresh();

/** A link of a mail changed a user, who may be signed in here and in other tabs: they get what is so now, or are signed out. */
export async function lookAgain(): Promise<void> {
  changes.postMessage('changed');
  const isIn = await isStillIn().catch(() => true);
  if (isIn) return;
  token = null;
  forget();
  status.value = 'out';
}

// A session may have ended while nobody looked. Whoever comes back shall learn it before typing, and not by a failure.
document.addEventListener('visibilitychange', () => {
  const isWorthAsking = status.value === 'in' && Date.now() - grantedAt > FRESH_MS;
  if (document.visibilityState === 'visible' && isWorthAsking) renew().catch(() => undefined);
});

export async function start(): Promise<void> {
  if (location.hash === BACK) {
    expectSession();
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  try {
    if (localStorage.getItem(HINT) !== null && (await refresh())) return;
    localStorage.removeItem(HINT);
    status.value = 'out';
  } catch {
    status.value = 'away';
    doubt();
    setTimeout(() => void start(), AGAIN_MS);
  }
}

/** The first step of signing in, by the password, by a link of the operator or by a passkey, and the second, if the user has a second factor. */
export type Credentials = { isPersistent: boolean } & (
  | { email: string; password: string }
  | { link: string }
  | { challenge: string; code: string }
  | { challenge: string; credential: string }
);

export async function signIn(credentials: Credentials): Promise<Problem | undefined> {
  try {
    const response = await fetch(PATH, {
      method: 'POST',
      headers: { ...HEADERS, 'content-type': 'application/json' },
      body: JSON.stringify(credentials),
    });
    if (!response.ok) return await problemOfResponse(response);
    grant((await response.json()) as Granted);
    return undefined;
  } catch {
    return unreachable();
  }
}

/** What has to be done while the token is still good. */
export const farewells = new Set<() => Promise<unknown>>();
export const sayFarewell = (): Promise<unknown> => Promise.all([...farewells].map((act) => act()));

/** Goes on with the token for another account, here and in the other tabs. */
export function moveTo(granted: Granted, to?: string): void {
  grant(granted, to);
  changes.postMessage('moved');
}

/** Signs out here and in all tabs, also when the service can't be reached: then its cookie stays until it expires. */
export async function signOut(to?: string): Promise<void> {
  await sayFarewell();
  await fetch(PATH, { method: 'DELETE', headers: HEADERS }).catch(() => undefined);
  tabs.postMessage('signed-out');
  leave(to);
}
