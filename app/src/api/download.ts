import { save } from '../ui/save.ts';
import { type Problem, unreachable } from './problem.ts';
import { rest } from './rest.ts';

/** Fetches a file and saves it. */
export async function download(path: string, name: string): Promise<Problem | undefined> {
  const { data, problem } = await rest(path);
  if (problem) return problem;
  const file = await data.blob().catch(() => undefined);
  if (!file) return unreachable();
  save(file, name);
  return undefined;
}
