import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { graphql } from '../api/generated/gql.ts';
import type { Problem } from '../api/problem.ts';
import { useData } from '../api/use.ts';
import { t } from '../i18n/index.ts';
import { signIn } from '../session/session.ts';
import { Check, Field, Form } from '../ui/form.tsx';
import { Door } from './door.tsx';

const INSTANCE = graphql(`
  query LoginInstance {
    instance {
      needsSetup
      registration
    }
  }
`);

export const explainLogin = ({ code }: Problem): string | undefined =>
  code === 'INVALID_CREDENTIALS' ? t.access.login.wrong : undefined;

export const signInWith = (values: FormData): Promise<Problem | undefined> =>
  signIn({
    email: String(values.get('email')),
    password: String(values.get('password')),
    isPersistent: values.has('isPersistent'),
  });

export function Login() {
  const { url, query, route } = useLocation();
  const { data } = useData(INSTANCE, {});
  const instance = data?.instance;
  const search = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  useEffect(() => {
    if (instance?.needsSetup) route('/app/setup', true);
  }, [instance?.needsSetup]);
  return (
    <Door title={t.access.login.title}>
      <Form submit={t.access.login.submit} onSubmit={signInWith} explain={explainLogin}>
        <Field
          name="email"
          type="email"
          label={t.access.email}
          autocomplete="username"
          value={query.email}
          rule={{ required: true }}
          hasFocus={!query.email}
        />
        <Field
          name="password"
          type="password"
          label={t.access.password}
          autocomplete="current-password"
          rule={{ required: true }}
          hasFocus={Boolean(query.email)}
        />
        <Check name="isPersistent" label={t.access.stay} isOn />
      </Form>
      <p class="door-links">
        <a href="/app/forgot">{t.access.login.toForgot}</a>
        {instance?.registration === 'OPEN' && <a href={`/app/register${search}`}>{t.access.login.toRegister}</a>}
      </p>
    </Door>
  );
}
