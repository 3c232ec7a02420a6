// Views of an import, for lists and pages.
import { useEffect, useRef } from 'preact/hooks';
import { graphql } from '../api/generated/gql.ts';
import type { ImportFactsFragment, ImportSource, ImportState } from '../api/generated/graphql.ts';
import type { Loaded } from '../api/use.ts';
import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { SOURCES } from './sources.ts';

export const FACTS = graphql(`
  fragment ImportFacts on Import {
    id
    source
    encoding
    hasHeader
    columns {
      name
      field
    }
    dateFormat
    hasUnsureDates
    resultRows
    domain
    isDryRun
    state
    total
    done
    created
    skipped
    failed
    error
    createdAt
    finishedAt
  }
`);

/** The page where imports begin, and above each of them. */
export const PATH = '/app/links/import';

export type Import = ImportFactsFragment;

export const isUnfinished = ({ finishedAt }: Import): boolean => finishedAt === null;

export const sourceName = (source: ImportSource): string => (source === 'TABLE' ? t.imports.table : SOURCES[source]);

export function nameOf({ source, isDryRun }: Import): string {
  const { names } = t.imports;
  if (!source) return isDryRun ? names.unknownCheck : names.unknownImport;
  return (isDryRun ? names.check : names.import)(sourceName(source));
}

const TONES: Record<ImportState, string> = {
  OPEN: 'accent',
  QUEUED: 'accent',
  RUNNING: 'accent',
  FINISHED: 'good',
  FAILED: 'danger',
  CANCELLED: '',
};

export const StateChip = ({ state }: { state: ImportState }) => <span class={`chip ${TONES[state]}`}>{t.imports.states[state]}</span>;

/** How many rows are done; its words say the same, and more where the number of rows is not known yet. */
export function Progress({ import: { total, done } }: { import: Import }) {
  const { running, rows, someRows } = t.imports.progress;
  const text = total === null ? someRows(done, formatNumber(done)) : rows(formatNumber(done), formatNumber(total));
  return (
    <>
      <progress aria-label={running} max={total ?? undefined} value={total === null ? undefined : done} />
      <span class="muted small">{text}</span>
    </>
  );
}

const FIRST_MS = 500;
const MAX_MS = 10_000;
const SLOWER = 1.3;

/** Asks again for what goes on: soon at first, and ever more seldom, as what takes long is not over in a moment. */
export function usePolling<Data>({ data, problem, isLoading, reload }: Loaded<Data>, isOn: boolean): void {
  const wait = useRef(FIRST_MS);
  useEffect(() => {
    if (!isOn) wait.current = FIRST_MS;
    if (!isOn || isLoading) return undefined;
    const timer = setTimeout(reload, wait.current);
    wait.current = Math.min(wait.current * SLOWER, MAX_MS);
    return () => clearTimeout(timer);
  }, [isOn, isLoading, data, problem]);
}
