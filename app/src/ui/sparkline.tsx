const WIDTH = 96;
const HEIGHT = 24;
const PAD = 2;

/** The shape of a series. The numbers stand beside it, so it is hidden from screen readers. */
export function Sparkline({ values }: { values: number[] }) {
  const top = Math.max(1, ...values);
  const x = (index: number) => PAD + (index / Math.max(1, values.length - 1)) * (WIDTH - 2 * PAD);
  const y = (value: number) => HEIGHT - PAD - (value / top) * (HEIGHT - 2 * PAD);
  const line = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  const isFlat = values.every((value) => value === 0);
  return (
    <svg class={isFlat ? 'sparkline flat' : 'sparkline'} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {!isFlat && <polygon points={`${PAD},${HEIGHT - PAD} ${line} ${WIDTH - PAD},${HEIGHT - PAD}`} />}
      <polyline points={line} />
    </svg>
  );
}
