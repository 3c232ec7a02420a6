import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
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
import { say } from '../ui/toast.tsx';
import { Section } from './section.tsx';

const UPDATE = graphql(`
  mutation UpdateMe($input: UpdateMeInput!) {
    updateMe(input: $input) {
      user {
        id
        email
        name
        createdAt
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

export function CurrentPassword() {
  return (
    <Field
      name="currentPassword"
      type="password"
      label={t.settings.profile.currentPassword}
      autocomplete="current-password"
      rule={{ required: true }}
    />
  );
}

function EmailDialog({ onClose }: DialogProps) {
  async function send(values: FormData) {
    const email = String(values.get('email')).trim();
    const problem = await update({ email, currentPassword: String(values.get('currentPassword')) });
    if (problem) return problem;
    say(t.settings.profile.emailSaved(user.value?.email ?? email));
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

function PasswordDialog({ onClose, onPassword }: DialogProps) {
  async function send(values: FormData) {
    const problem = await update({
      password: String(values.get('password')),
      currentPassword: String(values.get('currentPassword')),
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
        <Field
          name="currentPassword"
          type="password"
          label={t.settings.profile.currentPassword}
          autocomplete="current-password"
          rule={{ required: true }}
          hasFocus
        />
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

const DIALOGS = { name: NameDialog, email: EmailDialog, password: PasswordDialog };
type Asked = keyof typeof DIALOGS;

function Fact({ label, change, onChange, children }: { label: string; change: string; onChange(): void; children: ComponentChildren }) {
  return (
    <div class="fact">
      <dt>{label}</dt>
      <dd dir="auto">{children}</dd>
      <dd>
        <Button isWrite label={change} onClick={onChange}>
          {t.settings.change}
        </Button>
      </dd>
    </div>
  );
}

export function Profile({ onPassword }: { onPassword(): void }) {
  const words = t.settings.profile;
  const [asked, setAsked] = useState<Asked>();
  const Asking = asked && DIALOGS[asked];
  return (
    <Section title={words.title} hint={words.hint}>
      <dl class="settings-facts">
        <Fact label={words.name} change={words.changeName} onChange={() => setAsked('name')}>
          {user.value?.name}
        </Fact>
        <Fact label={words.email} change={words.changeEmail} onChange={() => setAsked('email')}>
          {user.value?.email}
        </Fact>
        <Fact label={words.password} change={words.changePassword} onChange={() => setAsked('password')}>
          <span class="muted">{words.passwordShown}</span>
        </Fact>
      </dl>
      {Asking && <Asking onClose={() => setAsked(undefined)} onPassword={onPassword} />}
    </Section>
  );
}
