import { mutate } from '../api/client.ts';
import { RegisterInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
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

/** Creates an account by two fields; the name can be changed in the settings. */
export function AccountForm() {
  async function send(values: FormData) {
    const email = String(values.get('email')).trim();
    const password = String(values.get('password'));
    const { problem } = await mutate(REGISTER, { input: { email, password, name: nameOf(email) } });
    return problem ?? signIn({ email, password, isPersistent: values.has('isPersistent') });
  }
  return (
    <Form submit={t.access.register.submit} onSubmit={send}>
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
