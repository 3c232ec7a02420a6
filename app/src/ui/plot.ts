// The part of the chart that needs uPlot; loaded when the first chart is on the page.
import uPlot from 'uplot';
import { formatCompact, formatNumber, timeZone } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import type { Point } from './chart.tsx';

interface Drawn {
  series: Point[];
  format: { axis(at: number): string; full(at: number): string };
  /** Shows more about the point that was clicked. */
  open?: (start: string) => void;
}

export interface Plot {
  update(): void;
  destroy(): void;
}

/** Between the lines of the grid: there are no half clicks. */
const WHOLE_STEPS = Array.from({ length: 9 }, (_, zeros) => [1, 2, 5].map((step) => step * 10 ** zeros)).flat();

const columns = (series: Point[]): uPlot.AlignedData => [
  series.map(({ start }) => Date.parse(start) / 1000),
  series.map(({ clicks }) => clicks),
  series.map(({ uniques }) => uniques),
];

function tooltip(drawn: () => Drawn): uPlot.Plugin {
  const box = document.createElement('div');
  box.className = 'chart-tip';
  box.hidden = true;
  return {
    hooks: {
      init(plot) {
        plot.over.append(box);
        plot.over.addEventListener('click', () => {
          const { series, open } = drawn();
          const point = plot.cursor.idx == null ? undefined : series[plot.cursor.idx];
          if (point) open?.(point.start);
        });
      },
      setCursor(plot) {
        const { series, format } = drawn();
        const { idx, left = 0 } = plot.cursor;
        const point = idx == null || left < 0 ? undefined : series[idx];
        box.hidden = !point;
        if (!point) return;
        const lines = [
          format.full(Date.parse(point.start)),
          `${t.overview.clicks} ${formatNumber(point.clicks)}`,
          `${t.overview.visitors} ${formatNumber(point.uniques)}`,
        ];
        box.replaceChildren(
          ...lines.map((text) => {
            const line = document.createElement('div');
            line.textContent = text;
            return line;
          }),
        );
        box.style.left = `${Math.min(Math.max(left, 70), plot.over.clientWidth - 70)}px`;
      },
    },
  };
}

/** Draws what `drawn` answers, in the colours and the width of its place, and follows both. */
export function draw(host: HTMLElement, drawn: () => Drawn): Plot {
  const colour = (name: string) => getComputedStyle(host).getPropertyValue(name).trim();
  // Custom properties with `light-dark()` are texts; only a used colour is one that a canvas understands.
  const used = (name: string) => {
    host.style.color = `var(${name})`;
    const value = getComputedStyle(host).color;
    host.style.color = '';
    return value;
  };
  /** So many pixels where the text of the page has its usual size, in proportion elsewhere. */
  const scaled = (pixels: number) => (pixels * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)) / 16;
  const font = () => `${scaled(12)}px ${colour('--font')}`;
  const size = () => ({ width: host.clientWidth, height: scaled(220) });
  let plot: uPlot;

  function make() {
    const grid = { stroke: used('--line'), width: 1 };
    // Where colours are forced, a wash is as strong as a line.
    const fill = matchMedia('(forced-colors: active)').matches ? undefined : used('--accent-wash');
    const axis = { stroke: used('--muted'), grid, ticks: { show: false }, font: font() };
    plot?.destroy();
    plot = new uPlot(
      {
        ...size(),
        tzDate: (at) => uPlot.tzDate(new Date(at * 1000), timeZone()),
        legend: { show: false },
        padding: [8, 8, 0, 0],
        cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
        scales: { y: { range: (_plot, _min, max) => [0, Math.max(4, Math.ceil(max * 1.1))] } },
        axes: [
          {
            ...axis,
            grid: { show: false },
            size: scaled(28),
            space: scaled(90),
            values: (_plot, ticks) => ticks.map((at) => drawn().format.axis(at * 1000)),
          },
          { ...axis, size: scaled(44), incrs: WHOLE_STEPS, values: (_plot, ticks) => ticks.map(formatCompact) },
        ],
        series: [
          {},
          { stroke: used('--accent'), width: 2, fill, points: { show: drawn().series.length < 3 } },
          { stroke: used('--muted'), width: 1, dash: [3, 3], points: { show: false } },
        ],
        plugins: [tooltip(drawn)],
      },
      columns(drawn().series),
      host,
    );
  }

  make();
  let width = host.clientWidth;
  const resized = new ResizeObserver(() => {
    if (host.clientWidth === width) return;
    width = host.clientWidth;
    plot.setSize(size());
  });
  resized.observe(host);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', make);
  const themed = new MutationObserver(make);
  themed.observe(document.documentElement, { attributeFilter: ['data-theme', 'lang'] });

  return {
    update: make,
    destroy() {
      resized.disconnect();
      themed.disconnect();
      dark.removeEventListener('change', make);
      plot.destroy();
    },
  };
}
