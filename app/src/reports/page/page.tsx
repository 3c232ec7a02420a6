import type { TargetedSubmitEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Bar, Bars } from '../../analytics/bars.tsx';
import type { Dimension } from '../../analytics/conditions.ts';
import { FORMATS, Plot, progressOf } from '../../analytics/plot.tsx';
import { Points } from '../../analytics/points.tsx';
import { READ, unknownOf } from '../../analytics/values.ts';
import { clock } from '../../i18n/clock.ts';
import { formatChange, formatDay, formatMinute, formatNumber, formatSpan, formatWait, zone } from '../../i18n/format.ts';
import { Fold } from '../../ui/fold.tsx';
import { ConditionWords } from '../condition.tsx';
import { PANELS, panelTitle } from '../panels.ts';
import { ask, type Failure, type PanelValue, type Report } from './answer.ts';
import { t } from './language.ts';

/** An address of the web as it is read. */
const readable = (url: string): string => url.replace(/^https?:\/\//, '').replace(/\/$/, '');

/** An address that the reader may follow, apart from the page in which the report may be. */
function Destination({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return <span dir="auto">{url}</span>;
  return (
    <a href={url} title={url} dir="auto" target="_blank" rel="noreferrer">
      {readable(url)}
    </a>
  );
}

/** The time of a report, which hours belong to unless it begins with a day. */
function Span({ from, to, timeZone }: Report) {
  const begins = clock(new Date(from));
  const hasTimes = begins.getUTCHours() + begins.getUTCMinutes() > 0;
  return (
    <p class="muted">
      <span>{formatSpan(from, to, hasTimes)}</span> <span>({t.report.zone(timeZone.replaceAll('_', ' '))})</span>
    </p>
  );
}

function Conditions({ conditions, includeBots }: Report) {
  if (conditions.length === 0 && !includeBots) return null;
  return (
    <ul class="filter-chips" aria-label={t.reportForms.conditions}>
      {conditions.map(({ dimension: name, ...condition }, at) => {
        const dimension = name.toLowerCase() as Dimension;
        return (
          <li key={at} class="chip">
            <ConditionWords condition={{ dimension, ...condition }} read={dimension === 'link' ? readable : undefined} />
          </li>
        );
      })}
      {includeBots && <li class="chip">{t.analytics.withBots}</li>}
    </ul>
  );
}

function Figure({ label, value, change }: { label: string; value: number; change: number | null }) {
  const tone = change ? (change > 0 ? 'up' : 'down') : '';
  return (
    <div class="figure">
      <dt>{label}</dt>
      <dd>
        <strong>{formatNumber(value)}</strong>
        {/* Nothing is said of nothing. */}
        {change !== null && <span class={`change ${tone}`}>{t.report.change(formatChange(change))}</span>}
        {change === null && value > 0 && <span class="change">{t.analytics.noChange}</span>}
      </dd>
    </div>
  );
}

function Chart({ series, interval, from, to, generatedAt, totals }: Report) {
  const made = Date.parse(generatedAt);
  const { begun, unfinished } = progressOf(series, Date.parse(to) < made ? to : null, made);
  const label = t.analytics.chart(t.clicks(totals.clicks, formatNumber(totals.clicks)), formatDay(from), formatDay(Date.parse(to) - 1));
  const format = FORMATS[interval];
  return (
    <figure class="chart">
      <Plot series={series} notes={[]} format={format} label={label} begun={begun} unfinished={unfinished} />
      {unfinished < begun && <p class="muted small chart-note">{t.analytics.unfinished[interval]}</p>}
      <Fold label={t.table.show} content={() => <Points series={series.slice(0, begun)} unfinished={unfinished} label={label} format={format.full} />} />
    </figure>
  );
}

/** A link of a panel: its title or its short URL, and where it leads to, if that is told. */
function LinkValue({ value, title, destinationUrl }: PanelValue) {
  return (
    <>
      <bdi>{title ?? readable(value)}</bdi>
      {destinationUrl && (
        <span class="muted small">
          {' → '}
          <Destination url={destinationUrl} />
        </span>
      )}
    </>
  );
}

function PanelCard({ panel, values, unknown, other, total }: Report['panels'][number] & { total: number }) {
  const [dimension] = PANELS[panel];
  const read = READ[dimension] ?? String;
  const bars: Bar[] = values.map((each) => ({ key: each.value, value: each.clicks, label: dimension === 'link' ? <LinkValue {...each} /> : read(each.value) }));
  // Not the values' keys, which may be any text.
  if (unknown > 0) bars.push({ key: '\u0000unknown', label: unknownOf(dimension), value: unknown, isRest: true });
  if (other > 0) bars.push({ key: '\u0000other', label: t.analytics.other, value: other, isRest: true });
  return (
    <section class="card top-values">
      <h2>{panelTitle(panel, t)}</h2>
      {bars.length > 0 ? <Bars bars={bars} total={total} /> : <p class="muted">{t.report.nothing}</p>}
    </section>
  );
}

function Shown({ report }: { report: Report }) {
  const { name, link, totals, change, panels, generatedAt, isExact } = report;
  return (
    <>
      <header class="report-head">
        <h1 dir="auto">{name}</h1>
        {link ? (
          <p>
            {link.title && (
              <>
                <strong dir="auto">{link.title}</strong>{' '}
              </>
            )}
            <bdi>{readable(link.shortUrl)}</bdi>
            {link.destinationUrl && (
              <>
                {' → '}
                <Destination url={link.destinationUrl} />
              </>
            )}
          </p>
        ) : (
          <p>{t.report.allLinks}</p>
        )}
        <Span {...report} />
        <Conditions {...report} />
      </header>
      <section class="card">
        <dl class="figures">
          <Figure label={t.analytics.clicks} value={totals.clicks} change={change.clicks} />
          <Figure label={t.analytics.visitors} value={totals.uniques} change={change.uniques} />
        </dl>
        <Chart {...report} />
      </section>
      {!isExact && <p class="muted small">{t.reportForms.notExact}</p>}
      {totals.clicks === 0 ? (
        <p class="muted">{t.analytics.empty}</p>
      ) : (
        <div class="grid halves">
          {panels.map((panel) => (
            <PanelCard key={panel.panel} {...panel} total={totals.clicks} />
          ))}
        </div>
      )}
      <footer class="muted small">
        {t.report.made(formatMinute(generatedAt))} · {t.app}
      </footer>
    </>
  );
}

/** The password of the page, which each visit sends again. */
function Asked({ isWrong, open }: { isWrong: boolean; open(password: string): void }) {
  function send(event: TargetedSubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    open(String(new FormData(event.currentTarget).get('password')));
  }
  return (
    <form class="state" onSubmit={send}>
      <h1>{t.report.asked}</h1>
      {isWrong && <p role="alert">{t.report.wrong}</p>}
      <p>
        <label>
          {t.report.password} <input name="password" type="password" autocomplete="off" required />
        </label>
      </p>
      <button type="submit" class="button primary">
        {t.report.open}
      </button>
    </form>
  );
}

function Failed({ failure, retry }: { failure: Failure; retry(password?: string): void }) {
  if (failure.reason === 'asked' || failure.reason === 'wrong') return <Asked isWrong={failure.reason === 'wrong'} open={retry} />;
  const hint = failure.reason === 'limited' ? t.report.limitedHint(formatWait(failure.wait)) : t.report[`${failure.reason}Hint`];
  const isFinal = failure.reason === 'missing' || failure.reason === 'tooLarge';
  return (
    <div class="state error" role="alert">
      <h1>{t.report[failure.reason]}</h1>
      <p>{hint}</p>
      {!isFinal && (
        <button type="button" class="button" onClick={() => retry()}>
          {t.action.retry}
        </button>
      )}
    </div>
  );
}

export function ReportPage({ isEmbedded }: { isEmbedded: boolean }) {
  const [report, setReport] = useState<Report>();
  const [failure, setFailure] = useState<Failure>();
  const [isAsked, setAsked] = useState(false);
  const password = useRef<string | undefined>(undefined);
  const load = async (entered?: string) => {
    password.current = entered ?? password.current;
    setAsked(true);
    const answer = await ask(password.current);
    setAsked(false);
    if ('failure' in answer) {
      setFailure(answer.failure);
      document.title = t.report[answer.failure.reason];
      return;
    }
    // Times are those of the report's zone, not of the reader's.
    zone.value = answer.report.timeZone;
    setFailure(undefined);
    setReport(answer.report);
    document.title = answer.report.name;
  };
  useEffect(() => void load(), []);
  return (
    <main class={isEmbedded ? 'report embedded' : 'report'} aria-busy={isAsked}>
      {failure && <Failed failure={failure} retry={(entered) => void load(entered)} />}
      {!failure && report && <Shown report={report} />}
      {!failure && !report && (
        <p class="muted" role="status">
          {t.loading}
        </p>
      )}
    </main>
  );
}
