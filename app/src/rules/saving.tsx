import type { ComponentChildren } from 'preact';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { ProblemText } from '../ui/states.tsx';

/** What is said where somebody else changed the link meanwhile, with a way to what it is now. */
export const explainChange =
  (loadNewer: () => void) =>
  (problem: Problem): ComponentChildren | undefined =>
    problem.code === 'PRECONDITION_FAILED' ? (
      <>
        <ProblemText problem={problem} />
        <Button onClick={loadNewer}>{t.rules.newer}</Button>
        <p class="hint">{t.rules.newerHint}</p>
      </>
    ) : undefined;
