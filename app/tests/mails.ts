// The mails of the service, which are files while no mail server is set.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from './fixtures.ts';

/** The tokens of the mails to an address that lead to a page, such as `reset-password`, the oldest first. */
export function tokensFor(email: string, page: string, data: string): string[] {
  const folder = path.join(data, 'mail');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.eml')) : [];
  const mails = names.sort().map((name) => readFileSync(path.join(folder, name), 'utf8'));
  const isTo = (mail: string) => mail.slice(0, mail.indexOf('\r\n\r\n')).includes(email);
  return mails.filter(isTo).flatMap((mail) => mail.match(new RegExp(`/${page}\\?token=([\\w-]+)`))?.[1] ?? []);
}

/** The token of the newest such mail; it is written a moment after the answer. With `count`, once there are so many. */
export async function tokenFor(email: string, page: string, data: string, count = 1): Promise<string> {
  await expect.poll(() => tokensFor(email, page, data).length).toBeGreaterThanOrEqual(count);
  return tokensFor(email, page, data).at(-1)!;
}
