import { graphql } from '../api/generated/gql.ts';
import { useData } from '../api/use.ts';
import { t } from '../i18n/index.ts';
import { useTitle } from '../shell/title.ts';
import { Panel } from '../ui/states.tsx';
import { Appearance } from './appearance.tsx';
import { DeleteAccount } from './delete.tsx';
import { ExportForm } from './export.tsx';
import { Profile } from './profile.tsx';
import { Section } from './section.tsx';
import { Sessions } from './sessions.tsx';

const SETTINGS = graphql(`
  query Settings {
    sessions {
      sessions {
        ...SessionRow
      }
    }
    links(isArchived: null, pageSize: 100, sort: MOST_CLICKED) {
      ...ExportLinks
    }
  }
`);

export default function Settings() {
  useTitle(t.settings.title);
  const loaded = useData(SETTINGS, {}, ['Link']);
  const { sessions, exports } = t.settings;
  return (
    <>
      <header class="page-head">
        <h1>{t.settings.title}</h1>
      </header>
      <div class="settings">
        <Profile onPassword={loaded.reload} />
        <Section title={sessions.title} hint={sessions.hint}>
          <Panel loaded={loaded} rows={3}>
            {(data) => <Sessions sessions={data.sessions.sessions} />}
          </Panel>
        </Section>
        <Appearance />
        {/* Why the request failed is told once, above. */}
        {(loaded.data || !loaded.problem) && (
          <Section title={exports.title} hint={exports.hint}>
            <Panel loaded={{ ...loaded, problem: undefined }} rows={2}>
              {(data) => <ExportForm links={data.links} />}
            </Panel>
          </Section>
        )}
        <DeleteAccount />
      </div>
    </>
  );
}
