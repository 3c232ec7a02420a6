import { useEffect, useRef, useState } from 'preact/hooks';
import { graphql } from '../api/generated/gql.ts';
import type { ClickLineFragment } from '../api/generated/graphql.ts';
import { useData, useLateBeginning, useSoon } from '../api/use.ts';
import { Chart } from '../analytics/chart.tsx';
import { Figures, Panels, TopValues } from '../analytics/figures.tsx';
import { Hours, Notes } from '../analytics/opened.ts';
import { Output } from '../analytics/output.tsx';
import { Conditions, Picker, useView } from '../analytics/picker.tsx';
import { formatAgo, formatCountry, formatDay, formatMoment, formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Fold } from '../ui/fold.tsx';
import { EmptyState, Panel } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { newer } from './newer.ts';

const SUMMARY = graphql(`
  query LinkSummary(
    $id: ID!
    $from: DateTime!
    $to: DateTime
    $interval: Interval!
    $timeZone: TimeZone!
    $includeBots: Boolean!
    $filter: [ClickCondition!]
    $yearFrom: DateTime!
    $yearTo: DateTime!
    $withYear: Boolean!
    $withPrevious: Boolean!
  ) {
    year: clickSummary(linkId: $id, from: $yearFrom, to: $yearTo, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1) @include(if: $withYear) {
      totals {
        ...SummaryTotals
      }
    }
    annotations(linkId: $id, from: $from, to: $to, pageSize: 100) {
      ...Notes
    }
    clickSummary(
      linkId: $id
      from: $from
      to: $to
      interval: $interval
      timeZone: $timeZone
      includeBots: $includeBots
      filter: $filter
      limit: 8
    ) {
      isExact
      from
      to
      totals {
        ...SummaryTotals
      }
      previous @include(if: $withPrevious) {
        clicks
        uniques
        bots
      }
      series {
        start
        clicks
        uniques
      }
      top {
        ...SummaryTops
        destinations {
          ...SummaryTop
        }
        triggers {
          ...SummaryTop
        }
      }
    }
    clicks(linkId: $id, from: $from, to: $to, includeBots: $includeBots, filter: $filter, limit: 50) {
      data {
        ...ClickLine
      }
    }
  }
`);

export const CLICK_LINE = graphql(`
  fragment ClickLine on ClickEvent {
    id
    clickedAt
    browser
    os
    device
    isBot
    referrerHost
    country
  }
`);

/** Clicks that are shown before more are asked for. */
const FIRST_CLICKS = 10;
/** As many as the query has. */
const LISTED_CLICKS = 50;
/** Most links have one value of these, which tells nothing. */
const RARE = [
  ['destination', 'destinations'],
  ['trigger', 'triggers'],
] as const;

const or = (value: string | null | undefined, otherwise: string) =>
  value ? <bdi>{value}</bdi> : <span class="muted">{otherwise}</span>;

function Clicks({ clicks, fresh }: { clicks: ClickLineFragment[]; fresh: ReadonlySet<string> }) {
  const { when, where, referrer, browser, system, device } = t.linkPage;
  const titles = [when, where, referrer, browser, system, device];
  return (
    <Table
      caption={t.linkPage.latest}
      class="clicks"
      head={titles.map((title) => (
        <th key={title} scope="col">
          {title}
        </th>
      ))}
    >
      {clicks.map((click) => (
        <tr key={click.id} class={fresh.has(click.id) ? 'fresh' : undefined}>
          <td>
            <time dateTime={click.clickedAt} title={formatMoment(click.clickedAt)}>
              {formatAgo(click.clickedAt)}
            </time>
          </td>
          <td>{or(click.country && formatCountry(click.country), t.linkPage.unknown)}</td>
          <td>{or(click.referrerHost, t.linkPage.direct)}</td>
          <td>{click.isBot ? <span class="chip">{t.linkPage.bot}</span> : or(click.browser, t.linkPage.unknown)}</td>
          <td>{or(click.os, '–')}</td>
          <td>{or(click.device && (t.devices[click.device] ?? click.device), '–')}</td>
        </tr>
      ))}
    </Table>
  );
}


interface LatestProps {
  clicks: ClickLineFragment[];
  fresh: ReadonlySet<string>;
  /** How many there are in the time. */
  total: number;
  /** Whether the link was followed at any time. */
  isClicked: boolean;
}

/** The newest clicks of a time: the first of them, and more when they are asked for. */
function Latest({ clicks, fresh, total, isClicked }: LatestProps) {
  const words = t.linkPage;
  const [isAll, setAll] = useState(false);
  const shown = clicks.slice(0, isAll ? LISTED_CLICKS : FIRST_CLICKS);
  const left = Math.min(clicks.length, LISTED_CLICKS) - shown.length;
  return (
    <section class="card latest" tabIndex={-1}>
      <h2>
        {words.latest} {total > 0 && <span class="muted small">{words.shown(formatNumber(shown.length), formatNumber(Math.max(total, shown.length)))}</span>}
      </h2>
      {shown.length > 0 ? (
        <Clicks clicks={shown} fresh={fresh} />
      ) : (
        <EmptyState icon="chart" title={isClicked ? t.analytics.empty : words.noClicks} hint={isClicked ? undefined : words.noClicksHint} />
      )}
      {left > 0 && (
        <div>
          <Button icon="down" onClick={() => setAll(true)}>
            {words.showMore(formatNumber(left))}
          </Button>
        </div>
      )}
    </section>
  );
}

interface ReportProps {
  id: string;
  /** As files are named by it; undefined until it is known. */
  name?: string;
  /** Clicks that messages told of since the page is there, the newest first. */
  told: ClickLineFragment[];
  /** When the link was created; undefined until it is known. */
  since?: string;
  /** How many clicks the link has; undefined until it is known. */
  count?: number;
  /** Names of its destinations by number; undefined until they are known. */
  destinations?: Record<string, string>;
}

/** The statistics of a link, for the time and the clicks that the page's address chooses. */
export function Report({ id, name, since, told, count, destinations }: ReportProps) {
  const chosen = useView(since);
  const { includeBots } = chosen.variables;
  const { isFiltered } = chosen;
  const destination = (number: string) => destinations?.[number] ?? t.analytics.destination(number);
  const summary = useData(SUMMARY, { id, ...chosen.variables }, ['Annotation']);
  const sumUpSoon = useSoon(() => chosen.isLive && summary.reload());
  // Clicks that no message told of are in the number.
  const seen = useRef({ told, count });
  useEffect(() => {
    const before = seen.current;
    if (told !== before.told || (before.count !== undefined && count !== before.count)) sumUpSoon();
    seen.current = { told, count };
  }, [told, count]);
  useLateBeginning(summary.reload);

  return (
    <>
      <Picker {...chosen}>
        <Output chosen={chosen} file={name === undefined ? undefined : { path: `/analytics/${id}/export`, name: `clicks-${name}` }} />
      </Picker>
      <Conditions chosen={chosen} isExact={summary.data?.clickSummary.isExact} read={{ destination }} />
      <Panel loaded={summary} rows={8}>
        {({ clickSummary: sums, annotations, year, clicks: { data: listed } }) => {
          // Messages do not tell which conditions a click fulfils.
          const fresh = chosen.isLive && !isFiltered ? newer(told, listed, LISTED_CLICKS).filter(({ isBot }) => includeBots || !isBot) : [];
          const clicks = t.clicks(sums.totals.clicks, formatNumber(sums.totals.clicks));
          return (
            <>
              <section class="card">
                <Figures totals={sums.totals} previous={sums.previous} year={year} compare={chosen.compare} />
                <Chart
                  series={sums.series}
                  notes={annotations.data}
                  interval={chosen.range.interval}
                  to={chosen.range.to}
                  hrefOf={chosen.dayAddress}
                  label={t.analytics.chart(clicks, formatDay(sums.from), formatDay(sums.to))}
                />
                <Fold label={t.analytics.notes} content={() => <Notes notes={annotations} />} />
                <Fold label={t.analytics.hours} content={() => <Hours variables={chosen.variables} clicks={sums.totals.clicks} />} />
              </section>
              {sums.totals.clicks > 0 && (
                <div class="grid">
                  {(['places', 'origins', 'means'] as const).map((group) => (
                    <Panels key={group} group={group} top={sums.top} total={sums.totals.clicks} ways={chosen} />
                  ))}
                  {RARE.map(
                    ([dimension, list]) =>
                      sums.top[list].values.length > 1 && (
                        <TopValues
                          key={dimension}
                          dimension={dimension}
                          top={sums.top[list]}
                          total={sums.totals.clicks}
                          read={dimension === 'destination' ? destination : undefined}
                          ways={chosen}
                        />
                      ),
                  )}
                </div>
              )}
              <Latest
                clicks={[...fresh, ...listed]}
                fresh={new Set(fresh.map((click) => click.id))}
                total={sums.totals.clicks + fresh.length}
                isClicked={(count ?? 0) > 0}
              />
            </>
          );
        }}
      </Panel>
    </>
  );
}
