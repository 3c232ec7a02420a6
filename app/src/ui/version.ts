import { useRef } from 'preact/hooks';
import type { Problem } from '../api/problem.ts';

export interface Version {
  /** The change, as one of what the form was opened with. */
  of<Change extends object>(change: Change): Change & { expectedUpdatedAt?: string };
  /** Notes that the user is told of another's change: what is sent next overwrites it. */
  told(problem?: Problem): Problem | undefined;
  /** It is another one now, by a change of the user's own. */
  now(updatedAt: string): void;
}

/** Keeps an edit form from overwriting in silence what was changed elsewhere since it was opened. */
export function useVersion(updatedAt?: string): Version {
  const expected = useRef(updatedAt);
  return {
    of: (change) => (expected.current ? { ...change, expectedUpdatedAt: expected.current } : change),
    told(problem) {
      if (problem?.code === 'PRECONDITION_FAILED') expected.current = undefined;
      return problem;
    },
    now(next) {
      expected.current = next;
    },
  };
}
