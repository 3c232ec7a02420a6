import { accessToken, isStale, renew } from '../session/session.ts';
import type { Outcome } from './client.ts';
import { problemOfResponse, unreachable } from './problem.ts';

const request = (path: string, init: RequestInit): Promise<Response> =>
  fetch(path, { ...init, headers: { ...init.headers, authorization: `Bearer ${accessToken()}` } });

/** A request with the token, for files: the answer's, which a plain link could not be given, or the body. */
export async function rest(path: string, init: RequestInit = {}): Promise<Outcome<Response>> {
  try {
    if (isStale()) await renew();
    let response = await request(path, init);
    if (response.status === 401) {
      await renew();
      response = await request(path, init);
    }
    return response.ok ? { data: response } : { problem: await problemOfResponse(response) };
  } catch {
    return { problem: unreachable() };
  }
}
