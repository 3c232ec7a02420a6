import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { graphql } from '../api/generated/gql.ts';
import type { ClaimHostFragment, ImportErrorsFragment, ImportField } from '../api/generated/graphql.ts';
import { useData } from '../api/use.ts';
import { formatMoment, formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { hostName } from '../links/hosts.ts';
import { useTitle } from '../shell/title.ts';
import { paged } from '../ui/address.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Pagination } from '../ui/pagination.tsx';
import { Banner, Panel, ProblemText } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { complain } from '../ui/toast.tsx';
import { formatBytes } from './file.ts';
import { begin, isGoingOn, originOf, sendings } from './sending.ts';
import { Result } from './result.tsx';
import { type Import, isUnfinished, nameOf, PATH, Progress, StateChip, usePolling } from './shown.tsx';
import { StopButton } from './stop.tsx';

export const ERRORS = graphql(`
  fragment ImportErrors on ImportErrorPageResult {
    total
    page
    pageSize
    totalPages
    data {
      row
      code
      column
      message
      slug
    }
  }
`);

const IMPORT = graphql(`
  query ImportPage($id: ID!, $page: Int!, $pageSize: Int!) {
    import(id: $id) {
      ...ImportFacts
    }
    importErrors(importId: $id, page: $page, pageSize: $pageSize) {
      ...ImportErrors
    }
    instance {
      ...ClaimHost
    }
  }
`);

const PAGE_SIZE = 50;
const OUTCOMES = ['created', 'skipped', 'failed'] as const;

function Head({ import: shown, instance }: { import: Import; instance: ClaimHostFragment }) {
  const { began, ended, onDomain, readAs, noHeader } = t.imports;
  const { id, state, domain, source, encoding, hasHeader, columns, dateFormat, createdAt, finishedAt } = shown;
  const fields: Partial<Record<ImportField, string>> = t.imports.fields;
  return (
    <header class="page-head link-head">
      <div class="link-title">
        <a class="crumb" href={PATH}>
          {t.imports.title}
        </a>
        <h1>
          {nameOf(shown)} <StateChip state={state} />
        </h1>
        <p class="muted small facts">
          <span>{began(formatMoment(createdAt))}</span>
          {finishedAt && <span>{ended(formatMoment(finishedAt))}</span>}
          {domain && <span>{onDomain(hostName(domain, instance))}</span>}
          {encoding && encoding !== 'UTF-8' && <span>{readAs(encoding)}</span>}
          {hasHeader === false && <span>{noHeader}</span>}
          {dateFormat && <span>{t.imports.dates.found(t.imports.dates.names[dateFormat])}</span>}
        </p>
        {source === 'TABLE' && columns && (
          <p class="muted small">
            {columns.map(({ name, field }, at) => (
              <>
                {at > 0 && ', '}
                <bdi>{name}</bdi> → {fields[field] ?? field}
              </>
            ))}
          </p>
        )}
      </div>
      {isUnfinished(shown) && (
        <div class="link-actions">
          <StopButton id={id} />
        </div>
      )}
    </header>
  );
}

/** A file on its way, or one of which the rest is not here. */
function Sending({ id }: { id: string }) {
  const sending = sendings.value.get(id);
  const { stranded, progress } = t.imports;
  if (!sending) return <Banner icon="info">{stranded}</Banner>;
  const { sent, size, isHeld, problem } = sending;
  if (problem) {
    return (
      <div class="form-problem" role="alert">
        <ProblemText problem={problem} />
      </div>
    );
  }
  return (
    <>
      <progress aria-label={progress.sending} max={size} value={sent} />
      <span class="muted small">{progress.sent(formatBytes(sent), formatBytes(size))}</span>
      <p role="status">{isHeld && progress.held}</p>
    </>
  );
}

/** How far it is, as long as it has not ended; then, why it did not get to its end. */
function Standing({ import: shown }: { import: Import }) {
  const { held, failedWith, progress } = t.imports;
  const { id, state, error } = shown;
  if (state === 'OPEN') return <Sending id={id} />;
  return (
    <>
      {state === 'QUEUED' && <p>{progress.queued}</p>}
      {state === 'RUNNING' && <Progress import={shown} />}
      {error && <Banner icon="alert">{(isUnfinished(shown) ? held : failedWith)(error)}</Banner>}
    </>
  );
}

function Counts({ import: shown }: { import: Import }) {
  const { would, did } = t.imports.counts;
  return (
    <dl class="import-counts">
      {OUTCOMES.map((outcome) => (
        <div key={outcome}>
          <dt>{(shown.isDryRun ? would : did)[outcome]}</dt>
          <dd>
            <strong>{formatNumber(shown[outcome])}</strong>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** After a dry run the import itself, with the same file if it is still here. */
function Next({ import: shown }: { import: Import }) {
  const { route } = useLocation();
  const [isBusy, setBusy] = useState(false);
  const { next } = t.imports;
  const { id, isDryRun, created, source, domain } = shown;
  const origin = originOf(id);
  async function start() {
    setBusy(true);
    const { id: begun, problem } = await begin(origin!, false);
    setBusy(false);
    if (begun) route(`${PATH}/${begun}`);
    else if (problem) complain(problem);
  }
  if (!isDryRun) {
    return (
      <div class="form-actions start">
        <LinkButton href="/app/links">{next.links}</LinkButton>
        <LinkButton href={PATH}>{next.another}</LinkButton>
      </div>
    );
  }
  if (created === 0) return <p>{next.nothing}</p>;
  const again = new URLSearchParams({ check: 'no', ...(source && { source }), ...(domain && { domain }) });
  return (
    <div class="form-actions start">
      {origin ? (
        <Button kind="primary" isWrite isBusy={isBusy} onClick={() => void start()}>
          {next.import(created, formatNumber(created))}
        </Button>
      ) : (
        <LinkButton kind="primary" href={`${PATH}?${again}`}>
          {next.chooseAgain(created, formatNumber(created))}
        </LinkButton>
      )}
      <span class="muted">{origin ? next.hint : next.chooseAgainHint}</span>
    </div>
  );
}

function Errors({ import: { id, failed }, errors }: { import: Import; errors: ImportErrorsFragment }) {
  const its = t.imports.errors;
  if (errors.total === 0) return null;
  const heads = [its.row, its.slug, its.column, its.reason];
  return (
    <section class="imports">
      <h2>{its.title}</h2>
      {failed > errors.total && <p class="muted">{its.first(formatNumber(errors.total))}</p>}
      {errors.data.some(({ code }) => code === 'PLAN_LIMIT_REACHED') && (
        <Banner icon="info" kind="info">
          {t.imports.plan} <a href="/app/billing">{t.problem.upgrade}</a>
        </Banner>
      )}
      <Table
        caption={its.title}
        head={heads.map((head) => (
          <th key={head} scope="col">
            {head}
          </th>
        ))}
      >
        {errors.data.map(({ row, slug, column, message }) => (
          <tr key={row}>
            <td>{formatNumber(row)}</td>
            <td>{slug && <code dir="auto">{slug}</code>}</td>
            <td dir="auto">{column}</td>
            <td lang="en" dir="auto">
              {message}
            </td>
          </tr>
        ))}
      </Table>
      <Pagination {...errors} href={(to) => paged.write(`${PATH}/${id}`, { page: to })} />
    </section>
  );
}

function Detail({ id }: { id: string }) {
  const { query } = useLocation();
  const { page } = paged.read(query);
  const loaded = useData(IMPORT, { id, page, pageSize: PAGE_SIZE });
  const shown = loaded.data?.import;
  // While it is sent, each part has it fetched.
  usePolling(loaded, shown !== undefined && isUnfinished(shown) && !isGoingOn(sendings.value.get(id)));
  const name = shown ? nameOf(shown) : t.imports.title;
  useTitle(name);
  return (
    <>
      {!shown && <h1 class="hidden">{name}</h1>}
      <Panel loaded={loaded} rows={4}>
        {({ import: current, importErrors, instance }) => (
          <div class="imports">
            <Head import={current} instance={instance} />
            <Standing import={current} />
            {current.state !== 'OPEN' && <Counts import={current} />}
            {current.hasUnsureDates && <Banner icon="info">{t.imports.dates.missing}</Banner>}
            {current.finishedAt && <Result import={current} />}
            {current.state === 'FINISHED' && <Next import={current} />}
            <Errors import={current} errors={importErrors} />
          </div>
        )}
      </Panel>
    </>
  );
}

export default function ImportDetail() {
  const { params } = useRoute();
  const id = params.id ?? '';
  return <Detail key={id} id={id} />;
}
