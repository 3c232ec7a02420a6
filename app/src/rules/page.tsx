import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import { fetchOnce } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { RulesPageQuery } from '../api/generated/graphql.ts';
import { useData } from '../api/use.ts';
import { formatMinute } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { readableShort } from '../links/address.ts';
import { may } from '../session/role.ts';
import { useTitle } from '../shell/title.ts';
import { Panel } from '../ui/states.tsx';
import { complain } from '../ui/toast.tsx';
import { useVersion } from '../ui/version.ts';
import { ZONES } from './conditions.tsx';
import { partsOf, rulesOf } from './model.ts';
import { SplitReport } from './report.tsx';
import { RulesForm } from './rules-form.tsx';
import { Destination, Parts, Sentence } from './sentence.tsx';
import { SplitForm } from './split-form.tsx';
import { TryVisit } from './visit.tsx';
import { Warnings } from './warnings.tsx';

const PAGE = graphql(`
  query RulesPage($id: ID!) {
    link(id: $id) {
      id
      shortUrl
      destinationUrl
      updatedAt
    }
    linkRules(linkId: $id) {
      ...RulesShown
    }
    linkSplit(linkId: $id) {
      ...SplitShown
    }
  }
`);

type Link = RulesPageQuery['link'] & { rules: RulesPageQuery['linkRules']; split: RulesPageQuery['linkSplit'] };

/** For whoever may not change links. */
function Read({ link: { rules } }: { link: Link }) {
  return (
    <section class="rules" aria-labelledby="rules-title">
      <h2 id="rules-title">{t.rules.rules}</h2>
      {rules.rules.length === 0 && <p>{t.rules.none}</p>}
      <ol class="rule-list">
        {rulesOf(rules).map((rule) => (
          <li key={rule.id} class="card rule">
            {rule.name !== '' && (
              <h3>
                <bdi>{rule.name}</bdi>
              </h3>
            )}
            <p class="rule-sentence">
              <Sentence rule={rule} />
            </p>
            <Warnings reasons={[...rule.warnings, ...rule.conditions.flatMap((each) => each.warnings)]} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function ReadSplit({ link: { destinationUrl, split } }: { link: Link }) {
  return (
    <p class="card rule-sentence">
      {split.parts.length === 0 ? (
        <>
          {t.rules.split.none} <Destination url={destinationUrl} />
        </>
      ) : (
        <>
          <Parts parts={partsOf(split.parts)} /> {split.autoStopsAt && t.rules.split.stops(formatMinute(split.autoStopsAt))}
        </>
      )}
    </p>
  );
}

function Content({ link, loadNewer }: { link: Link; loadNewer(): void }) {
  const { id, destinationUrl, updatedAt, rules, split } = link;
  // Of rules and split alike: each is saved as a change of the link.
  const version = useVersion(updatedAt);
  const mayChange = may('LINKS_WRITE');
  return (
    <>
      {mayChange ? <RulesForm linkId={id} saved={rules} version={version} loadNewer={loadNewer} /> : <Read link={link} />}
      <section class="rules" aria-labelledby="split-title">
        <h2 id="split-title">{t.rules.split.title}</h2>
        <p class="muted">{t.rules.split.lead}</p>
        {mayChange ? <SplitForm linkId={id} url={destinationUrl} saved={split} version={version} loadNewer={loadNewer} /> : <ReadSplit link={link} />}
        {split.parts.length > 0 && (
          <div class="card rule">
            <h3>{t.rules.report.title}</h3>
            <SplitReport id={id} />
          </div>
        )}
      </section>
      <TryVisit linkId={id} saved={rules} />
      <datalist id={ZONES}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone}>
            {zone}
          </option>
        ))}
      </datalist>
    </>
  );
}

function Rules({ id }: { id: string }) {
  const loaded = useData(PAGE, { id });
  const [edition, setEdition] = useState(0);
  useTitle(t.rules.title);
  async function loadNewer() {
    const { problem } = await fetchOnce(PAGE, { id });
    if (problem) complain(problem);
    else setEdition(edition + 1);
  }
  return (
    <>
      <header class="page-head">
        {loaded.data && (
          <a class="crumb" href={`/app/links/${id}`} dir="auto">
            {readableShort(loaded.data.link.shortUrl)}
          </a>
        )}
        <h1 tabIndex={-1}>{t.rules.title}</h1>
      </header>
      <p class="muted">{t.rules.lead}</p>
      <Panel loaded={loaded} missing={t.rules.missing}>
        {({ link, linkRules, linkSplit }) => <Content key={edition} link={{ ...link, rules: linkRules, split: linkSplit }} loadNewer={() => void loadNewer()} />}
      </Panel>
    </>
  );
}

export default function RulesPage() {
  const { params } = useRoute();
  const id = params.id ?? '';
  return <Rules key={id} id={id} />;
}
