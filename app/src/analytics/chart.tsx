import { useLocation } from 'preact-iso/router';
import { formatDay, formatHour, formatMoment, formatMonth, formatShortDay } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import type { Interval } from '../api/generated/graphql.ts';
import { type Note, Plot, type Point } from './plot.tsx';
import { Fold } from '../ui/fold.tsx';
import { Points } from './opened.ts';

const FORMATS: Record<Interval, { axis: (at: number) => string; full: (at: number) => string }> = {
  HOUR: { axis: formatHour, full: formatMoment },
  DAY: { axis: formatShortDay, full: formatDay },
  WEEK: { axis: formatShortDay, full: formatDay },
  MONTH: { axis: formatMonth, full: formatMonth },
};

interface ChartProps {
  series: Point[];
  notes: Note[];
  interval: Interval;
  /** When the series ends; null is now. */
  to: string | null;
  label: string;
  /** The address of more about a point. */
  hrefOf?: (start: string) => string;
}

/** Clicks and visitors over time: a picture for the eye, and the table behind it for everybody. */
export function Chart({ series, notes, interval, to, label, hrefOf }: ChartProps) {
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
      <Plot series={series} notes={notes} format={format} label={label} begun={begun} unfinished={unfinished} open={open} />
      {unfinished < begun && <p class="muted small chart-note">{t.analytics.unfinished[interval]}</p>}
      <Fold
        label={t.table.show}
        content={() => <Points series={series.slice(0, begun)} unfinished={unfinished} label={label} format={format.full} hrefOf={hrefOf} />}
      />
    </figure>
  );
}
