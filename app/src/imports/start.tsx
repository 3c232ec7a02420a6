import { useLocation } from 'preact-iso/router';
import { graphql } from '../api/generated/gql.ts';
import { useData } from '../api/use.ts';
import { formatMoment, formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { hostChoices, hostsOf } from '../links/hosts.ts';
import { useTitle } from '../shell/title.ts';
import { LinkButton } from '../ui/button.tsx';
import { List } from '../ui/list.tsx';
import { Banner, Panel } from '../ui/states.tsx';
import { ImportForm } from './form.tsx';
import { type Import, isUnfinished, nameOf, PATH, StateChip, usePolling } from './shown.tsx';
import { StopButton } from './stop.tsx';

/** All that are kept. */
const IMPORTS = graphql(`
  query Imports {
    imports(pageSize: 50) {
      data {
        ...ImportFacts
      }
    }
    ...LinkHosts
  }
`);

function Row({ import: shown }: { import: Import }) {
  const { id, state, done, total, created, failed, createdAt } = shown;
  const [name, begun] = [nameOf(shown), formatMoment(createdAt)];
  const rows = total !== null && isUnfinished(shown) ? `${formatNumber(done)} / ${formatNumber(total)}` : formatNumber(done);
  return (
    <tr data-row>
      <td class="cell-link">
        <div class="link-name">
          <a href={`${PATH}/${id}`} class="slug titled" data-open>
            {name}
          </a>
        </div>
        <div class="muted small narrow-only">{begun}</div>
      </td>
      <td>
        <StateChip state={state} />
      </td>
      <td class="number wide-cell">{rows}</td>
      <td class="number wide-cell">{formatNumber(created)}</td>
      <td class="number">{formatNumber(failed)}</td>
      <td class="wide-cell muted">
        <time dateTime={createdAt}>{begun}</time>
      </td>
    </tr>
  );
}

function Imports({ imports }: { imports: Import[] }) {
  const { list } = t.imports;
  return (
    <>
      <List
        label={list.title}
        columns={[
          list.what,
          list.state,
          { title: list.rows, class: 'number wide-cell' },
          { title: list.links, class: 'number wide-cell' },
          { title: list.failed, class: 'number' },
          { title: list.when, class: 'wide-cell' },
        ]}
        isPlain
        page={{ data: imports, total: imports.length, page: 1, pageSize: imports.length, totalPages: 1 }}
        row={(each) => <Row key={each.id} import={each} />}
        empty={<p class="muted">{list.none}</p>}
      />
      {imports.length > 0 && <p class="hint">{list.hint}</p>}
    </>
  );
}

export default function ImportLinks() {
  const its = t.imports;
  useTitle(its.title);
  const { query, route } = useLocation();
  const loaded = useData(IMPORTS, {}, ['Import']);
  // There is one at most.
  const unfinished = loaded.data?.imports.data.find(isUnfinished);
  usePolling(loaded, unfinished !== undefined);
  return (
    <>
      <header class="page-head">
        <a class="crumb" href="/app/links">
          {t.links.title}
        </a>
        <h1>{its.title}</h1>
      </header>
      {unfinished && (
        <Banner icon="info" kind="info">
          <p>{its.unfinished}</p>
          <div class="form-actions start">
            <LinkButton href={`${PATH}/${unfinished.id}`}>{its.look}</LinkButton>
            <StopButton id={unfinished.id} />
          </div>
        </Banner>
      )}
      <div class="narrow">
        <ImportForm
          hosts={loaded.data ? hostChoices(hostsOf(loaded.data), loaded.data) : []}
          isDryRun={query.check !== 'no'}
          source={query.source}
          domain={query.domain}
          onBegun={(id) => route(`${PATH}/${id}`)}
          onConflict={loaded.reload}
        />
      </div>
      <section class="imports">
        <h2>{its.list.title}</h2>
        <Panel loaded={loaded} rows={3}>
          {({ imports }) => <Imports imports={imports.data} />}
        </Panel>
      </section>
    </>
  );
}
