import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Interval } from '../api/generated/graphql.ts';
import { formatDay, formatHour, formatMoment, formatMonth, formatNumber, formatShortDay } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';

export interface Point {
  start: string;
  clicks: number;
  uniques: number;
}

export interface Note {
  id: string;
  occurredAt: string;
  text: string;
}

interface PlotProps {
  series: Point[];
  /** What happened in this time. */
  notes: Note[];
  format: { axis(at: number): string; full(at: number): string };
  /** What the picture shows, in words. */
  label: string;
  /** How many points have begun. Only they are drawn. */
  begun: number;
  /** The point whose numbers still grow; `begun` where all are final. */
  unfinished: number;
  /** Shows more about the point that was clicked. */
  open?: (start: string) => void;
}

export const FORMATS: Record<Interval, PlotProps['format']> = {
  HOUR: { axis: formatHour, full: formatMoment },
  DAY: { axis: formatShortDay, full: formatDay },
  WEEK: { axis: formatShortDay, full: formatDay },
  MONTH: { axis: formatMonth, full: formatMonth },
};

/** How much of a series is over. `to`: when it ends; null is now. */
export function progressOf(series: Point[], to: string | null, now: number): Pick<PlotProps, 'begun' | 'unfinished'> {
  const end = (at: number) => Date.parse(series[at + 1]?.start ?? to ?? '9999-12-31');
  // Of a day that is not over, the series has the hours to come.
  const begun = series.filter(({ start }) => Date.parse(start) <= now).length;
  return { begun, unfinished: begun > 0 && end(begun - 1) > now ? begun - 1 : begun };
}

/** Between the lines of the grid: there are no half clicks. */
const WHOLE_STEPS = Array.from({ length: 9 }, (_, zeros) => [1, 2, 5].map((step) => step * 10 ** zeros)).flat();
/** Pixels between the edges of a sheet of A4, within its margins and those of a card. */
const PAPER = 670;

/** The width of an element, and how many pixels one is where the text of the page has its usual size. */
function useSize() {
  const host = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, scale: 1 });
  useLayoutEffect(() => {
    const measure = () => {
      const scale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
      setSize({ width: host.current!.clientWidth, scale });
    };
    // A page that is printed is measured by nobody: its styles fit the picture to the sheet, and this its letters to the others.
    const beforePrint = () => setSize({ width: PAPER, scale: 1 });
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(host.current!);
    addEventListener('beforeprint', beforePrint);
    addEventListener('afterprint', measure);
    return () => {
      resized.disconnect();
      removeEventListener('beforeprint', beforePrint);
      removeEventListener('afterprint', measure);
    };
  }, []);
  return { host, ...size };
}

/** Two lines over time, and the numbers of the point that is pointed at, touched, or chosen by the arrow keys. */
export function Plot({ series, notes, format, label, begun, unfinished, open }: PlotProps) {
  const { host, width, scale } = useSize();
  const [chosen, setNear] = useState<number>();
  // They may have become those of another time.
  const near = chosen !== undefined && chosen < begun ? chosen : undefined;
  const hand = useRef('');

  const most = Math.max(4, Math.ceil(Math.max(0, ...series.flatMap(({ clicks, uniques }) => [clicks, uniques])) * 1.1));
  const [top, bottom] = [8, 192 * scale];
  const y = (value: number) => bottom - (value / most) * (bottom - top);
  const step = WHOLE_STEPS.find((each) => (each / most) * (bottom - top) >= 30 * scale) ?? most;
  const rows = Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step);

  const [left, right] = [(16 + 7 * formatNumber(rows.at(-1)!).length) * scale, width - 8];
  const times = series.map(({ start }) => Date.parse(start));
  const first = times[0] ?? 0;
  const span = (times.at(-1) ?? 0) - first;
  const x = (at: number) => (span > 0 ? left + ((times[at]! - first) / span) * (right - left) : (left + right) / 2);
  const upright = (at: number) => `M${x(at)} ${top}V${bottom}`;
  /** The notes of a point, up to the next one. */
  const noted = (at: number) => notes.filter(({ occurredAt }) => times.findLastIndex((time) => time <= Date.parse(occurredAt)) === at).map(({ text }) => text);
  const every = Math.max(1, Math.ceil((90 * scale * (series.length - 1)) / (right - left)));

  /** The line from one point to another. */
  const line = (value: (point: Point) => number, from = 0, to = begun) =>
    series
      .slice(from, to)
      .map((point, at) => `${at ? 'L' : 'M'}${x(from + at)} ${y(value(point))}`)
      .join('');
  const clicks = (point: Point) => point.clicks;
  const last = begun - 1;

  const nearest = ({ clientX }: MouseEvent): number => {
    const pointed = clientX - host.current!.getBoundingClientRect().left;
    const distances = series.slice(0, begun).map((_, at) => Math.abs(x(at) - pointed));
    return distances.indexOf(Math.min(...distances));
  };
  const point = near === undefined ? undefined : series[near];
  const told = ({ start, clicks: count, uniques }: Point, at: number) => [
    format.full(Date.parse(start)),
    t.clicks(count, formatNumber(count)),
    t.analytics.visits(uniques, formatNumber(uniques)),
    ...noted(at),
  ];
  const forget = () => setNear(undefined);
  return (
    <div ref={host} class={open ? 'chart-canvas leads-on' : 'chart-canvas'}>
      {width > 0 && (
        <svg role="img" aria-label={label} viewBox={`0 0 ${width} ${220 * scale}`} width={width} height={220 * scale}>
          {rows.map((value) => (
            <g key={value}>
              <path class="chart-row" d={`M${left} ${y(value)}H${right}`} />
              <text x={left - 6} y={y(value)} dy="0.35em" text-anchor="end">
                {formatNumber(value)}
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
          {begun > 0 && <path class="chart-area" d={`${line(clicks)}L${x(last)} ${bottom}L${x(0)} ${bottom}Z`} />}
          <path class="chart-clicks" d={line(clicks, 0, unfinished)} />
          <path class="chart-uniques" d={line(({ uniques }) => uniques, 0, unfinished)} />
          {unfinished < begun && (
            <g class="chart-unfinished">
              <path class="chart-clicks" d={line(clicks, Math.max(0, unfinished - 1))} />
              <path class="chart-uniques" d={line(({ uniques }) => uniques, Math.max(0, unfinished - 1))} />
            </g>
          )}
          {begun < 3 && series.slice(0, begun).map((each, at) => <circle key={each.start} class="chart-dot" cx={x(at)} cy={y(each.clicks)} r="3" />)}
          {times.map((time, at) => noted(at)[0] && <path key={time} class="chart-mark" d={upright(at)} />)}
          {point && (
            <g class="chart-near">
              <path class="chart-cursor" d={upright(near!)} />
              <circle class="chart-dot" cx={x(near!)} cy={y(point.clicks)} r="3.5" />
              <circle class="chart-dot uniques" cx={x(near!)} cy={y(point.uniques)} r="3.5" />
            </g>
          )}
        </svg>
      )}
      {width > 0 && begun > 0 && (
        <input
          type="range"
          class="chart-over"
          aria-label={t.analytics.point}
          aria-valuetext={told(series[near ?? last]!, near ?? last).join(', ')}
          min={0}
          max={last}
          value={near ?? last}
          style={{ left: `${left}px`, top: `${top}px`, width: `${begun > 1 ? x(last) - left : right - left}px`, height: `${bottom - top}px` }}
          onInput={(event) => setNear(Number(event.currentTarget.value))}
          onFocus={() => setNear((at) => at ?? last)}
          // Once the next element has the focus: it would come back while elements go (ui/focus.ts).
          onBlur={() => setTimeout(forget)}
          onPointerDown={(event) => {
            hand.current = event.pointerType;
            setNear(nearest(event));
          }}
          // A pointer needs no focus, in which the arrow keys would choose points and not periods.
          onMouseDown={(event) => hand.current === 'mouse' && event.preventDefault()}
          onPointerMove={(event) => setNear(nearest(event))}
          onPointerLeave={(event) => event.pointerType === 'mouse' && forget()}
          onKeyDown={(event) => event.key === 'Enter' && open?.(series[near ?? last]!.start)}
          // A touch only shows the numbers; the table leads further.
          onClick={(event) => hand.current === 'mouse' && open?.(series[nearest(event)]!.start)}
        />
      )}
      {point && (
        <div class="chart-tip" style={{ left: `${Math.min(Math.max(x(near!), left + 70), right - 70)}px` }}>
          {told(point, near!).map((text) => (
            <div key={text}>{text}</div>
          ))}
        </div>
      )}
    </div>
  );
}
