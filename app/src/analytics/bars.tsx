import type { ComponentChildren } from 'preact';
import { formatNumber, formatShare } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';

export interface Bar {
  key: string;
  label: ComponentChildren;
  value: number;
  /** Not one of the values, but what remains: unknown or other ones. It has no length, which would dwarf the others. */
  isRest?: boolean;
  /** The address of the clicks that are counted here alone. */
  href?: string;
  /** What else can be pressed. */
  more?: ComponentChildren;
}

/** A list whose lengths are drawn behind its words. `total` is what 100 % are. */
export function Bars({ bars, total }: { bars: Bar[]; total: number }) {
  const longest = Math.max(1, ...bars.filter(({ isRest }) => !isRest).map(({ value }) => value));
  return (
    <ol class="bars">
      {bars.map(({ key, label, value, isRest, href, more }) => (
        <li key={key} class={isRest ? 'rest' : undefined} style={isRest ? undefined : { '--share': value / longest }}>
          <span class="bar-label">
            {href ? (
              <a href={href} title={t.analytics.only}>
                <bdi>{label}</bdi>
              </a>
            ) : (
              <bdi>{label}</bdi>
            )}
          </span>
          {more}
          <span class="bar-share muted">{total > 0 && formatShare(value / total)}</span>
          <span class="bar-value">{formatNumber(value)}</span>
        </li>
      ))}
    </ol>
  );
}
