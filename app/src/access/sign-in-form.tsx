import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { type Credentials, signIn } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Check, Field, Form } from '../ui/form.tsx';
import { atCode, CodeField, codeIn } from './code-field.tsx';
import { getLoginPasskey, takesPasskeys } from './passkey.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { explainLogin, signInWith } from './sign-in.ts';

/** The second factor of those whose node is of the version before, and names none. */
const APP = ['TOTP'];

/** What the first step leaves to the second. */
interface Begun {
  email?: string;
  challenge: string;
  /** The second factors that the user has. */
  factors: string[];
  isPersistent: boolean;
}

interface StepProps {
  begun: Begun;
  onBack(isLate: boolean): void;
}

/** The second step, of somebody who has a second factor. */
function SecondFactor({ begun: { email = '', challenge, factors, isPersistent }, onBack }: StepProps) {
  const hasApp = factors.includes('TOTP');
  function unlessLate(problem?: Problem): Problem | undefined {
    if (problem?.code !== 'UNAUTHENTICATED') return problem;
    onBack(true);
    return undefined;
  }
  async function send(values: FormData): Promise<Problem | undefined> {
    const problem = await signInWith(email, { challenge, code: codeIn(values), isPersistent });
    return unlessLate(problem && atCode(problem));
  }
  async function givePasskey(): Promise<Problem | undefined> {
    const { answer, problem } = await getLoginPasskey(challenge);
    return unlessLate(answer ? await signIn({ ...answer, isPersistent }) : problem);
  }
  return (
    <>
      {takesPasskeys && factors.includes('PASSKEY') && (
        <PasskeyButton label={t.session.passkey.use} isPrimary={!hasApp} onPress={givePasskey} />
      )}
      <Form submit={t.session.signIn} onSubmit={send}>
        <CodeField hasApp={hasApp} />
      </Form>
      <p>
        <Button kind="quiet" icon="left" onClick={() => onBack(false)}>
          {t.session.back}
        </Button>
      </p>
    </>
  );
}

/** Sends the first step, which may lead to the second. */
export type Begin = (credentials: Credentials, email?: string) => Promise<Problem | undefined>;

interface StepsProps {
  /** Of the second step, where the first one was done elsewhere: such a session ends with the browser. */
  challenge?: string;
  /** The second factors of its user. */
  factors?: string[];
  /** The first step; `begun`, if one came back to it. */
  children(begin: Begin, begun?: Begun): ComponentChildren;
}

/** Signs in by whatever the first step asks for, and by a second factor if the user has one. */
export function SignInSteps({ challenge, factors = APP, children }: StepsProps) {
  const [begun, setBegun] = useState<Begun | undefined>(challenge === undefined ? undefined : { challenge, factors, isPersistent: false });
  const [isSecond, setSecond] = useState(challenge !== undefined);
  const [isLate, setLate] = useState(false);

  async function begin(credentials: Credentials, email = ''): Promise<Problem | undefined> {
    const problem = await signInWith(email, credentials);
    if (problem?.code !== 'SECOND_FACTOR_REQUIRED') return problem;
    const { challenge: next, factors: theirs } = problem.details;
    setBegun({ email, challenge: next!, factors: theirs ?? APP, isPersistent: credentials.isPersistent });
    setSecond(true);
    return undefined;
  }
  function back(isTooLate: boolean) {
    setLate(isTooLate);
    setSecond(false);
  }

  if (begun && isSecond) return <SecondFactor begun={begun} onBack={back} />;
  return (
    <>
      {isLate && (
        <div class="form-problem" role="alert">
          <p>{t.session.codeTooLate}</p>
        </div>
      )}
      {children(begin, begun)}
    </>
  );
}

interface FormProps {
  begin: Begin;
  begun?: Begun;
  email?: string;
  isReadOnly?: boolean;
  /** Whether a passkey takes the place of both, whoever has it. */
  hasPasskeys?: boolean;
}

/** The first step by e-mail address and password. */
export function PasswordForm({ begin, begun, isReadOnly, hasPasskeys, ...given }: FormProps) {
  const both = useRef<HTMLDivElement>(null);
  const email = begun?.email ?? given.email ?? '';
  const send = (values: FormData) => {
    const typed = String(values.get('email'));
    return begin({ email: typed, password: String(values.get('password')), isPersistent: values.has('isPersistent') }, typed);
  };
  async function givePasskey(): Promise<Problem | undefined> {
    const { answer, problem } = await getLoginPasskey(null);
    const isPersistent = both.current!.querySelector<HTMLInputElement>('[name=isPersistent]')!.checked;
    return answer ? signIn({ ...answer, isPersistent }) : problem;
  }
  return (
    <div class="proof" ref={both}>
      <Form submit={t.session.signIn} onSubmit={send} explain={explainLogin}>
        <Field
          name="email"
          type="email"
          label={t.session.email}
          autocomplete="username"
          value={email}
          isReadOnly={isReadOnly}
          rule={{ required: true }}
          hasFocus={!email}
        />
        <Field
          name="password"
          type="password"
          label={t.session.password}
          autocomplete="current-password"
          rule={{ required: true }}
          hasFocus={Boolean(email)}
        />
        <Check name="isPersistent" label={t.session.stay} isOn={begun?.isPersistent ?? true} />
      </Form>
      {hasPasskeys && takesPasskeys && <PasskeyButton label={t.session.passkey.signIn} onPress={givePasskey} />}
    </div>
  );
}
