import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { linksArguments } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { LinkSort } from '../api/generated/graphql.ts';
import { useData, useLive } from '../api/use.ts';
import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { useTitle } from '../shell/title.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Select } from '../ui/form.tsx';
import { Icon } from '../ui/icons.tsx';
import { Pagination } from '../ui/pagination.tsx';
import { EmptyState, Panel } from '../ui/states.tsx';
import { MenuHeading } from '../ui/table.tsx';
import { type Asked, LinkDialog } from './actions.tsx';
import { hostsOf } from './hosts.ts';
import { LinkRow, type Row } from './row.tsx';
import { Selection } from './selection.tsx';

const LINKS = graphql(`
  query Links(
    $page: Int!
    $pageSize: Int!
    $search: String
    $isActive: Boolean
    $isArchived: Boolean
    $domain: String
    $sort: LinkSort!
  ) {
    links(
      page: $page
      pageSize: $pageSize
      search: $search
      isActive: $isActive
      isArchived: $isArchived
      domain: $domain
      sort: $sort
    ) {
      total
      page
      pageSize
      totalPages
      data {
        ...LinkRow
      }
    }
    ...LinkHosts
  }
`);

const ARCHIVED_LINKS = graphql(`
  query ArchivedLinks {
    links(isArchived: true, pageSize: 1) {
      total
    }
  }
`);

const ACCOUNT_CLICKS = graphql(`
  subscription LinksClicks {
    accountClicks {
      links {
        linkId
        clicks
      }
    }
  }
`);

const PAGE_SIZE = 25;
const TYPING_MS = 200;
const SORTS = ['NEWEST', 'OLDEST', 'MOST_CLICKED', 'LAST_CLICKED'] as const satisfies LinkSort[];
const STATES = ['', 'true', 'false'] as const;
const ARCHIVED = ['', 'true', 'any'] as const;

const oneOf = <Value extends string>(values: readonly Value[], value: string | undefined): Value =>
  values.find((each) => each === value) ?? values[0]!;

/** Clicks that came in since the list was loaded, by link. */
function useNewClicks(loaded: unknown): Map<string, number> {
  const [clicks, setClicks] = useState(new Map<string, number>());
  useEffect(() => setClicks(new Map()), [loaded]);
  useLive(ACCOUNT_CLICKS, {}, ({ accountClicks }) => {
    setClicks((before) => {
      const next = new Map(before);
      for (const { linkId, clicks: more } of accountClicks.links) next.set(linkId, (next.get(linkId) ?? 0) + more);
      return next;
    });
  });
  return clicks;
}

/** An account without links, or one whose links are all archived. */
function NoLinks({ archived }: { archived: string }) {
  const { data, problem } = useData(ARCHIVED_LINKS, {}, ['Link']);
  if (!data && !problem) return null;
  return data && data.links.total > 0 ? (
    <EmptyState icon="archive" title={t.links.list.allArchived} hint={t.links.archive.hint}>
      <LinkButton href={archived}>{t.links.list.showArchived}</LinkButton>
    </EmptyState>
  ) : (
    <EmptyState icon="link" title={t.links.list.empty} hint={t.links.list.emptyHint}>
      <LinkButton kind="primary" icon="plus" href="/app/links/new">
        {t.links.new}
      </LinkButton>
    </EmptyState>
  );
}

export default function Links() {
  useTitle(t.links.title);
  const { query, route } = useLocation();
  const search = query.search ?? '';
  const state = oneOf(STATES, query.state);
  const archived = oneOf(ARCHIVED, query.archived);
  const domain = query.domain ?? '';
  const sort = oneOf(SORTS, query.sort);
  const page = Math.max(1, Number.parseInt(query.page ?? '1', 10) || 1);

  const loaded = useData(
    LINKS,
    {
      page,
      pageSize: PAGE_SIZE,
      search: search || null,
      isActive: state ? state === 'true' : null,
      isArchived: archived === 'any' ? null : archived === 'true',
      domain: domain || null,
      sort,
    },
    ['Link'],
  );
  const newClicks = useNewClicks(loaded.data);
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map());
  const [asked, setAsked] = useState<{ what: Asked; link: Row }>();

  const select = (links: Row[]) => setSelected(new Map(links.map((link) => [link.id, link])));

  /** The address of this list with some of its parameters changed; a change of the list begins at its first page. */
  function address(change: Record<string, string>): string {
    const next = { search, state, archived, domain, sort: sort === SORTS[0] ? '' : sort, ...change };
    const given = Object.entries(next).filter(([, value]) => value !== '');
    return given.length > 0 ? `/app/links?${new URLSearchParams(given)}` : '/app/links';
  }
  const change = (part: Record<string, string>) => route(address(part), true);

  useEffect(() => select([]), [search, state, archived, domain, sort, page]);
  const typing = useRef(0);
  const field = useRef<HTMLInputElement>(null);
  // The address may change without the field, by Back or by clearing the filters.
  useEffect(() => {
    if (field.current && document.activeElement !== field.current) field.current.value = search;
  }, [search]);
  function onSearch(text: string) {
    clearTimeout(typing.current);
    typing.current = setTimeout(() => change({ search: text.trim() }), TYPING_MS);
  }

  const isFiltered = search !== '' || state !== '' || archived !== '' || domain !== '';
  const isEmpty = loaded.data?.links.total === 0 && !isFiltered;
  const hosts = loaded.data ? hostsOf(loaded.data) : [];
  const toggle = (link: Row) => {
    const next = new Map(selected);
    if (!next.delete(link.id)) next.set(link.id, link);
    setSelected(next);
  };

  return (
    <>
      <header class="page-head">
        <h1>{t.links.title}</h1>
        {loaded.data && (
          <span class="muted">{t.links.list.count(loaded.data.links.total, formatNumber(loaded.data.links.total))}</span>
        )}
      </header>
      <search class="filters" hidden={isEmpty}>
        <div class="search-field">
          <Icon name="search" />
          <input
            ref={field}
            type="search"
            aria-label={t.links.list.search}
            placeholder={t.links.list.search}
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
          options={[
            { value: '', label: t.links.list.all },
            { value: 'true', label: t.links.list.active },
            { value: 'false', label: t.links.list.inactive },
          ]}
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
      </search>
      <Panel loaded={loaded} rows={10}>
        {({ links }) => (
          <div class="link-list">
            {links.data.length === 0 ? (
              isFiltered || page > 1 ? (
                <EmptyState icon="search" title={t.links.list.none} hint={t.links.list.noneHint}>
                  <Button onClick={() => route('/app/links')}>{t.links.list.clearFilters}</Button>
                  {archived === '' && <LinkButton href={address({ archived: 'any' })}>{t.links.list.withArchived}</LinkButton>}
                </EmptyState>
              ) : (
                <NoLinks archived={address({ archived: 'true' })} />
              )
            ) : (
              <>
                <table class="link-table" tabIndex={-1}>
                  <caption class="hidden">{t.links.list.label}</caption>
                  <thead>
                    <tr>
                      <th scope="col" class="cell-select">
                        <input
                          type="checkbox"
                          aria-label={t.links.selection.selectAll}
                          title={t.links.selection.selectAll}
                          checked={links.data.every(({ id }) => selected.has(id))}
                          indeterminate={selected.size > 0 && !links.data.every(({ id }) => selected.has(id))}
                          onChange={(event) => select(event.currentTarget.checked ? links.data : [])}
                        />
                      </th>
                      <th scope="col">{t.links.list.link}</th>
                      <th scope="col" class="cell-trend">
                        {t.links.list.trend}
                      </th>
                      <th scope="col" class="number">
                        {t.links.list.clicks}
                      </th>
                      <th scope="col" class="cell-switch">
                        {t.links.isActive}
                      </th>
                      <MenuHeading />
                    </tr>
                  </thead>
                  <tbody>
                    {links.data.map((link) => (
                      <LinkRow
                        key={link.id}
                        link={link}
                        newClicks={newClicks.get(link.id) ?? 0}
                        isSelected={selected.has(link.id)}
                        toggle={() => toggle(link)}
                        ask={(what) => setAsked({ what, link })}
                      />
                    ))}
                  </tbody>
                </table>
                <Pagination {...links} href={(to) => address({ page: to > 1 ? String(to) : '' })} />
              </>
            )}
            <Selection links={[...selected.values()]} select={select} />
          </div>
        )}
      </Panel>
      {asked && <LinkDialog asked={asked.what} link={asked.link} onClose={() => setAsked(undefined)} />}
    </>
  );
}
