import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { Field } from '../ui/form.tsx';

/** The code of a form, as it is sent: apps show theirs with a gap. */
export const codeIn = (values: FormData): string => String(values.get('code')).replaceAll(/\s/g, '').toLowerCase();

/** A wrong code is told at its field. */
export const atCode = (problem: Problem): Problem =>
  problem.code === 'INVALID_CREDENTIALS' ? { ...problem, violations: [{ path: 'code', message: t.session.wrongCode }] } : problem;

/** A code of the authenticator app, or one for recovery, which has letters: no keyboard of digits alone. */
export function CodeField({ hasApp = true }: { hasApp?: boolean }) {
  return (
    <Field
      name="code"
      label={hasApp ? t.session.code : t.session.recoveryCode}
      hint={hasApp && t.session.codeHint}
      autocomplete="one-time-code"
      rule={{ required: true }}
      hasFocus={hasApp}
    />
  );
}
