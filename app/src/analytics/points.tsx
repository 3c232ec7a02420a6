import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Table } from '../ui/table.tsx';
import type { Point } from './plot.tsx';

interface PointsProps {
  /** Those that have begun, the earliest first. */
  series: Point[];
  /** The place of the one whose numbers still grow. */
  unfinished: number;
  label: string;
  format: (at: number) => string;
  hrefOf?: (start: string) => string;
}

/** The points of a chart as a table, the latest first. */
export function Points({ series, unfinished, label, format, hrefOf }: PointsProps) {
  return (
    <Table
      caption={label}
      head={
        <>
          <th scope="col">{t.reportForms.time}</th>
          <th scope="col" class="number">
            {t.analytics.clicks}
          </th>
          <th scope="col" class="number">
            {t.analytics.visitors}
          </th>
        </>
      }
    >
      {series.toReversed().map(({ start, clicks, uniques }, at) => (
        <tr key={start}>
          <th scope="row">
            {hrefOf ? <a href={hrefOf(start)}>{format(Date.parse(start))}</a> : format(Date.parse(start))}
            {series.length - 1 - at >= unfinished && <span class="muted"> ({t.reportForms.soFar})</span>}
          </th>
          <td class="number">{formatNumber(clicks)}</td>
          <td class="number">{formatNumber(uniques)}</td>
        </tr>
      ))}
    </Table>
  );
}
