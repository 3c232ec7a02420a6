import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { graphql } from '../api/generated/gql.ts';
import { useData } from '../api/use.ts';
import { t } from '../i18n/index.ts';
import { Door } from './door.tsx';
import { SignInForm } from './sign-in-form.tsx';

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
      <SignInForm email={query.email} />
      <p class="door-links">
        <a href="/app/forgot">{t.access.login.toForgot}</a>
        {instance?.registration === 'OPEN' && <a href={`/app/register${search}`}>{t.access.login.toRegister}</a>}
      </p>
    </Door>
  );
}
