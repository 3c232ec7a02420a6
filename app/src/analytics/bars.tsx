import type { ComponentChildren } from 'preact';
import { formatNumber, formatShare } from '../i18n/format.ts';

export interface Bar {
  key: string;
  label: ComponentChildren;
  value: number;
  /** Not one of the values, but what remains: unknown or other ones. It has no length, which would dwarf the others. */
  isRest?: boolean;
}

/** A list whose lengths are drawn behind its words. `total` is what 100 % are. */
export function Bars({ bars, total }: { bars: Bar[]; total: number }) {
  const longest = Math.max(1, ...bars.filter(({ isRest }) => !isRest).map(({ value }) => value));
  return (
    <ol class="bars">
      {bars.map(({ key, label, value, isRest }) => (
        <li key={key} class={isRest ? 'rest' : undefined} style={isRest ? undefined : { '--share': value / longest }}>
          <span class="bar-label">
            <bdi>{label}</bdi>
          </span>
          <span class="bar-share muted">{total > 0 && formatShare(value / total)}</span>
          <span class="bar-value">{formatNumber(value)}</span>
        </li>
      ))}
    </ol>
  );
}
