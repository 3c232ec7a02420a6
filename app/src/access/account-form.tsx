import { mutate } from '../api/client.ts';
import { RegisterInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { signIn } from '../session/session.ts';
import { Check, Field, Form } from '../ui/form.tsx';

const REGISTER = graphql(`
  mutation Register($input: RegisterInput!) {
    register(input: $input) {
      user {
        id
      }
    }
  }
`);

/** `ada.lovelace@example.com` is called Ada Lovelace until she says otherwise. */
const nameOf = (email: string): string =>
  email
    .replace(/@.*/, '')
    .split(/[._+-]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
    .slice(0, RegisterInput.name.maxLength) || email;

/** An address that was not invited is told at its field. */
const atEmail = (problem: Problem): Problem =>
  problem.details.reason === 'OTHER_ADDRESS'
    ? { ...problem, violations: [{ path: 'email', message: t.access.register.otherAddress }] }
    : problem;

const explain = ({ code }: Problem) => (code === 'NOT_FOUND' ? t.access.invitation.gone : undefined);

/** Creates an account by two fields; the name can be changed in the settings. By the token of an invitation, one is a member of its workspace. */
export function AccountForm({ invitation }: { invitation?: string }) {
  async function send(values: FormData) {
    const email = String(values.get('email')).trim();
    const password = String(values.get('password'));
    const input = { email, password, name: nameOf(email), invitationToken: invitation };
    const { problem } = await mutate(REGISTER, { input });
    return problem ? atEmail(problem) : signIn({ email, password, isPersistent: values.has('isPersistent') });
  }
  return (
    <Form submit={t.access.register.submit} onSubmit={send} explain={explain}>
      <Field name="email" type="email" label={t.session.email} autocomplete="username" rule={RegisterInput.email} hasFocus />
      <Field
        name="password"
        type="password"
        label={t.session.password}
        hint={t.session.passwordHint}
        autocomplete="new-password"
        rule={RegisterInput.password}
      />
      <Check name="isPersistent" label={t.session.stay} isOn />
    </Form>
  );
}
