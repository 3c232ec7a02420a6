import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { sendVerification } from '../access/verification.ts';
import { mutate } from '../api/client.ts';
import { UpdateMeInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { UpdateMeInput as Change } from '../api/generated/graphql.ts';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { grant, user } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Check, Field, Form } from '../ui/form.tsx';
import { naming } from '../ui/naming.tsx';
import { say } from '../ui/toast.tsx';
import { Fact } from './fact.tsx';
import { Section } from './section.tsx';

const UPDATE = graphql(`
  mutation UpdateMe($input: UpdateMeInput!) {
    updateMe(input: $input) {
      user {
        ...SignedIn
      }
      accessToken
      expiresIn
    }
  }
`);

/** Changes the user here and at the service, and goes on with the fresh token if there is one. */
async function update(input: Change): Promise<Problem | undefined> {
  const { data, problem } = await mutate(UPDATE, { input });
  if (problem) return atField(problem);
  const { accessToken, expiresIn, user: changed } = data.updateMe;
  user.value = changed;
  if (accessToken && expiresIn) grant({ accessToken, expiresIn, user: changed });
  return undefined;
}

/** A wrong password is told at its field, and a taken address at its own. */
export function atField(problem: Problem): Problem {
  const at = (path: string, message: string): Problem => ({ ...problem, violations: [{ path, message }] });
  if (problem.code === 'INVALID_CREDENTIALS') return at('currentPassword', t.settings.profile.wrongPassword);
  if (problem.code === 'CONFLICT') return at('email', t.settings.profile.emailTaken);
  return problem;
}

interface DialogProps {
  onClose(): void;
  /** After a password, the list of sessions is another. */
  onPassword(): void;
}

function NameDialog({ onClose }: DialogProps) {
  async function send(values: FormData) {
    const problem = await update({ name: String(values.get('name')).trim() });
    if (problem) return problem;
    say(t.settings.profile.nameSaved);
    onClose();
    return undefined;
  }
  return (
    <Dialog title={t.settings.profile.changeName} onClose={onClose} keepsInput>
      <Form submit={t.action.save} onSubmit={send} onCancel={onClose}>
        <Field
          name="name"
          label={t.settings.profile.name}
          value={user.value?.name}
          autocomplete="name"
          rule={{ ...UpdateMeInput.name, required: true }}
          hasFocus
        />
      </Form>
    </Dialog>
  );
}

/** Whether the user has a password: who has none proves by the company to be the user. */
export const hasPassword = signal(true);

/** What the field has; nothing of who has no password. */
export const currentPassword = (values: FormData): string => String(values.get('currentPassword') ?? '');

export function CurrentPassword({ hasFocus }: { hasFocus?: boolean }) {
  if (!hasPassword.value) return null;
  return (
    <Field
      name="currentPassword"
      type="password"
      label={t.settings.profile.currentPassword}
      autocomplete="current-password"
      rule={{ required: true }}
      hasFocus={hasFocus}
    />
  );
}

function EmailDialog({ onClose }: DialogProps) {
  async function send(values: FormData) {
    const email = String(values.get('email')).trim();
    const problem = await update({ email, currentPassword: currentPassword(values) });
    if (problem) return problem;
    const { email: inForce, pendingEmail } = user.value!;
    say(pendingEmail === null ? naming(t.settings.profile.kept, inForce) : naming(t.session.mailSent, pendingEmail));
    onClose();
    return undefined;
  }
  return (
    <Dialog title={t.settings.profile.changeEmail} onClose={onClose} keepsInput>
      <Form submit={t.action.save} onSubmit={send} onCancel={onClose}>
        <Field
          name="email"
          type="email"
          label={t.settings.profile.newEmail}
          hint={t.settings.profile.emailHint}
          autocomplete="email"
          rule={{ ...UpdateMeInput.email, required: true }}
          hasFocus
        />
        <CurrentPassword />
      </Form>
    </Dialog>
  );
}

/** No other address waits any more. */
function KeepDialog({ onClose }: DialogProps) {
  const words = t.settings.profile;
  const { email } = user.value!;
  async function send(values: FormData) {
    const problem = await update({ email, currentPassword: currentPassword(values) });
    if (problem) return problem;
    say(naming(words.kept, email));
    onClose();
    return undefined;
  }
  return (
    <Dialog title={words.keepTitle} onClose={onClose} keepsInput>
      <p class="muted">{naming(words.keepText, email)}</p>
      <Form submit={words.keepSubmit} onSubmit={send} onCancel={onClose}>
        <CurrentPassword hasFocus />
      </Form>
    </Dialog>
  );
}

function PasswordDialog({ onClose, onPassword }: DialogProps) {
  async function send(values: FormData) {
    const problem = await update({
      password: String(values.get('password')),
      currentPassword: currentPassword(values),
      revokeApiKeys: values.has('revokeApiKeys'),
    });
    if (problem) return problem;
    say(t.settings.profile.passwordSaved);
    onPassword();
    onClose();
    return undefined;
  }
  return (
    <Dialog title={t.settings.profile.changePassword} onClose={onClose} keepsInput>
      <p class="muted">{t.settings.profile.endsOthers}</p>
      <Form submit={t.action.save} onSubmit={send} onCancel={onClose}>
        {/* Tells password managers whose password it is. */}
        <input type="text" name="username" autocomplete="username" value={user.value?.email} readOnly hidden />
        <CurrentPassword hasFocus />
        <Field
          name="password"
          type="password"
          label={t.settings.profile.newPassword}
          hint={t.session.passwordHint}
          autocomplete="new-password"
          rule={{ ...UpdateMeInput.password, required: true }}
        />
        <Check name="revokeApiKeys" label={t.settings.profile.revoke} hint={t.settings.profile.revokeHint} />
      </Form>
    </Dialog>
  );
}

const DIALOGS = { name: NameDialog, email: EmailDialog, keep: KeepDialog, password: PasswordDialog };
type Asked = keyof typeof DIALOGS;

function SendAgain({ label, children }: { label?: string; children: string }) {
  const [isBusy, setBusy] = useState(false);
  async function send() {
    setBusy(true);
    await sendVerification();
    setBusy(false);
  }
  return (
    <Button isWrite label={label} isBusy={isBusy} onClick={() => void send()}>
      {children}
    </Button>
  );
}

/** What is still to be done about the e-mail address, if anything is. */
function emailNote(keep: () => void): ComponentChildren {
  const words = t.settings.profile;
  const { email, emailVerifiedAt, pendingEmail } = user.value ?? {};
  if (email && pendingEmail) {
    return (
      <>
        <p class="small">{naming(words.pending, pendingEmail, email)}</p>
        <SendAgain label={words.sendAgainLabel}>{words.sendAgain}</SendAgain>
        <Button isWrite onClick={keep}>
          {words.keep}
        </Button>
      </>
    );
  }
  if (emailVerifiedAt !== null) return undefined;
  return (
    <>
      <span class="chip warning">{words.unproved}</span>
      <SendAgain>{t.session.sendMail}</SendAgain>
    </>
  );
}

export function Profile({ onPassword }: { onPassword(): void }) {
  const words = t.settings.profile;
  const [asked, setAsked] = useState<Asked>();
  const Asking = asked && DIALOGS[asked];
  const fact = (label: string, what: Asked, change: string) => ({
    label,
    action: t.settings.change,
    actionLabel: change,
    onAct: () => setAsked(what),
  });
  return (
    <Section title={words.title} hint={words.hint}>
      <dl class="settings-facts">
        <Fact {...fact(words.name, 'name', words.changeName)}>{user.value?.name}</Fact>
        <Fact {...fact(words.email, 'email', words.changeEmail)} note={emailNote(() => setAsked('keep'))}>
          {user.value?.email}
        </Fact>
        <Fact {...fact(words.password, 'password', words.changePassword)}>
          <span class="muted">{words.passwordShown}</span>
        </Fact>
      </dl>
      {Asking && <Asking onClose={() => setAsked(undefined)} onPassword={onPassword} />}
    </Section>
  );
}
