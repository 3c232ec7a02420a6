import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { formatDay, formatHour, formatMoment, formatMonth, formatNumber, formatShortDay } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import type { Interval } from '../api/generated/graphql.ts';
import type { Plot } from './plot.ts';
import { Table } from './table.tsx';

export interface Point {
  start: string;
  clicks: number;
  uniques: number;
}

const loadPlot = () => import('./plot.ts');
// Fetched beside the page's data, not after it.
void loadPlot().catch(() => undefined);

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
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | undefined>(undefined);
  const format = FORMATS[interval];
  const open = hrefOf && ((start: string) => route(hrefOf(start)));
  const drawn = useRef({ series, format, open });
  drawn.current = { series, format, open };

  useEffect(() => {
    let isGone = false;
    void loadPlot().then(({ draw }) => {
      if (!isGone) plot.current = draw(host.current!, () => drawn.current);
    });
    return () => {
      isGone = true;
      plot.current?.destroy();
    };
  }, []);
  useEffect(() => plot.current?.update(), [series, interval, t]);

  return (
    <figure class="chart">
      <div ref={host} class={hrefOf ? 'chart-canvas leads-on' : 'chart-canvas'} role="img" aria-label={label} />
      <details>
        <summary>{t.table.show}</summary>
        <Table
          caption={label}
          head={
            <>
              <th scope="col">{t.overview.time}</th>
              <th scope="col" class="number">
                {t.overview.clicks}
              </th>
              <th scope="col" class="number">
                {t.overview.visitors}
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
