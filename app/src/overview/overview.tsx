import { useEffect, useState } from 'preact/hooks';
import { graphql } from '../api/generated/gql.ts';
import type { OverviewQuery } from '../api/generated/graphql.ts';
import { useData, useLive, useSoon } from '../api/use.ts';
import { formatDay, formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { LiveDot } from '../analytics/live-dot.tsx';
import { readableShort } from '../links/address.ts';
import { ShortName } from '../links/short-name.tsx';
import { account, may } from '../session/role.ts';
import { onDemand } from '../shell/lazy.tsx';
import { useTitle } from '../shell/title.ts';
import { LinkButton } from '../ui/button.tsx';
import { type Bar, Bars } from '../analytics/bars.tsx';
import { Chart } from '../analytics/chart.tsx';
import { campaignOf } from '../analytics/conditions.ts';
import { Fold } from '../ui/fold.tsx';
import { Banner, EmptyState, Panel } from '../ui/states.tsx';
import { Figures, PanelHead, Panels, type Ways } from '../analytics/figures.tsx';
import { LinkName } from '../analytics/link-name.tsx';
import { Hours, Notes } from '../analytics/opened.ts';
import { Output } from '../analytics/output.tsx';
import { Conditions, Picker, useView } from '../analytics/picker.tsx';

/** Of accounts that have nothing yet. */
const FirstSteps = onDemand(() => import('./first-steps.tsx'), (module) => module.FirstSteps, 'steps');

const OVERVIEW = graphql(`
  query Overview($from: DateTime!, $to: DateTime, $interval: Interval!, $timeZone: TimeZone!, $includeBots: Boolean!, $filter: [ClickCondition!], $yearFrom: DateTime!, $yearTo: DateTime!, $withYear: Boolean!, $withPrevious: Boolean!, $isManaged: Boolean!) {
    year: accountClickSummary(from: $yearFrom, to: $yearTo, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1) @include(if: $withYear) {
      totals {
        ...SummaryTotals
      }
    }
    annotations(from: $from, to: $to, pageSize: 100) {
      ...Notes
    }
    accountClickSummary(
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
    me {
      id
      account {
        id
        createdAt
      }
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
  usage.links.used + totals.clicks + totals.bots + (previous ? previous.clicks + previous.bots : 0) === 0;

/** Whether other accounts offer links or domains that wait for an answer. */
const isOffered = ({ transfers }: OverviewQuery): boolean =>
  transfers?.data.some(({ state, toAccount }) => state === 'OFFERED' && toAccount.id === account.value) ?? false;

function TopLinks({ summary, ways }: { summary: Summary; ways: Ways }) {
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
    more: <LinkButton kind="quiet" icon="filter" label={t.analytics.only} href={ways.narrow('link', [linkId])} />,
  }));
  if (summary.linksOther > 0) bars.push({ key: 'other', label: t.analytics.other, value: summary.linksOther, isRest: true });
  return (
    <section class="card top-values">
      <PanelHead title={t.overview.topLinks} dimension="link" ways={ways} />
      <Bars bars={bars} total={summary.totals.clicks} />
      {summary.linksError > 0 && <p class="muted small">{t.analytics.upTo(formatNumber(summary.linksError))}</p>}
    </section>
  );
}

export default function Overview() {
  const [since, setSince] = useState<string>();
  const chosen = useView(since);
  const campaign = campaignOf(chosen.view);
  useTitle(campaign ?? t.shell.overview);
  const loaded = useData(OVERVIEW, { ...chosen.variables, isManaged: may('MEMBERS_MANAGE') }, ['Link', 'TransferPageResult', 'Annotation']);

  const { isLive, isFiltered } = chosen;
  const known = loaded.data?.me.account.createdAt;
  useEffect(() => setSince(known), [known]);
  const isNew = loaded.data !== undefined && !isFiltered && hasNothing(loaded.data);

  // A link more would have no click of these conditions.
  const canShare = may('LINKS_WRITE') && !isFiltered;
  useLive(CLICKS, {}, useSoon(loaded.reload), isLive);

  return (
    <>
      <header class="page-head">
        {campaign && (
          <a class="crumb" href={chosen.unfiltered}>
            {t.shell.overview}
          </a>
        )}
        <h1 dir="auto">{campaign ?? t.shell.overview}</h1>
        {!isNew && (
          <>
            {isLive && <LiveDot />}
            <Picker {...chosen}>
              <Output chosen={chosen} file={{ path: '/analytics/clicks/export', name: 'clicks' }} />
            </Picker>
          </>
        )}
      </header>
      {loaded.data && isOffered(loaded.data) && (
        <Banner icon="info" kind="info">
          <a href="/app/members">{t.overview.offered}</a>
        </Banner>
      )}
      <Conditions chosen={chosen} isExact={loaded.data?.accountClickSummary.isExact} read={{ link: (id) => <LinkName id={id} /> }} />
      <Panel loaded={loaded} rows={8}>
        {({ accountClickSummary: summary, annotations, year, usage }) => isNew && may('LINKS_WRITE') ? (
          <FirstSteps hasDomain={usage.domains.used > 0} hasKey={usage.apiKeys.used > 0} />
        ) : (
          <>
            <section class="card">
              <Figures totals={summary.totals} previous={summary.previous} year={year} compare={chosen.compare} />
              <Chart
                series={summary.series}
                notes={annotations.data}
                interval={chosen.range.interval}
                to={chosen.range.to}
                hrefOf={chosen.dayAddress}
                label={t.analytics.chart(t.clicks(summary.totals.clicks, formatNumber(summary.totals.clicks)), formatDay(summary.from), formatDay(summary.to))}
              />
              <Fold label={t.analytics.notes} content={() => <Notes notes={annotations} />} />
              <Fold label={t.analytics.hours} content={() => <Hours variables={chosen.variables} clicks={summary.totals.clicks} />} />
            </section>
            {summary.totals.clicks === 0 ? (
              <EmptyState icon="chart" title={t.analytics.empty} hint={canShare ? t.overview.emptyHint : undefined}>
                {canShare && (
                  <LinkButton kind="primary" icon="plus" href="/app/links/new">
                    {t.shell.newLink}
                  </LinkButton>
                )}
              </EmptyState>
            ) : (
              <div class="grid halves">
                <TopLinks summary={summary} ways={chosen} />
                <Panels group="places" top={summary.top} total={summary.totals.clicks} ways={chosen} />
                <Panels group="origins" top={summary.top} total={summary.totals.clicks} ways={chosen} />
                <Panels group="means" top={summary.top} total={summary.totals.clicks} ways={chosen} />
              </div>
            )}
          </>
        )}
      </Panel>
    </>
  );
}
