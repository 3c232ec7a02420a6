import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatCompact, formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';

export interface Point {
  start: string;
  clicks: number;
  uniques: number;
}

interface PlotProps {
  series: Point[];
  format: { axis(at: number): string; full(at: number): string };
  /** What the picture shows, in words. */
  label: string;
  /** Shows more about the point that was clicked. */
  open?: (start: string) => void;
}

/** Between the lines of the grid: there are no half clicks. */
const WHOLE_STEPS = Array.from({ length: 9 }, (_, zeros) => [1, 2, 5].map((step) => step * 10 ** zeros)).flat();

/** The width of an element, and how many pixels one is where the text of the page has its usual size. */
function useSize() {
  const host = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, scale: 1 });
  useLayoutEffect(() => {
    const measure = () => {
      const scale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
      setSize({ width: host.current!.clientWidth, scale });
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(host.current!);
    return () => resized.disconnect();
  }, []);
  return { host, ...size };
}

/** Two lines over time, and the numbers of the point that is pointed at. */
export function Plot({ series, format, label, open }: PlotProps) {
  const { host, width, scale } = useSize();
  const [near, setNear] = useState<number>();
  const [left, right, top, bottom] = [44 * scale, width - 8, 8, 192 * scale];

  const times = series.map(({ start }) => Date.parse(start));
  const first = times[0] ?? 0;
  const span = (times.at(-1) ?? 0) - first;
  const x = (at: number) => (span > 0 ? left + ((times[at]! - first) / span) * (right - left) : (left + right) / 2);
  const most = Math.max(4, Math.ceil(Math.max(0, ...series.flatMap(({ clicks, uniques }) => [clicks, uniques])) * 1.1));
  const y = (value: number) => bottom - (value / most) * (bottom - top);
  const line = (value: (point: Point) => number) => series.map((point, at) => `${at ? 'L' : 'M'}${x(at)} ${y(value(point))}`).join('');
  const clicks = line((point) => point.clicks);

  const step = WHOLE_STEPS.find((each) => (each / most) * (bottom - top) >= 30 * scale) ?? most;
  const rows = Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step);
  const every = Math.max(1, Math.ceil((90 * scale * (series.length - 1)) / (right - left)));

  const nearest = ({ clientX }: MouseEvent): number | undefined => {
    const pointed = clientX - host.current!.getBoundingClientRect().left;
    const distances = series.map((_, at) => Math.abs(x(at) - pointed));
    return series.length > 0 ? distances.indexOf(Math.min(...distances)) : undefined;
  };
  const point = near === undefined ? undefined : series[near];
  return (
    <div ref={host} class={open ? 'chart-canvas leads-on' : 'chart-canvas'} role="img" aria-label={label}>
      {width > 0 && (
        <svg aria-hidden="true" width={width} height={220 * scale}>
          {rows.map((value) => (
            <g key={value}>
              <path class="chart-row" d={`M${left} ${y(value)}H${right}`} />
              <text x={left - 6} y={y(value)} dy="0.35em" text-anchor="end">
                {formatCompact(value)}
              </text>
            </g>
          ))}
          {times.map((at, index) =>
            index % every === 0 ? (
              <text key={at} x={Math.min(x(index), right - 24 * scale)} y={bottom + 20 * scale} text-anchor="middle">
                {format.axis(at)}
              </text>
            ) : null,
          )}
          {series.length > 0 && <path class="chart-area" d={`${clicks}L${x(series.length - 1)} ${bottom}L${x(0)} ${bottom}Z`} />}
          <path class="chart-clicks" d={clicks} />
          <path class="chart-uniques" d={line((each) => each.uniques)} />
          {series.length < 3 && series.map((each, at) => <circle key={each.start} class="chart-dot" cx={x(at)} cy={y(each.clicks)} r="3" />)}
          {point && (
            <>
              <path class="chart-cursor" d={`M${x(near!)} ${top}V${bottom}`} />
              <circle class="chart-dot" cx={x(near!)} cy={y(point.clicks)} r="3.5" />
              <circle class="chart-dot uniques" cx={x(near!)} cy={y(point.uniques)} r="3.5" />
            </>
          )}
          {/* Whoever can't point has the table. */}
          <rect
            class="chart-over"
            x={left}
            y={top}
            width={Math.max(0, right - left)}
            height={bottom - top}
            onPointerMove={(event) => setNear(nearest(event))}
            onPointerLeave={() => setNear(undefined)}
            onClick={(event) => {
              const clicked = nearest(event);
              if (clicked !== undefined) open?.(series[clicked]!.start);
            }}
          />
        </svg>
      )}
      {point && (
        <div class="chart-tip" style={{ left: `${Math.min(Math.max(x(near!), left + 70), right - 70)}px` }}>
          <div>{format.full(times[near!]!)}</div>
          <div>
            {t.analytics.clicks} {formatNumber(point.clicks)}
          </div>
          <div>
            {t.analytics.visitors} {formatNumber(point.uniques)}
          </div>
        </div>
      )}
    </div>
  );
}
