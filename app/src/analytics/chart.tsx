import { useLocation } from 'preact-iso/router';
import { formatDay, formatHour, formatMoment, formatMonth, formatNumber, formatShortDay } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import type { Interval } from '../api/generated/graphql.ts';
import { Plot, type Point } from './plot.tsx';
import { Table } from '../ui/table.tsx';

const FORMATS: Record<Interval, { axis: (at: number) => string; full: (at: number) => string }> = {
  HOUR: { axis: formatHour, full: formatMoment },
  DAY: { axis: formatShortDay, full: formatDay },
  WEEK: { axis: formatShortDay, full: formatDay },
  MONTH: { axis: formatMonth, full: formatMonth },
};

interface ChartProps {
  series: Point[];
  interval: Interval;
  /** When the series ends; null is now. */
  to: string | null;
  label: string;
  /** The address of more about a point. */
  hrefOf?: (start: string) => string;
}

/** Clicks and visitors over time: a picture for the eye, and the table behind it for everybody. */
export function Chart({ series, interval, to, label, hrefOf }: ChartProps) {
  const { route } = useLocation();
  const format = FORMATS[interval];
  const end = (at: number) => Date.parse(series[at + 1]?.start ?? to ?? '9999-12-31');
  const now = Date.now();
  // Of a day that is not over, the series has the hours to come.
  const begun = series.filter(({ start }) => Date.parse(start) <= now).length;
  const unfinished = begun > 0 && end(begun - 1) > now ? begun - 1 : begun;
  const open = hrefOf && ((start: string) => route(hrefOf(start)));
  return (
    <figure class="chart">
      <Plot series={series} format={format} label={label} begun={begun} unfinished={unfinished} open={open} />
      {unfinished < begun && <p class="muted small chart-note">{t.analytics.unfinished[interval]}</p>}
      <details>
        <summary>{t.table.show}</summary>
        <Table
          caption={label}
          head={
            <>
              <th scope="col">{t.analytics.time}</th>
              <th scope="col" class="number">
                {t.analytics.clicks}
              </th>
              <th scope="col" class="number">
                {t.analytics.visitors}
              </th>
            </>
          }
        >
          {series.slice(0, begun).toReversed().map(({ start, clicks, uniques }, at) => (
            <tr key={start}>
              <th scope="row">
                {hrefOf ? <a href={hrefOf(start)}>{format.full(Date.parse(start))}</a> : format.full(Date.parse(start))}
                {begun - 1 - at >= unfinished && <span class="muted"> ({t.analytics.soFar})</span>}
              </th>
              <td class="number">{formatNumber(clicks)}</td>
              <td class="number">{formatNumber(uniques)}</td>
            </tr>
          ))}
        </Table>
      </details>
    </figure>
  );
}
