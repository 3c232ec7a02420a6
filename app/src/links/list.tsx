import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { fetchOnce } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { LinksQuery, LinkSort, NewestLinkQueryVariables } from '../api/generated/graphql.ts';
import { unreachable } from '../api/problem.ts';
import { health, isOffline } from '../api/service.ts';
import { type Loaded, useData, useLive } from '../api/use.ts';
import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { may } from '../session/role.ts';
import { onDemand } from '../shell/lazy.tsx';
import { useTitle } from '../shell/title.ts';
import { tagsFrom } from '../tags/name.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { useDialog } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { EmptyState, Panel } from '../ui/states.tsx';
import { complain } from '../ui/toast.tsx';
import { ADDRESS, addressOf, FilterBar, type Filters, narrows } from './filters.tsx';
import { going } from './going.ts';
import { hostChoices, hostsOf } from './hosts.ts';
import type { Chosen } from './many.ts';
import { LinkRow, type Row } from './row.tsx';

const LINKS = graphql(`
  query Links(
    $page: Int!
    $pageSize: Int!
    $search: String
    $state: LinkState
    $isArchived: Boolean
    $domain: String
    $destinationUrl: String
    $externalId: String
    $tags: [String!]
    $sort: LinkSort!
  ) {
    links(
      page: $page
      pageSize: $pageSize
      search: $search
      state: $state
      isArchived: $isArchived
      domain: $domain
      destinationUrl: $destinationUrl
      externalId: $externalId
      tags: $tags
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

const NEWEST = graphql(`
  query NewestLink(
    $search: String
    $state: LinkState
    $isArchived: Boolean
    $domain: String
    $destinationUrl: String
    $externalId: String
    $tags: [String!]
  ) {
    links(
      pageSize: 1
      search: $search
      state: $state
      isArchived: $isArchived
      domain: $domain
      destinationUrl: $destinationUrl
      externalId: $externalId
      tags: $tags
    ) {
      total
      data {
        id
      }
    }
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

const LinkDialog = onDemand(() => import('./dialogs.ts'), (dialogs) => dialogs.LinkDialog, 'linkForms');
const Selection = onDemand(() => import('./dialogs.ts'), (dialogs) => dialogs.Selection, 'linkForms');

/** How often it is looked for links that were made elsewhere, in milliseconds. */
const LOOK_MS = 10_000;

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

/**
 * Links that were made elsewhere, by the API or in another tab, come into the list, and those that were deleted go: no message tells of
 * them. A search is not repeated, as it may take the service long.
 */
function useNewer(choice: NewestLinkQueryVariables, { data, reload }: Loaded<LinksQuery>, beginsWithNewest: boolean): void {
  const shown = data?.links;
  const look = useRef(async () => undefined as void);
  look.current = async () => {
    if (!shown || choice.search || document.hidden || isOffline.value || health.value !== 'ready') return;
    const { data: now } = await fetchOnce(NEWEST, choice);
    if (!now) return;
    const { total, data: newest } = now.links;
    if (total !== shown.total || (beginsWithNewest && newest[0]?.id !== shown.data[0]?.id)) reload();
  };
  useEffect(() => {
    const now = () => void look.current();
    const timer = setInterval(now, LOOK_MS);
    document.addEventListener('visibilitychange', now);
    addEventListener('focus', now);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', now);
      removeEventListener('focus', now);
    };
  }, []);
}

/** An account without links, or one whose links are all archived. */
function NoLinks({ archived }: { archived: string }) {
  const { data, problem } = useData(ARCHIVED_LINKS, {}, ['Link']);
  if (!data && !problem) return null;
  return data && data.links.total > 0 ? (
    <EmptyState icon="archive" title={t.linkList.allArchived} hint={t.links.archive.hint}>
      <LinkButton href={archived}>{t.linkList.showArchived}</LinkButton>
    </EmptyState>
  ) : (
    <EmptyState icon="link" title={t.linkList.empty} hint={may('LINKS_WRITE') ? t.linkList.emptyHint : undefined}>
      <LinkButton kind="primary" icon="plus" needs="LINKS_WRITE" href="/app/links/new">
        {t.links.new}
      </LinkButton>
      <LinkButton icon="upload" needs="LINKS_WRITE" href="/app/links/import">
        {t.linkList.transfer.import}
      </LinkButton>
    </EmptyState>
  );
}

interface SelectAllProps {
  areAll: boolean;
  areSome: boolean;
  select(areAll: boolean): void;
}

function SelectAll({ areAll, areSome, select }: SelectAllProps) {
  return (
    <input
      type="checkbox"
      aria-label={t.linkList.selectAll}
      title={t.linkList.selectAll}
      checked={areAll}
      indeterminate={areSome && !areAll}
      onChange={(event) => select(event.currentTarget.checked)}
    />
  );
}

const FORMATS = ['csv', 'jsonl'] as const;

/** Links from elsewhere, and all that the filters leave in the list as a file. */
function Transfer({ filters }: { filters: Filters }) {
  const words = t.linkList.transfer;
  const save = (format: (typeof FORMATS)[number]) =>
    import('./export.ts').then(({ exportLinks }) => exportLinks(filters, format), () => complain(unreachable()));
  return (
    <Menu label={words.menu}>
      <MenuItem icon="upload" needs="LINKS_WRITE" href="/app/links/import">
        {words.import}
      </MenuItem>
      {FORMATS.map((format) => (
        <MenuItem key={format} icon="download" isWrite onSelect={() => void save(format)}>
          {words.export[format]}
        </MenuItem>
      ))}
    </Menu>
  );
}

export default function Links() {
  useTitle(t.links.title);
  const { query, route } = useLocation();
  const { page, size, ...filters } = ADDRESS.read(query);
  const { search, state, archived, domain, destination, externalId, tag, sort } = filters;

  const choice = {
    search: search || null,
    state: state || null,
    isArchived: archived === 'any' ? null : archived === 'true',
    domain: domain || null,
    destinationUrl: destination || null,
    externalId: externalId || null,
    tags: tagsFrom(tag),
  };
  const loaded = useData(LINKS, { ...choice, page, pageSize: Number(size), sort }, ['Link']);
  useNewer(choice, loaded, sort === 'NEWEST' && page === 1);
  const newClicks = useNewClicks(loaded.data);
  /** Those of other pages, too. */
  const [selected, setSelected] = useState<ReadonlyMap<string, Chosen>>(new Map());
  const [areAllChosen, setAllChosen] = useState(false);
  /** What was selected may have something left to say. */
  const [wasSelected, setWasSelected] = useState(false);
  const { dialog, open } = useDialog();

  function select(links: Chosen[]) {
    setSelected(new Map(links.map((link) => [link.id, link])));
    setAllChosen(false);
    if (links.length > 0) setWasSelected(true);
  }
  const isStaying = ({ id }: Chosen) => !going.value.has(id);
  const here = loaded.data?.links.data.filter(isStaying) ?? [];
  const staying = [...selected.values()].filter(isStaying);
  const isChosen = (link: Row) => isStaying(link) && (areAllChosen || selected.has(link.id));
  const isPageChosen = here.length > 0 && here.every(isChosen);
  /** Those that are chosen without these rows: of all that match, the page's. */
  const others = (rows: Row[]): Chosen[] => {
    const left = new Map(areAllChosen ? here.map((link) => [link.id, link as Chosen]) : selected);
    for (const { id } of rows) left.delete(id);
    return [...left.values()];
  };

  /** The address of this list with some of its filters changed; it begins at its first page. */
  const address = (part: Partial<Filters>) => addressOf({ ...filters, ...part }, size);
  // The filters are part of the choice; pages and their order are not.
  useEffect(() => select([]), [search, state, archived, domain, destination, externalId, tag]);

  /** A head that leads to an order, or from it to another one. */
  const sortBy = (its: LinkSort, other: LinkSort, direction: 'ascending' | 'descending' = 'descending') =>
    sort === its ? { href: address({ sort: other }), direction } : { href: address({ sort: its }) };

  const isFiltered = narrows(filters);
  const isEmpty = loaded.data?.links.total === 0 && !isFiltered;
  // An address may name another one.
  const named = new Set([...(loaded.data ? hostsOf(loaded.data) : []), ...(domain ? [domain] : [])]);
  const hosts = hostChoices([...named], loaded.data);
  const toggle = (link: Row) => select(isChosen(link) ? others([link]) : [...others([]), link]);

  const selecting = {
    title: (
      <SelectAll
        areAll={isPageChosen}
        areSome={staying.length > 0}
        select={(isOn) => select([...others(here), ...(isOn ? here : [])])}
      />
    ),
    class: 'cell-select',
  };

  return (
    <>
      <header class="page-head">
        <h1>{t.links.title}</h1>
        {loaded.data && (
          <span class="muted">{t.linkList.count(loaded.data.links.total, formatNumber(loaded.data.links.total))}</span>
        )}
        <div class="page-action">
          <LinkButton icon="tag" href="/app/links/tags">
            {t.tags.title}
          </LinkButton>
          <LinkButton href="/app/links/utm">{t.links.utmTemplates}</LinkButton>
          <Transfer filters={filters} />
        </div>
      </header>
      <FilterBar filters={filters} hosts={hosts} isHidden={isEmpty} change={(part) => route(address(part), true)} />
      <Panel loaded={loaded} rows={10}>
        {({ links }) => (
          <div class="link-list">
            <List
              label={t.links.yours}
              columns={[
                ...(may('LINKS_WRITE') ? [selecting] : []),
                t.links.link,
                { title: t.linkList.trend, class: 'cell-trend' },
                { title: t.linkList.clicks, class: 'number', sort: sortBy('MOST_CLICKED', 'NEWEST') },
                {
                  title: t.linkList.created,
                  class: 'wide-cell cell-created',
                  sort: sort === 'OLDEST' ? sortBy('OLDEST', 'NEWEST', 'ascending') : sortBy('NEWEST', 'OLDEST'),
                },
                { title: t.links.isActive, class: 'cell-switch' },
              ]}
              page={links}
              row={(link) => (
                <LinkRow
                  key={link.id}
                  link={link}
                  newClicks={newClicks.get(link.id) ?? 0}
                  isSelected={isChosen(link)}
                  toggle={() => toggle(link)}
                  ask={(asked) => open(LinkDialog, { asked, link })}
                />
              )}
              href={(to) => addressOf(filters, size, to)}
              chooseSize={(chosen) => route(addressOf(filters, chosen))}
              isFiltered={isFiltered}
              empty={<NoLinks archived={address({ archived: 'true' })} />}
              none={
                <EmptyState icon="search" title={t.linkList.none} hint={t.linkList.noneHint}>
                  <Button onClick={() => route('/app/links')}>{t.linkList.clearFilters}</Button>
                  {archived === '' && <LinkButton href={address({ archived: 'any' })}>{t.linkList.withArchived}</LinkButton>}
                </EmptyState>
              }
            />
            {wasSelected && (
              <Selection
                links={staying}
                matching={{ total: links.total, choice }}
                areAll={areAllChosen}
                isPageChosen={isPageChosen}
                select={select}
                chooseAll={() => setAllChosen(true)}
                onClose={() => select([])}
              />
            )}
          </div>
        )}
      </Panel>
      {dialog}
    </>
  );
}
