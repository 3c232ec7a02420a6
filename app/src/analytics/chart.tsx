import { useLocation } from 'preact-iso/router';
import { t } from '../i18n/index.ts';
import type { Interval } from '../api/generated/graphql.ts';
import { FORMATS, type Note, Plot, type Point, progressOf } from './plot.tsx';
import { Fold } from '../ui/fold.tsx';
import { Points } from './opened.ts';

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
  const { begun, unfinished } = progressOf(series, to, Date.now());
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
