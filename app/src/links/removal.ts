// Deletes links in a few seconds, unless that is undone: the service brings none back.
import type { ComponentChildren } from 'preact';
import { sendLast } from '../api/client.ts';
import { problemOfPart, type Problem } from '../api/problem.ts';
import { farewells, isStale, renew } from '../session/session.ts';
import { t } from '../i18n/index.ts';
import { complain, say } from '../ui/toast.tsx';
import { going } from './going.ts';
import { DELETE_ALL, deleteAll, partsOf } from './many.ts';

/** More are deleted at once: a browser sends no more while a page is left. */
const MOST_GOING = 500;

/** Deletions that the service has not been asked for, by the ids of their links. */
const waiting = new Set<string[]>();

const stay = (ids: string[]): void => {
  const left = new Set(going.value);
  for (const id of ids) left.delete(id);
  going.value = left;
};

/** Deletes them now, and answers the first problem. */
async function removeNow(ids: string[]): Promise<Problem | undefined> {
  let problem: Problem | undefined;
  for (const part of partsOf(ids)) {
    const outcome = await deleteAll(part);
    problem ??= outcome.problem;
    const refused = outcome.data?.find(({ error }) => error && error.code !== 'NOT_FOUND')?.error;
    if (refused) problem ??= problemOfPart(refused);
    if (outcome.problem) break;
  }
  return problem;
}

async function commit(ids: string[]): Promise<void> {
  if (!waiting.delete(ids)) return;
  const problem = await removeNow(ids);
  stay(ids);
  if (problem) complain(problem);
}

/** Whether so many more can wait. */
export const canWait = (count: number): boolean => going.value.size + count <= MOST_GOING;

/** Deletes links in ten seconds, or when the page is left; says so, and how to keep them. */
export function removeSoon(ids: string[], told: ComponentChildren): void {
  going.value = new Set([...going.value, ...ids]);
  waiting.add(ids);
  // The token has to be good until then.
  if (isStale()) renew().catch(() => undefined);
  say(told, {
    undo() {
      waiting.delete(ids);
      stay(ids);
      say(t.linkForms.remove.kept(ids.length));
    },
    end: () => void commit(ids),
  });
}

const commitAll = () => Promise.all([...waiting].map(commit));
farewells.add(commitAll);
addEventListener('pagehide', () => {
  for (const ids of waiting) {
    waiting.delete(ids);
    // A page that the browser brings back as it was would still show them.
    addEventListener('pageshow', () => location.reload());
    for (const part of partsOf(ids)) sendLast(DELETE_ALL, { input: { ids: part } });
  }
});
