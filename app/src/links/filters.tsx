// Filters and the order of the list of links. All of them are in the address of the page.
import { useEffect, useState } from 'preact/hooks';
import { linksArguments } from '../api/generated/constraints.ts';
import type { LinkSort, LinkState } from '../api/generated/graphql.ts';
import { t } from '../i18n/index.ts';
import { onDemand } from '../shell/lazy.tsx';
import { addressed, oneOf, page, text } from '../ui/address.ts';
import { type Size, SIZES } from '../ui/pagination.tsx';
import { Select } from '../ui/field.tsx';
import { SearchField } from '../ui/search.tsx';

const MoreFilters = onDemand(() => import('./dialogs.ts'), (dialogs) => dialogs.MoreFilters, 'linkForms');

const SORTS = ['NEWEST', 'OLDEST', 'MOST_CLICKED', 'LAST_CLICKED'] as const satisfies LinkSort[];
const STATES = ['', 'ACTIVE', 'INACTIVE', 'SCHEDULED', 'EXPIRED', 'USED_UP', 'BLOCKED'] as const satisfies (LinkState | '')[];
const ARCHIVED = ['', 'true', 'any'] as const;

/** Empty texts are no filters. `tag` may have several names, between commas. */
export const ADDRESS = addressed({
  search: text,
  state: oneOf(STATES),
  archived: oneOf(ARCHIVED),
  domain: text,
  destination: text,
  externalId: text,
  tag: text,
  sort: oneOf(SORTS),
  size: oneOf(SIZES),
  page,
});

export type Filters = Omit<ReturnType<typeof ADDRESS.read>, 'page' | 'size'>;

/** The address of the list with these filters. */
export const addressOf = (filters: Filters, size: Size, to = 1): string => ADDRESS.write('/app/links', { ...filters, size, page: to });

export const narrows = ({ sort: _sort, ...filters }: Filters): boolean => Object.values(filters).some((value) => value !== '');

export interface FiltersProps {
  filters: Filters;
  /** Where links can be, once that is known, and the one that they are filtered by. */
  hosts: { value: string; label: string }[];
  isHidden: boolean;
  change(part: Partial<Filters>): void;
}

function More({ filters, change }: Pick<FiltersProps, 'filters' | 'change'>) {
  const { destination, externalId, tag } = filters;
  const isUsed = destination !== '' || externalId !== '' || tag !== '';
  // It stays open for whoever empties a field to fill in another.
  const [isOpen, setOpen] = useState(isUsed);
  useEffect(() => {
    if (isUsed) setOpen(true);
  }, [isUsed]);
  return (
    <details class="more more-filters" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t.linkList.moreFilters}</summary>
      {isOpen && <MoreFilters filters={filters} change={change} onClose={() => setOpen(false)} />}
    </details>
  );
}

export function FilterBar({ filters, hosts, isHidden, change }: FiltersProps) {
  const { search, state, archived, domain, sort } = filters;
  return (
    <search hidden={isHidden}>
      <div class="filters">
        <SearchField
          label={t.linkList.search}
          placeholder={t.linkList.searched}
          value={search}
          maxLength={linksArguments.search.maxLength}
          onSearch={(typed) => change({ search: typed })}
        />
        <Select
          isBare
          label={t.linkList.state}
          value={state}
          onChange={(value) => change({ state: value })}
          options={STATES.map((value) => ({ value, label: value ? t.links.states[value] : t.linkList.all }))}
        />
        <Select
          isBare
          label={t.links.archive.chip}
          value={archived}
          onChange={(value) => change({ archived: value })}
          options={ARCHIVED.map((value) => ({ value, label: t.linkList.archived[value] }))}
        />
        {(hosts.length > 1 || domain !== '') && (
          <Select
            isBare
            label={t.links.domain}
            value={domain}
            onChange={(value) => change({ domain: value })}
            options={[{ value: '', label: t.linkList.anyDomain }, ...hosts]}
          />
        )}
        <Select
          isBare
          label={t.linkList.sort}
          value={sort}
          onChange={(value) => change({ sort: value })}
          options={SORTS.map((value) => ({ value, label: t.linkList.sorts[value] }))}
        />
      </div>
      <More filters={filters} change={change} />
    </search>
  );
}
