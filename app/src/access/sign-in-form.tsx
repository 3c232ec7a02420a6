import { useState } from 'preact/hooks';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Check, Field, Form } from '../ui/form.tsx';
import { atCode, CodeField, codeIn } from './code-field.tsx';
import { explainLogin, signInWith } from './sign-in.ts';

interface StepProps {
  email: string;
  challenge: string;
  isPersistent: boolean;
  onBack(isLate: boolean): void;
}

/** The second step, after the right password of somebody who has a second factor. */
function SecondFactor({ email, challenge, isPersistent, onBack }: StepProps) {
  async function send(values: FormData): Promise<Problem | undefined> {
    const problem = await signInWith(email, { challenge, code: codeIn(values), isPersistent });
    if (problem?.code !== 'UNAUTHENTICATED') return problem && atCode(problem);
    onBack(true);
    return undefined;
  }
  return (
    <>
      <Form submit={t.session.signIn} onSubmit={send}>
        <CodeField />
      </Form>
      <p>
        <Button kind="quiet" icon="left" onClick={() => onBack(false)}>
          {t.session.back}
        </Button>
      </p>
    </>
  );
}

/** Signs in by e-mail address and password, and by a code if the user has a second factor. */
export function SignInForm({ email = '', isReadOnly }: { email?: string; isReadOnly?: boolean }) {
  const [typed, setTyped] = useState({ email, isPersistent: true });
  /** What the second step goes on with. */
  const [challenge, setChallenge] = useState<string>();
  const [isLate, setLate] = useState(false);

  async function send(values: FormData): Promise<Problem | undefined> {
    const next = { email: String(values.get('email')), isPersistent: values.has('isPersistent') };
    const problem = await signInWith(next.email, { ...next, password: String(values.get('password')) });
    if (problem?.code !== 'SECOND_FACTOR_REQUIRED') return problem;
    setTyped(next);
    setChallenge(problem.details.challenge);
    return undefined;
  }
  function back(isTooLate: boolean) {
    setLate(isTooLate);
    setChallenge(undefined);
  }

  if (challenge !== undefined) return <SecondFactor {...typed} challenge={challenge} onBack={back} />;
  return (
    <>
      {isLate && (
        <div class="form-problem" role="alert">
          <p>{t.session.codeTooLate}</p>
        </div>
      )}
      <Form submit={t.session.signIn} onSubmit={send} explain={explainLogin}>
        <Field
          name="email"
          type="email"
          label={t.session.email}
          autocomplete="username"
          value={typed.email}
          isReadOnly={isReadOnly}
          rule={{ required: true }}
          hasFocus={!typed.email}
        />
        <Field
          name="password"
          type="password"
          label={t.session.password}
          autocomplete="current-password"
          rule={{ required: true }}
          hasFocus={Boolean(typed.email)}
        />
        <Check name="isPersistent" label={t.session.stay} isOn={typed.isPersistent} />
      </Form>
    </>
  );
}
