import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { graphql } from '../api/generated/gql.ts';
import { useData } from '../api/use.ts';
import { t } from '../i18n/index.ts';
import { Check, Field, Form } from '../ui/form.tsx';
import { Door } from './door.tsx';
import { explainLogin, signInWith } from './sign-in.ts';

const INSTANCE = graphql(`
  query LoginInstance {
    instance {
      needsSetup
      registration
    }
  }
`);

export default function Login() {
  const { url, query, route } = useLocation();
  const { data } = useData(INSTANCE, {});
  const instance = data?.instance;
  const search = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  useEffect(() => {
    if (instance?.needsSetup) route('/app/setup', true);
  }, [instance?.needsSetup]);
  return (
    <Door title={t.access.login.title}>
      <Form submit={t.session.signIn} onSubmit={signInWith} explain={explainLogin}>
        <Field
          name="email"
          type="email"
          label={t.session.email}
          autocomplete="username"
          value={query.email}
          rule={{ required: true }}
          hasFocus={!query.email}
        />
        <Field
          name="password"
          type="password"
          label={t.session.password}
          autocomplete="current-password"
          rule={{ required: true }}
          hasFocus={Boolean(query.email)}
        />
        <Check name="isPersistent" label={t.session.stay} isOn />
      </Form>
      <p class="door-links">
        <a href="/app/forgot">{t.access.login.toForgot}</a>
        {instance?.registration === 'OPEN' && <a href={`/app/register${search}`}>{t.access.login.toRegister}</a>}
      </p>
    </Door>
  );
}
