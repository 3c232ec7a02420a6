// Some changes need more than a session: a proof of a moment ago that it is the user who makes them. It is asked for above whatever
// page or form they come from.
import { signal } from '@preact/signals';
import type { Problem } from './problem.ts';

/** Ends the question for a proof, by whether there is one now; null: nothing waits for one. */
export const asking = signal<((isProved: boolean) => void) | null>(null);
let answer: Promise<boolean> | null = null;

export const needsProof = ({ code, details }: Problem): boolean => code === 'FORBIDDEN' && details.reason === 'PROOF_REQUIRED';

/** Asks for a proof, once for all who need it meanwhile, and answers whether there is one. */
export function askForProof(): Promise<boolean> {
  answer ??= new Promise<boolean>((resolve) => {
    asking.value = (isProved) => {
      asking.value = null;
      answer = null;
      resolve(isProved);
    };
  });
  return answer;
}
