import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { mutate } from '../api/client.ts';
import { ForgotPasswordInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import { t } from '../i18n/index.ts';
import { Field, Form } from '../ui/form.tsx';
import { Banner } from '../ui/states.tsx';
import { searchOf } from './company.tsx';
import { Door } from './door.tsx';

const FORGOT = graphql(`
  mutation ForgotPassword($input: ForgotPasswordInput!) {
    forgotPassword(input: $input) {
      message
    }
  }
`);

export default function Forgot() {
  const { query } = useLocation();
  const [sentTo, setSentTo] = useState('');
  async function send(values: FormData) {
    const email = String(values.get('email')).trim();
    const { problem } = await mutate(FORGOT, { input: { email } });
    if (!problem) setSentTo(email);
    return problem;
  }
  return (
    <Door title={t.access.forgot.title} lead={sentTo ? undefined : t.access.forgot.lead}>
      {sentTo ? (
        <Banner icon="check" kind="info">
          {t.access.forgot.sent(sentTo)}
        </Banner>
      ) : (
        <Form submit={t.access.forgot.submit} onSubmit={send}>
          <Field
            name="email"
            type="email"
            label={t.session.email}
            autocomplete="username"
            value={query.email}
            rule={ForgotPasswordInput.email}
            hasFocus
          />
        </Form>
      )}
      <p class="door-links">
        <a href={`/app/login${searchOf(query)}`}>{t.access.forgot.toLogin}</a>
      </p>
    </Door>
  );
}
