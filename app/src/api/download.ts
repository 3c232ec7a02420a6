import { save } from '../ui/save.ts';
import { type Problem, problemOfResponse, unreachable } from './problem.ts';
import { request } from './rest.ts';

/** Fetches a file, and saves it. */
export async function download(path: string, name: string): Promise<Problem | undefined> {
  try {
    const response = await request(path);
    if (!response.ok) return await problemOfResponse(response);
    save(await response.blob(), name);
    return undefined;
  } catch {
    return unreachable();
  }
}
