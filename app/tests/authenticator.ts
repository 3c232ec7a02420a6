import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page, Route } from '@playwright/test';
import { type Person, post } from './fixtures.ts';

const STEP_MS = 30_000;
/** So long before its step ends, the step before is no longer taken for sure. */
const MARGIN_MS = 10_000;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function bytesOf(base32: string): Buffer {
  const bits = [...base32].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** An authenticator app (RFC 6238: SHA-1, 30 seconds, six digits). */
export class Authenticator {
  readonly #key: Buffer;
  #last = 0;

  /** The secret as it is shown. */
  constructor(secret: string) {
    this.#key = bytesOf(secret.replaceAll(/[\s=]/g, ''));
  }

  /** A code that was not used yet. The service takes those of the step before and after, too, and none of a step that was used. */
  async next(): Promise<string> {
    const step = Math.max(this.#last + 1, Math.floor((Date.now() - STEP_MS + MARGIN_MS) / STEP_MS));
    while (step > Math.floor(Date.now() / STEP_MS) + 1) await wait(200);
    this.#last = step;
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(step));
    const digest = createHmac('sha1', this.#key).update(counter).digest();
    const number = digest.readUInt32BE(digest.at(-1)! & 0xf) & 0x7fff_ffff;
    return String(number % 1_000_000).padStart(6, '0');
  }
}

/** Gives somebody a second factor, by the API. The token is one of before. */
export async function secure(service: string, person: Person): Promise<{ app: Authenticator; codes: string[]; token: string }> {
  const { accessToken: token } = await post(`${service}/auth/login`, person);
  const { secret } = await post(`${service}/me/totp`, {}, token);
  const app = new Authenticator(secret);
  const { recoveryCodes: codes } = await post(`${service}/me/totp/confirm`, { code: await app.next() }, token);
  return { app, codes, token };
}

/** A mutation is refused once, as when the last proof is too old. */
export async function demandProof(page: Page, mutation: string): Promise<void> {
  const errors = [{ message: 'Refused.', extensions: { code: 'FORBIDDEN', details: { reason: 'PROOF_REQUIRED' } } }];
  let isDone = false;
  await page.route('**/graphql', (route: Route) => {
    if (isDone || !route.request().postData()?.includes(`mutation ${mutation}`)) return route.fallback();
    isDone = true;
    return route.fulfill({ json: { data: null, errors } });
  });
}
