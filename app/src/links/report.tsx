import { useEffect, useRef, useState } from 'preact/hooks';
import { graphql } from '../api/generated/gql.ts';
import type { ClickLineFragment } from '../api/generated/graphql.ts';
import { useData, useLateBeginning, useSoon } from '../api/use.ts';
import { Chart } from '../analytics/chart.tsx';
import { Figures, Origins, TopValues } from '../analytics/figures.tsx';
import { Output } from '../analytics/output.tsx';
import { Picker, useView } from '../analytics/picker.tsx';
import { formatAgo, formatCountry, formatDay, formatMoment, formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
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
  ) {
    clickSummary(
      linkId: $id
      from: $from
      to: $to
      interval: $interval
      timeZone: $timeZone
      includeBots: $includeBots
      limit: 8
    ) {
      from
      to
      totals {
        ...SummaryTotals
      }
      previous {
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
        countries {
          ...SummaryTop
        }
        referrers {
          ...SummaryTop
        }
        sources {
          ...SummaryTop
        }
        channels {
          ...SummaryTop
        }
        browsers {
          ...SummaryTop
        }
        operatingSystems {
          ...SummaryTop
        }
        devices {
          ...SummaryTop
        }
        languages {
          ...SummaryTop
        }
        utmSources {
          ...SummaryTop
        }
        utmMediums {
          ...SummaryTop
        }
        utmCampaigns {
          ...SummaryTop
        }
        destinations {
          ...SummaryTop
        }
        triggers {
          ...SummaryTop
        }
      }
    }
    clicks(linkId: $id, from: $from, to: $to, includeBots: $includeBots, limit: 50) {
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
const DIMENSIONS = [
  'devices',
  'browsers',
  'operatingSystems',
  'languages',
  'utmSources',
  'utmMediums',
  'utmCampaigns',
] as const;
/** Most links have one value of these, which tells nothing. */
const RARE = ['destinations', 'triggers'] as const;

const or = (value: string | null | undefined, otherwise: string) =>
  value ? <bdi>{value}</bdi> : <span class="muted">{otherwise}</span>;

function Clicks({ clicks, fresh }: { clicks: ClickLineFragment[]; fresh: ReadonlySet<string> }) {
  const { when, where, referrer, browser, system, device } = t.links.detail;
  const titles = [when, where, referrer, browser, system, device];
  return (
    <Table
      caption={t.links.detail.latest}
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
          <td>{or(click.country && formatCountry(click.country), t.links.detail.unknown)}</td>
          <td>{or(click.referrerHost, t.links.detail.direct)}</td>
          <td>{click.isBot ? <span class="chip">{t.links.detail.bot}</span> : or(click.browser, t.links.detail.unknown)}</td>
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
  const words = t.links.detail;
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
  /** How many clicks the link has; undefined until it is known. */
  count?: number;
  /** Names of its destinations by number; undefined until they are known. */
  destinations?: Record<string, string>;
}

/** The statistics of a link, for the time and the clicks that the page's address chooses. */
export function Report({ id, name, told, count, destinations }: ReportProps) {
  const chosen = useView();
  const { includeBots } = chosen.variables;
  const summary = useData(SUMMARY, { id, ...chosen.variables });
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
        <Output view={chosen} link={name === undefined ? undefined : { id, name }} />
      </Picker>
      <Panel loaded={summary} rows={8}>
        {({ clickSummary: sums, clicks: { data: listed } }) => {
          const fresh = chosen.isLive ? newer(told, listed, LISTED_CLICKS).filter(({ isBot }) => includeBots || !isBot) : [];
          const clicks = t.clicks(sums.totals.clicks, formatNumber(sums.totals.clicks));
          return (
            <>
              <section class="card">
                <Figures totals={sums.totals} previous={sums.previous} />
                <Chart
                  series={sums.series}
                  interval={chosen.range.interval}
                  to={chosen.range.to}
                  hrefOf={chosen.dayAddress}
                  label={t.analytics.chart(clicks, formatDay(sums.from), formatDay(sums.to))}
                />
              </section>
              {sums.totals.clicks > 0 && (
                <div class="grid">
                  <TopValues dimension="countries" top={sums.top.countries} total={sums.totals.clicks} />
                  <Origins top={sums.top} total={sums.totals.clicks} />
                  {[...DIMENSIONS, ...RARE.filter((each) => sums.top[each].values.length > 1)].map((dimension) => (
                    <TopValues
                      key={dimension}
                      dimension={dimension}
                      top={sums.top[dimension]}
                      total={sums.totals.clicks}
                      read={dimension === 'destinations' ? (number) => destinations?.[number] ?? t.analytics.destination(number) : undefined}
                    />
                  ))}
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
