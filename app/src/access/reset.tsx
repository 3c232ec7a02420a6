import { useMemo, useState } from 'preact/hooks';
import { mutate } from '../api/client.ts';
import { ResetPasswordInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { Check, Field, Form } from '../ui/form.tsx';
import { Banner } from '../ui/states.tsx';
import { Door, takeToken } from './door.tsx';

const RESET = graphql(`
  mutation ResetPassword($input: ResetPasswordInput!) {
    resetPassword(input: $input) {
      message
    }
  }
`);

const explain = ({ code }: Problem) => (code === 'UNAUTHENTICATED' ? t.access.reset.spent : undefined);

export default function Reset() {
  const token = useMemo(takeToken, []);
  const [isDone, setDone] = useState(false);
  async function send(values: FormData) {
    const { problem } = await mutate(RESET, {
      input: { token, password: String(values.get('password')), revokeApiKeys: values.has('revokeApiKeys') },
    });
    setDone(!problem);
    return problem;
  }
  return (
    <Door title={t.access.reset.title}>
      {isDone && (
        <Banner icon="check" kind="info">
          {t.access.reset.done}
        </Banner>
      )}
      {!token && <Banner icon="alert">{t.access.reset.noToken}</Banner>}
      {token && !isDone && (
        <Form submit={t.access.reset.submit} onSubmit={send} explain={explain}>
          <Field
            name="password"
            type="password"
            label={t.access.newPassword}
            hint={t.session.passwordHint}
            autocomplete="new-password"
            rule={ResetPasswordInput.password}
            hasFocus
          />
          <Check name="revokeApiKeys" label={t.access.reset.revoke} hint={t.access.reset.revokeHint} />
        </Form>
      )}
      <p class="door-links">
        <a href="/app/login">{t.access.forgot.toLogin}</a>
        {!isDone && <a href="/app/forgot">{t.access.reset.again}</a>}
      </p>
    </Door>
  );
}
