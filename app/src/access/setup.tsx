import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { graphql } from '../api/generated/gql.ts';
import { useData } from '../api/use.ts';
import { t } from '../i18n/index.ts';
import { wanted } from '../shell/pages.ts';
import { Banner, Panel } from '../ui/states.tsx';
import { AccountForm } from './account-form.tsx';
import { CompanyFirst } from './company.tsx';
import { Door } from './door.tsx';

const INSTANCE = graphql(`
  query SetupInstance {
    instance {
      ...WaysIn
      baseUrl
      isMailConfigured
      version
    }
  }
`);

const withoutSlash = (url: string): string => url.replace(/\/$/, '');

/** While the service has no user: the first account, and what is not set up right. */
export default function Setup() {
  const { query, route } = useLocation();
  const loaded = useData(INSTANCE, {});
  const isDone = loaded.data?.instance.needsSetup === false;
  useEffect(() => {
    if (isDone) route('/app/login', true);
    else if (!query.next) route(`/app/setup?next=${encodeURIComponent('/app/links/new')}`, true);
  }, [isDone]);
  return (
    <Door title={t.access.setup.title} lead={t.access.setup.lead}>
      <Panel loaded={loaded} rows={2}>
        {({ instance }) => {
          const known = withoutSlash(instance.baseUrl);
          const isRight = known === location.origin;
          return (
            <>
              <section class="checks" aria-label={t.access.setup.check}>
                <Banner icon={isRight ? 'check' : 'alert'} kind={isRight ? 'info' : 'warning'}>
                  {isRight ? t.access.setup.baseUrlRight(known) : t.access.setup.baseUrlWrong(location.origin, known)}
                </Banner>
                <Banner icon={instance.isMailConfigured ? 'check' : 'info'} kind="info">
                  {instance.isMailConfigured ? t.access.setup.mailRight : t.access.setup.mailWrong}
                </Banner>
              </section>
              <CompanyFirst ways={instance} to={wanted(query.next)} />
              {instance.hasPasswordLogin && <AccountForm />}
              <p class="muted small">linkgraph {instance.version}</p>
            </>
          );
        }}
      </Panel>
    </Door>
  );
}
