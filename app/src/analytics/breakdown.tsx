import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { clickBreakdownArguments } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { BreakdownPlacesFragment, BreakdownQuery, ClickDimension } from '../api/generated/graphql.ts';
import { useData } from '../api/use.ts';
import { formatNumber, formatShare } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { readableShort } from '../links/address.ts';
import { destinationsOf } from '../links/destinations.ts';
import { ShortName } from '../links/short-name.tsx';
import { useTitle } from '../shell/title.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { List } from '../ui/list.tsx';
import { SearchField } from '../ui/search.tsx';
import { EmptyState, Panel } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { asInput, conditionText, type Dimension, GROUPS } from './conditions.ts';
import { Figures } from './figures.tsx';
import { LinkName } from './link-name.tsx';
import { meantBy } from './meant.ts';
import { Output } from './output.tsx';
import { addressOf, type View } from './period.ts';
import { type Chosen, Conditions, Picker, useView } from './picker.tsx';
import { isTold, READ, unknownOf } from './values.ts';

export const PLACES = graphql(`
  fragment BreakdownPlaces on TopStats {
    regions {
      values {
        clicks
      }
    }
    cities {
      values {
        clicks
      }
    }
  }
`);

const BREAKDOWN = graphql(`
  query Breakdown(
    $id: ID!
    $isOfAll: Boolean!
    $isOfLink: Boolean!
    $linkId: ID
    $dimension: ClickDimension!
    $from: DateTime!
    $to: DateTime
    $timeZone: TimeZone!
    $includeBots: Boolean!
    $filter: [ClickCondition!]
    $found: [ClickCondition!]
    $search: String
    $page: Int!
    $pageSize: Int!
    $yearFrom: DateTime!
    $yearTo: DateTime!
    $withYear: Boolean!
    $withPrevious: Boolean!
  ) {
    clickBreakdown(
      linkId: $linkId
      dimension: $dimension
      from: $from
      to: $to
      includeBots: $includeBots
      filter: $found
      search: $search
      page: $page
      pageSize: $pageSize
    ) {
      isExact
      total
      page
      pageSize
      totalPages
      data {
        value
        clicks
        uniques
        bots
      }
    }
    ofAll: accountClickSummary(from: $from, to: $to, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1) @skip(if: $isOfLink) {
      totals {
        ...SummaryTotals
      }
      previous @include(if: $withPrevious) {
        clicks
        uniques
        bots
      }
      top {
        ...BreakdownPlaces
      }
    }
    ofLink: clickSummary(linkId: $id, from: $from, to: $to, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1) @skip(if: $isOfAll) {
      totals {
        ...SummaryTotals
      }
      previous @include(if: $withPrevious) {
        clicks
        uniques
        bots
      }
      top {
        ...BreakdownPlaces
      }
    }
    yearOfAll: accountClickSummary(from: $yearFrom, to: $yearTo, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1)
      @include(if: $withYear)
      @skip(if: $isOfLink) {
      totals {
        ...SummaryTotals
      }
    }
    yearOfLink: clickSummary(linkId: $id, from: $yearFrom, to: $yearTo, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1)
      @include(if: $withYear)
      @skip(if: $isOfAll) {
      totals {
        ...SummaryTotals
      }
    }
    me {
      id
      account {
        id
        createdAt
      }
    }
    link(id: $id) @skip(if: $isOfAll) {
      id
      shortUrl
      destinationUrl
      createdAt
    }
    linkRules(linkId: $id) @skip(if: $isOfAll) {
      id
      destinations {
        number
        url
        label
      }
    }
  }
`);

/** Names of the links of a page, by the figures of those alone: no question takes ids of several links. */
const NAMES = graphql(`
  query BreakdownLinks($from: DateTime!, $to: DateTime, $includeBots: Boolean!, $filter: [ClickCondition!], $limit: Int!) {
    accountClickSummary(from: $from, to: $to, includeBots: $includeBots, filter: $filter, limit: $limit) {
      links {
        linkId
        link {
          id
          slug
          shortUrl
          title
        }
      }
    }
  }
`);

const PAGE_SIZE = 25;

type Row = BreakdownQuery['clickBreakdown']['data'][number];

interface NamesProps {
  ids: string[];
  variables: Chosen['variables'];
  children(name: (id: string) => ComponentChildren): VNode;
}

function Names({ ids, variables: { from, to, includeBots, filter = [] }, children }: NamesProps) {
  const these = { dimension: 'LINK', operator: 'IS', values: ids } as const;
  const loaded = useData(NAMES, { from, to, includeBots, filter: [...filter, these], limit: PAGE_SIZE });
  return (
    <Panel loaded={loaded} rows={8}>
      {({ accountClickSummary: { links } }) => {
        const known = new Map(links.map(({ linkId, link }) => [linkId, link]));
        return children((id) => {
          const link = known.get(id);
          if (!link) return loaded.isLoading ? '' : t.analytics.deleted;
          return link.title ?? <ShortName link={link} />;
        });
      }}
    </Panel>
  );
}

interface AlternativesProps {
  by: Dimension;
  isOfLink: boolean;
  top: BreakdownPlacesFragment;
  href(dimension: Dimension): string;
}

/** Dimensions that tell of one link what is known of it, and one that tells something of one link alone. */
const OF_ALL: Dimension[] = ['link', 'tag', 'domain'];
const OF_LINK: Dimension[] = ['destination'];

/** The dimensions of the same group. */
function Alternatives({ by, isOfLink, top, href }: AlternativesProps) {
  const group: readonly Dimension[] = Object.values(GROUPS).find((each) => (each as readonly Dimension[]).includes(by))!;
  const lists: Partial<Record<Dimension, { values: unknown[] }>> = { region: top.regions, city: top.cities };
  const isOffered = (dimension: Dimension) => !(isOfLink ? OF_ALL : OF_LINK).includes(dimension) && isTold(dimension, lists[dimension]);
  const tabs = group.filter((dimension) => dimension === by || isOffered(dimension)).map((id) => ({ id, label: t.reportForms.dimensions[id], href: href(id) }));
  return tabs.length > 1 ? <Tabs label={t.breakdown.alternatives} current={by} tabs={tabs} /> : null;
}

interface RowProps {
  row: Row;
  label: ComponentChildren;
  /** The address of the figures of these clicks. */
  href: string;
  /** The page of what the row is about. */
  page?: string;
  /** What 100 % are. */
  total: number;
}

function ValueRow({ row: { value, clicks, uniques, bots }, label, href, page, total }: RowProps) {
  return (
    <tr data-row>
      <td class="cell-link">
        <div class="link-name">
          <a href={page ?? href} title={page ? undefined : t.analytics.only} class={value === null ? 'muted' : undefined} dir="auto" data-open>
            {label}
          </a>
          {page && <LinkButton kind="quiet" icon="filter" label={t.analytics.only} href={href} />}
        </div>
      </td>
      <td class="number">{formatNumber(clicks)}</td>
      <td class="number">{formatNumber(uniques)}</td>
      <td class="number wide-cell">{formatNumber(bots)}</td>
      <td class="number wide-cell">{total > 0 && formatShare(clicks / total)}</td>
    </tr>
  );
}

/** All values of a dimension that the clicks have, of the account or of a link. */
export default function Breakdown() {
  const { params } = useRoute();
  const { id } = params;
  const { path, route } = useLocation();
  const [since, setSince] = useState<string>();
  const chosen = useView(since);
  const { view, variables } = chosen;
  const { by, search } = view;
  const words = t.breakdown;
  const title = t.reportForms.dimensions[by];
  useTitle(title);

  const meant = meantBy(by, search);
  const query: [string, string][] = [['dimension', by.toUpperCase()]];
  if (id) query.push(['linkId', id]);
  if (meant) query.push(['filter', conditionText(meant)]);
  else if (search) query.push(['search', search]);

  const loaded = useData(BREAKDOWN, {
    ...variables,
    id: id ?? '',
    isOfAll: id === undefined,
    isOfLink: id !== undefined,
    linkId: id,
    dimension: by.toUpperCase() as ClickDimension,
    found: meant ? [...(variables.filter ?? []), asInput(meant)] : variables.filter,
    search: meant ? undefined : search,
    page: view.page,
    pageSize: PAGE_SIZE,
  });
  const { link, me } = loaded.data ?? {};
  const known = id ? link?.createdAt : me?.account.createdAt;
  useEffect(() => setSince(known), [known]);

  const address = (change: Partial<View>) => addressOf(path, { ...view, page: 1, ...change });
  const destinations = link && loaded.data?.linkRules && destinationsOf(link, loaded.data.linkRules);
  const destination = (number: string) => destinations?.[number] ?? t.analytics.destination(number);
  const read = { ...READ, link: (value: string) => <LinkName id={value} />, destination };

  const total = loaded.data?.clickBreakdown.total;
  const isExact = loaded.data?.clickBreakdown.isExact;
  return (
    <>
      <header class="page-head">
        <a class="crumb" href={chosen.figures} dir="auto">
          {id ? (link ? readableShort(link.shortUrl) : t.shell.links) : t.shell.overview}
        </a>
        <h1 tabIndex={-1}>{title}</h1>
        {total !== undefined && <span class="muted">{words.count(total, formatNumber(total))}</span>}
        <Picker {...chosen}>
          <Output chosen={chosen} file={{ path: '/analytics/breakdown/export', name: `clicks-by-${by}`, query, words: words.file }} />
        </Picker>
      </header>
      <Conditions chosen={chosen} isExact={isExact} read={read} />
      {isExact === false && !chosen.isFiltered && (
        <p class="muted small" role="status">
          {t.reportForms.notExact}
        </p>
      )}
      <search hidden={by === 'destination'}>
        <SearchField
          label={words.search}
          placeholder={words.search}
          value={search}
          maxLength={clickBreakdownArguments.search.maxLength}
          onSearch={(typed) => route(address({ search: typed }), true)}
        />
      </search>
      <Panel loaded={loaded} rows={8}>
        {({ clickBreakdown, ofAll, ofLink, yearOfAll, yearOfLink }) => {
          const sums = ofLink ?? ofAll!;
          const table = (labelOf: (value: string) => ComponentChildren) => (
            <List
              label={title}
              isPlain
              columns={[
                title,
                { title: t.analytics.clicks, class: 'number' },
                { title: t.analytics.visitors, class: 'number' },
                { title: t.analytics.bots, class: 'number wide-cell' },
                { title: words.share, class: 'number wide-cell' },
              ]}
              page={clickBreakdown}
              row={(row) => (
                <ValueRow
                  key={row.value}
                  row={row}
                  label={row.value === null ? unknownOf(by) : labelOf(row.value)}
                  href={chosen.narrow(by, [row.value])}
                  page={by === 'link' && row.value !== null ? `/app/links/${row.value}` : undefined}
                  total={sums.totals.clicks}
                />
              )}
              href={(page) => address({ page })}
              isFiltered={search !== ''}
              empty={<EmptyState icon="chart" title={t.analytics.empty} />}
              none={
                <EmptyState icon="search" title={words.none} hint={words.noneHint}>
                  <Button onClick={() => route(address({ search: '' }))}>{words.all}</Button>
                </EmptyState>
              }
            />
          );
          const ids = by === 'link' ? clickBreakdown.data.flatMap(({ value }) => value ?? []) : [];
          return (
            <>
              <section class="card">
                <Figures totals={sums.totals} previous={sums.previous} year={yearOfLink ?? yearOfAll} compare={chosen.compare} />
              </section>
              <Alternatives by={by} isOfLink={id !== undefined} top={sums.top} href={(dimension) => chosen.all(dimension)} />
              {ids.length > 0 ? (
                <Names ids={ids} variables={variables}>
                  {table}
                </Names>
              ) : (
                table(read[by] ?? String)
              )}
            </>
          );
        }}
      </Panel>
    </>
  );
}
