import { accessToken, isStale, renew } from '../session/session.ts';
import { save } from '../ui/save.ts';
import { type Problem, problemOfResponse, unreachable } from './problem.ts';

const request = (path: string): Promise<Response> => fetch(path, { headers: { authorization: `Bearer ${accessToken()}` } });

/** Fetches a file with the token, which a plain link could not carry, and saves it. */
export async function download(path: string, name: string): Promise<Problem | undefined> {
  try {
    if (isStale()) await renew();
    let response = await request(path);
    if (response.status === 401) {
      await renew();
      response = await request(path);
    }
    if (!response.ok) return await problemOfResponse(response);
    save(await response.blob(), name);
    return undefined;
  } catch {
    return unreachable();
  }
}
