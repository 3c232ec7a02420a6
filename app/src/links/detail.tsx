import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { graphql } from '../api/generated/gql.ts';
import type { ClickLineFragment } from '../api/generated/graphql.ts';
import { useLateBeginning, useData, useLive } from '../api/use.ts';
import { formatAgo, formatCountry, formatDay, formatMoment, formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Figures, TopValues } from '../analytics/figures.tsx';
import { Picker, useView } from '../analytics/picker.tsx';
import { LiveDot } from '../analytics/live-dot.tsx';
import { onDemand } from '../shell/lazy.tsx';
import { useTitle } from '../shell/title.ts';
import { TagChips } from '../tags/chips.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { Chart } from '../analytics/chart.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { EmptyState, Panel } from '../ui/states.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Switch } from '../ui/switch.tsx';
import { Table } from '../ui/table.tsx';
import { UtmFacts } from '../utm/facts.tsx';
import { type Asked, importedTold, nameOf, switchLink } from './actions.ts';
import { readable } from './address.ts';
import { LifeFacts } from './life.tsx';
import { ArchiveItem, ShortName } from './row.tsx';

const LinkDialog = onDemand(() => import('./dialogs.ts'), (dialogs) => dialogs.LinkDialog, 'linkForms');

const LINK = graphql(`
  query LinkPage($id: ID!) {
    link(id: $id) {
      ...LinkCore
      clickCount
      importedClicks
      lastClickedAt
      createdAt
      clicks(limit: 20) {
        data {
          ...ClickLine
        }
      }
    }
  }
`);

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

const CLICKED = graphql(`
  subscription LinkClicked($linkId: ID!) {
    clickRecorded(linkId: $linkId) {
      ...ClickLine
    }
  }
`);

const LIVE_MS = 3000;
const SHOWN_CLICKS = 20;
const DIMENSIONS = [
  'countries',
  'referrers',
  'devices',
  'browsers',
  'operatingSystems',
  'languages',
  'utmSources',
  'utmMediums',
  'utmCampaigns',
] as const;

/** Calls `act` once for all calls of the next seconds. */
function useSoon(act: () => void): () => void {
  const timer = useRef(0);
  const latest = useRef(act);
  latest.current = act;
  return () => {
    timer.current ||= setTimeout(() => {
      timer.current = 0;
      latest.current();
    }, LIVE_MS);
  };
}

const or = (value: string | null | undefined, otherwise: string) => value ?? <span class="muted">{otherwise}</span>;

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

function Detail({ id }: { id: string }) {
  const { route } = useLocation();
  const chosen = useView();
  const loaded = useData(LINK, { id });
  const summary = useData(SUMMARY, { id, ...chosen.variables });
  const [told, setTold] = useState<ClickLineFragment[]>([]);
  const [asked, setAsked] = useState<Asked>();
  const link = loaded.data?.link;
  const totals = summary.data?.clickSummary;
  const isMissing = loaded.problem?.code === 'NOT_FOUND';
  useTitle(link ? (link.title ?? nameOf(link)) : t.links.title);

  const sumUpSoon = useSoon(() => chosen.isLive && summary.reload());
  const reloadSoon = useSoon(loaded.reload);
  useLive(CLICKED, { linkId: id }, ({ clickRecorded }) => {
    setTold((before) => [clickRecorded, ...before].slice(0, SHOWN_CLICKS));
    sumUpSoon();
    // It may have been one of those that the link has, or tell that the link has begun.
    if (link?.state !== 'ACTIVE' || link.maxClicks !== null) reloadSoon();
  });
  // Clicks that no message told of are in the number.
  useLateBeginning(loaded.reload);
  const count = link?.clickCount;
  const counted = useRef(count);
  useEffect(() => {
    if (counted.current !== undefined && count !== counted.current) sumUpSoon();
    counted.current = count;
  }, [count]);

  const listed = new Set(link?.clicks.data.map((click) => click.id));
  const fresh = told.filter((click) => !listed.has(click.id));
  const clicks = [...fresh, ...(link?.clicks.data ?? [])].slice(0, SHOWN_CLICKS);

  return (
    <>
      {!link && <h1 class="hidden">{t.links.title}</h1>}
      <Panel loaded={loaded} rows={2}>
        {({ link: shown }) => {
          const lastClick = fresh[0]?.clickedAt ?? shown.lastClickedAt;
          const imported = shown.importedClicks ?? 0;
          const clickCount = shown.clickCount + imported + fresh.length;
          return (
            <>
              <header class="page-head link-head">
                <div class="link-title">
                  <h1>{shown.title ?? <ShortName link={shown} />}</h1>
                  {shown.title && (
                    <p class="short-name">
                      <ShortName link={shown} />
                    </p>
                  )}
                  <div class="link-name">
                    <a class="destination" href={shown.destinationUrl} title={shown.destinationUrl} target="_blank" rel="noreferrer">
                      {readable(shown.destinationUrl)}
                    </a>
                    <CopyButton text={shown.destinationUrl} label={t.links.detail.copyDestination} />
                  </div>
                  <p class="muted small facts">
                    <span role="status">{t.clicks(clickCount, formatNumber(clickCount))}</span>
                    {imported > 0 && <span>{importedTold(imported)}</span>}
                    <span>{lastClick ? t.links.detail.lastClick(formatAgo(lastClick)) : t.links.detail.neverClicked}</span>
                    <span>{t.links.detail.created(formatDay(shown.createdAt))}</span>
                    {shown.externalId && (
                      <span>
                        {t.links.texts.externalId}: <code>{shown.externalId}</code>
                      </span>
                    )}
                    {shown.forwardsQuery !== null && <span>{shown.forwardsQuery ? t.links.forwards.does : t.links.forwards.doesNot}</span>}
                    <LiveDot />
                  </p>
                  <LifeFacts link={shown} />
                  {shown.utm && <UtmFacts values={shown.utm} />}
                  <TagChips tags={shown.tags} />
                  {shown.notes && (
                    <section class="notes" aria-label={t.links.texts.notes}>
                      {shown.notes}
                    </section>
                  )}
                </div>
                <div class="link-actions">
                  <Switch
                    label={t.links.row.active(nameOf(shown))}
                    isOn={shown.isActive}
                    onChange={(isOn) => switchLink(shown, isOn)}
                  >
                    {t.links.isActive}
                  </Switch>
                  <CopyButton text={shown.shortUrl} label={t.links.row.copy(nameOf(shown))}>
                    {t.action.copy}
                  </CopyButton>
                  <Button dataKey="e" onClick={() => setAsked('edit')}>
                    {t.action.edit}
                  </Button>
                  <Button onClick={() => setAsked('qr')}>{t.links.qr.title}</Button>
                  <LinkButton href={shown.shortUrl} isExternal>
                    {t.links.detail.open}
                  </LinkButton>
                  <Menu label={t.links.row.actions(nameOf(shown))}>
                    <ArchiveItem link={shown} />
                    <MenuItem icon="trash" kind="danger" isWrite onSelect={() => setAsked('delete')}>
                      {t.action.delete}
                    </MenuItem>
                  </Menu>
                </div>
              </header>
              {asked && (
                <LinkDialog
                  asked={asked}
                  link={shown}
                  onClose={() => setAsked(undefined)}
                  onDone={() => route('/app/links', true)}
                />
              )}
            </>
          );
        }}
      </Panel>
      {!isMissing && (
        <>
          <Picker {...chosen} />
          <Panel loaded={summary} rows={8}>
            {({ clickSummary: sums }) => (
              <section class="card">
                <Figures totals={sums.totals} previous={sums.previous} />
                <Chart
                  series={sums.series}
                  interval={chosen.range.interval}
                  hrefOf={chosen.dayAddress}
                  label={t.analytics.chart(t.clicks(sums.totals.clicks, formatNumber(sums.totals.clicks)), formatDay(sums.from), formatDay(sums.to))}
                />
              </section>
            )}
          </Panel>
        </>
      )}
      {link && (
        <section class="card latest">
          <h2>{t.links.detail.latest}</h2>
          {clicks.length > 0 ? (
            <Clicks clicks={clicks} fresh={new Set(fresh.map((click) => click.id))} />
          ) : (
            <EmptyState icon="chart" title={t.links.detail.noClicks} hint={t.links.detail.noClicksHint} />
          )}
        </section>
      )}
      {totals && totals.totals.clicks > 0 && (
        <div class="grid">
          {DIMENSIONS.map((dimension) => (
            <TopValues key={dimension} dimension={dimension} top={totals.top[dimension]} total={totals.totals.clicks} />
          ))}
        </div>
      )}
    </>
  );
}

export default function LinkDetail() {
  const { params } = useRoute();
  const id = params.id ?? '';
  return <Detail key={id} id={id} />;
}
