import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { graphql } from '../api/generated/gql.ts';
import { useData } from '../api/use.ts';
import { t } from '../i18n/index.ts';
import { Banner } from '../ui/states.tsx';
import { AccountForm } from './account-form.tsx';
import { Door } from './door.tsx';

const INSTANCE = graphql(`
  query RegisterInstance {
    instance {
      registration
    }
  }
`);

export default function Register() {
  const { url, query, route } = useLocation();
  const { data } = useData(INSTANCE, {});
  const isClosed = data?.instance.registration === 'CLOSED';
  // A new user's first page is the one that makes a link.
  useEffect(() => {
    if (!query.next) route(`/app/register?next=${encodeURIComponent('/app/links/new')}`, true);
  }, []);
  return (
    <Door title={t.access.register.title}>
      {isClosed ? (
        <Banner icon="info" kind="info">
          {t.access.register.closed}
        </Banner>
      ) : (
        <AccountForm />
      )}
      <p class="door-links">
        <span>
          {t.access.register.hasAccount}{' '}
          <a href={`/app/login${url.includes('?') ? url.slice(url.indexOf('?')) : ''}`}>{t.session.signIn}</a>
        </span>
      </p>
    </Door>
  );
}
