import { graphql } from '../api/generated/gql.ts';
import type { OverviewQuery } from '../api/generated/graphql.ts';
import { useData, useLive, useSoon } from '../api/use.ts';
import { formatDay, formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { LiveDot } from '../analytics/live-dot.tsx';
import { readableShort } from '../links/address.ts';
import { ShortName } from '../links/short-name.tsx';
import { account, may } from '../session/role.ts';
import { useTitle } from '../shell/title.ts';
import { LinkButton } from '../ui/button.tsx';
import { type Bar, Bars } from '../analytics/bars.tsx';
import { Chart } from '../analytics/chart.tsx';
import { Banner, EmptyState, Panel } from '../ui/states.tsx';
import { Figures, Origins, TopValues } from '../analytics/figures.tsx';
import { Output } from '../analytics/output.tsx';
import { Picker, useView } from '../analytics/picker.tsx';
import { FirstSteps } from './first-steps.tsx';

const OVERVIEW = graphql(`
  query Overview($from: DateTime!, $to: DateTime, $interval: Interval!, $timeZone: TimeZone!, $includeBots: Boolean!, $isManaged: Boolean!) {
    accountClickSummary(
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
        devices {
          ...SummaryTop
        }
      }
      links {
        linkId
        clicks
        link {
          id
          slug
          shortUrl
          title
        }
      }
      linksOther
      linksError
    }
    usage {
      links {
        used
      }
      domains {
        used
      }
      apiKeys {
        used
      }
    }
    transfers(pageSize: 100) @include(if: $isManaged) {
      data {
        id
        state
        toAccount {
          id
        }
      }
    }
  }
`);

const CLICKS = graphql(`
  subscription OverviewClicks {
    accountClicks {
      total
    }
  }
`);

type Summary = OverviewQuery['accountClickSummary'];

/** Clicks of links that were deleted still count, and bots. */
const hasNothing = ({ accountClickSummary: { totals, previous }, usage }: OverviewQuery): boolean =>
  usage.links.used + totals.clicks + totals.bots + previous.clicks + previous.bots === 0;

/** Whether other accounts offer links or domains that wait for an answer. */
const isOffered = ({ transfers }: OverviewQuery): boolean =>
  transfers?.data.some(({ state, toAccount }) => state === 'OFFERED' && toAccount.id === account.value) ?? false;

function TopLinks({ summary }: { summary: Summary }) {
  const bars: Bar[] = summary.links.map(({ linkId, clicks, link }) => ({
    key: linkId,
    value: clicks,
    label: link ? (
      <a href={`/app/links/${linkId}`} title={readableShort(link.shortUrl)} dir="auto" data-open>
        {link.title ?? <ShortName link={link} />}
      </a>
    ) : (
      t.analytics.deleted
    ),
  }));
  if (summary.linksOther > 0) bars.push({ key: 'other', label: t.analytics.other, value: summary.linksOther, isRest: true });
  return (
    <section class="card top-values">
      <h2>{t.analytics.topLinks}</h2>
      <Bars bars={bars} total={summary.totals.clicks} />
      {summary.linksError > 0 && <p class="muted small">{t.analytics.upTo(formatNumber(summary.linksError))}</p>}
    </section>
  );
}

export default function Overview() {
  useTitle(t.analytics.title);
  const chosen = useView();
  const loaded = useData(OVERVIEW, { ...chosen.variables, isManaged: may('MEMBERS_MANAGE') }, ['Link', 'TransferPageResult']);

  const isNew = loaded.data !== undefined && hasNothing(loaded.data);

  const { isLive } = chosen;
  useLive(CLICKS, {}, useSoon(loaded.reload), isLive);

  return (
    <>
      <header class="page-head">
        <h1>{t.analytics.title}</h1>
        {!isNew && (
          <>
            {isLive && <LiveDot />}
            <Picker {...chosen}>
              <Output view={chosen} />
            </Picker>
          </>
        )}
      </header>
      {loaded.data && isOffered(loaded.data) && (
        <Banner icon="info" kind="info">
          <a href="/app/members">{t.analytics.offered}</a>
        </Banner>
      )}
      <Panel loaded={loaded} rows={8}>
        {({ accountClickSummary: summary, usage }) => isNew && may('LINKS_WRITE') ? (
          <FirstSteps hasDomain={usage.domains.used > 0} hasKey={usage.apiKeys.used > 0} />
        ) : (
          <>
            <section class="card">
              <Figures totals={summary.totals} previous={summary.previous} />
              <Chart
                series={summary.series}
                interval={chosen.range.interval}
                to={chosen.range.to}
                hrefOf={chosen.dayAddress}
                label={t.analytics.chart(t.clicks(summary.totals.clicks, formatNumber(summary.totals.clicks)), formatDay(summary.from), formatDay(summary.to))}
              />
            </section>
            {summary.totals.clicks === 0 ? (
              <EmptyState icon="chart" title={t.analytics.empty} hint={may('LINKS_WRITE') ? t.analytics.emptyHint : undefined}>
                <LinkButton kind="primary" icon="plus" needs="LINKS_WRITE" href="/app/links/new">
                  {t.shell.newLink}
                </LinkButton>
              </EmptyState>
            ) : (
              <div class="grid halves">
                <TopLinks summary={summary} />
                <TopValues dimension="countries" top={summary.top.countries} total={summary.totals.clicks} />
                <Origins top={summary.top} total={summary.totals.clicks} />
                <TopValues dimension="devices" top={summary.top.devices} total={summary.totals.clicks} />
              </div>
            )}
          </>
        )}
      </Panel>
    </>
  );
}
