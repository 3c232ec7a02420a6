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
  label: string;
  /** The address of more about a point. */
  hrefOf?: (start: string) => string;
}

/** Clicks and visitors over time: a picture for the eye, and the table behind it for everybody. */
export function Chart({ series, interval, label, hrefOf }: ChartProps) {
  const { route } = useLocation();
  const format = FORMATS[interval];
  const open = hrefOf && ((start: string) => route(hrefOf(start)));
  return (
    <figure class="chart">
      <Plot series={series} format={format} label={label} open={open} />
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
          {series.toReversed().map(({ start, clicks, uniques }) => (
            <tr key={start}>
              <th scope="row">
                {hrefOf ? <a href={hrefOf(start)}>{format.full(Date.parse(start))}</a> : format.full(Date.parse(start))}
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
