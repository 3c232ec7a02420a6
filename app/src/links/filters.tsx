// What narrows and orders the list of links. All of it is in the address of the page.
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { linksArguments } from '../api/generated/constraints.ts';
import type { LinkSort, LinkState } from '../api/generated/graphql.ts';
import { t } from '../i18n/index.ts';
import { Select } from '../ui/form.tsx';
import { Icon } from '../ui/icons.tsx';
import { isUrl, withScheme } from './address.ts';

const TYPING_MS = 200;
const SORTS = ['NEWEST', 'OLDEST', 'MOST_CLICKED', 'LAST_CLICKED'] as const satisfies LinkSort[];
const STATES = ['', 'ACTIVE', 'INACTIVE', 'SCHEDULED', 'EXPIRED', 'USED_UP', 'BLOCKED'] as const satisfies (LinkState | '')[];
const ARCHIVED = ['', 'true', 'any'] as const;

const oneOf = <Value extends string>(values: readonly Value[], value: string | undefined): Value =>
  values.find((each) => each === value) ?? values[0]!;

/** What the address of the list says; empty texts say nothing. */
export const filtersIn = (query: Record<string, string | undefined>) => ({
  search: query.search ?? '',
  state: oneOf(STATES, query.state),
  archived: oneOf(ARCHIVED, query.archived),
  domain: query.domain ?? '',
  destination: query.destination ?? '',
  externalId: query.externalId ?? '',
  sort: oneOf(SORTS, query.sort),
});

export type Filters = ReturnType<typeof filtersIn>;

/** The address of the list with these filters. */
export function addressOf({ sort, ...filters }: Filters, page = 1): string {
  const all = { ...filters, sort: sort === SORTS[0] ? '' : sort, page: page > 1 ? String(page) : '' };
  const given = Object.entries(all).filter(([, value]) => value !== '');
  return given.length > 0 ? `/app/links?${new URLSearchParams(given)}` : '/app/links';
}

export const narrows = ({ sort: _sort, ...filters }: Filters): boolean => Object.values(filters).some((value) => value !== '');

interface FiltersProps {
  filters: Filters;
  /** Where links can be, once that is known. */
  hosts: string[];
  isHidden: boolean;
  change(part: Partial<Filters>): void;
}

/** A text that is looked for as a whole, once it is complete: with Enter, or when the field is left. */
function Exact(props: { label: string; value: string; maxLength: number; error?: string; apply(text: string): void }) {
  const { label, value, maxLength, error, apply } = props;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  // The address may change without the field, by Back or by clearing the filters.
  useEffect(() => {
    field.current!.value = value;
  }, [value]);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="input-group">
        <input
          ref={field}
          id={id}
          type="search"
          maxLength={maxLength}
          defaultValue={value}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          aria-invalid={error ? true : undefined}
          aria-describedby={error && `${id}-error`}
          onChange={({ currentTarget: { value: text } }) => apply(text.trim())}
          // The browser's cross empties it without leaving it.
          onInput={({ currentTarget: { value: text } }) => text === '' && apply('')}
        />
      </div>
      {error && (
        <p class="field-error" id={`${id}-error`}>
          <Icon name="alert" />
          {error}
        </p>
      )}
    </div>
  );
}

/** What few look for, and then know exactly. */
function MoreFilters({ filters: { destination, externalId }, change }: Pick<FiltersProps, 'filters' | 'change'>) {
  const [isWrong, setWrong] = useState(false);
  // It stays open for whoever empties a field to fill in another.
  const isOpen = useRef(false);
  if (destination !== '' || externalId !== '') isOpen.current = true;
  const words = t.links.list;
  return (
    <details class="more more-filters" open={isOpen.current}>
      <summary>{words.moreFilters}</summary>
      <div class="field-row">
        <Exact
          label={t.links.destination}
          value={destination}
          maxLength={linksArguments.destinationUrl.maxLength}
          error={isWrong ? words.noAddress : undefined}
          apply={(text) => {
            const url = withScheme(text);
            const isGood = url === '' || isUrl(url);
            setWrong(!isGood);
            if (isGood) change({ destination: url });
          }}
        />
        <Exact
          label={t.links.texts.externalId}
          value={externalId}
          maxLength={linksArguments.externalId.maxLength}
          apply={(text) => change({ externalId: text })}
        />
      </div>
    </details>
  );
}

export function FilterBar({ filters, hosts, isHidden, change }: FiltersProps) {
  const { search, state, archived, domain, sort } = filters;
  const typing = useRef(0);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current && document.activeElement !== field.current) field.current.value = search;
  }, [search]);
  function onSearch(text: string) {
    clearTimeout(typing.current);
    typing.current = setTimeout(() => change({ search: text.trim() }), TYPING_MS);
  }
  return (
    <search hidden={isHidden}>
      <div class="filters">
        <div class="search-field">
          <Icon name="search" />
          <input
            ref={field}
            type="search"
            aria-label={t.links.list.search}
            placeholder={t.links.list.searched}
            maxLength={linksArguments.search.maxLength}
            defaultValue={search}
            data-key="/"
            onInput={(event) => onSearch(event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
          />
        </div>
        <Select
          isBare
          label={t.links.list.state}
          value={state}
          onChange={(value) => change({ state: value })}
          options={STATES.map((value) => ({ value, label: value ? t.links.states[value] : t.links.list.all }))}
        />
        <Select
          isBare
          label={t.links.archive.chip}
          value={archived}
          onChange={(value) => change({ archived: value })}
          options={ARCHIVED.map((value) => ({ value, label: t.links.list.archived[value] }))}
        />
        {(hosts.length > 1 || domain !== '') && (
          <Select
            isBare
            label={t.links.domain}
            value={domain}
            onChange={(value) => change({ domain: value })}
            options={[
              { value: '', label: t.links.list.anyDomain },
              ...[...new Set([...hosts, domain].filter(Boolean))].map((host) => ({ value: host, label: host })),
            ]}
          />
        )}
        <Select
          isBare
          label={t.links.list.sort}
          value={sort}
          onChange={(value) => change({ sort: value })}
          options={SORTS.map((value) => ({ value, label: t.links.list.sorts[value] }))}
        />
      </div>
      <MoreFilters filters={filters} change={change} />
    </search>
  );
}
