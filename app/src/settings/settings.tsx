import { useEffect } from 'preact/hooks';
import { graphql } from '../api/generated/gql.ts';
import type { SettingsQuery } from '../api/generated/graphql.ts';
import { useData } from '../api/use.ts';
import { t } from '../i18n/index.ts';
import { may } from '../session/role.ts';
import { user } from '../session/session.ts';
import { onDemand } from '../shell/lazy.tsx';
import { useTitle } from '../shell/title.ts';
import { Panel } from '../ui/states.tsx';
import { Appearance } from './appearance.tsx';
import { DeleteAccount } from './delete.tsx';
import { ExportForm } from './export.tsx';
import { hasPassword, Profile } from './profile.tsx';
import { Section } from './section.tsx';
import { Security } from './security.tsx';
import { Sessions } from './sessions.tsx';

const SETTINGS = graphql(`
  query Settings($hasLinks: Boolean!) {
    me {
      ...SignedIn
    }
    security {
      ...SecurityState
      provedAt
    }
    passkeys {
      passkeys {
        ...PasskeyRow
      }
    }
    identities {
      identities {
        ...IdentityRow
      }
    }
    instance {
      companySignIn
      hasPasskeys
      hasPasswordLogin
    }
    sessions {
      sessions {
        ...SessionRow
      }
    }
    links(isArchived: null, pageSize: 100, sort: MOST_CLICKED) @include(if: $hasLinks) {
      ...ExportLinks
    }
  }
`);

const Identities = onDemand(() => import('./identities.tsx'), (section) => section.default, 'access');

/** Whether a sign-in by company is connected with the user, or can be. */
const hasCompany = ({ instance, identities }: SettingsQuery): boolean =>
  instance.companySignIn !== null || identities.identities.length > 0;

export default function Settings() {
  useTitle(t.settings.title);
  const loaded = useData(SETTINGS, { hasLinks: may('ANALYTICS_READ') }, ['Link']);
  const { security, company, sessions, exports } = t.settings;
  const me = loaded.data?.me;
  // A link of a mail may have been opened elsewhere, which this page knows before the session does.
  useEffect(() => {
    if (me) user.value = me;
    if (loaded.data) hasPassword.value = loaded.data.security.hasPassword;
  }, [me]);
  // Why the request failed is told once.
  const others = { ...loaded, problem: undefined };
  const hasOthers = loaded.data !== undefined || !loaded.problem;
  return (
    <>
      <header class="page-head">
        <h1>{t.settings.title}</h1>
      </header>
      <div class="settings">
        <Profile onPassword={loaded.reload} />
        <Section title={security.title} hint={security.hint}>
          <Panel loaded={loaded} rows={2}>
            {(data) => <Security settings={data} />}
          </Panel>
        </Section>
        {loaded.data && hasCompany(loaded.data) && (
          <Section title={company.title} hint={company.hint}>
            <Identities data={loaded.data} />
          </Section>
        )}
        {hasOthers && (
          <Section title={sessions.title} hint={sessions.hint}>
            <Panel loaded={others} rows={3}>
              {(data) => <Sessions sessions={data.sessions.sessions} />}
            </Panel>
          </Section>
        )}
        <Appearance />
        {hasOthers && may('ANALYTICS_READ') && (
          <Section title={exports.title} hint={exports.hint}>
            <Panel loaded={others} rows={2}>
              {(data) => data.links && <ExportForm links={data.links} />}
            </Panel>
          </Section>
        )}
        <DeleteAccount />
      </div>
    </>
  );
}
