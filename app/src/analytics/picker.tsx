import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { formatSpan, timeZone } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { LinkButton } from '../ui/button.tsx';
import { Icon } from '../ui/icons.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { addressOf, dayAfter, dayOf, PERIODS, type Range, rangeOf, type View, viewOf, withBots } from './period.ts';

export interface Chosen {
  view: View;
  range: Range;
  /** Variables of the query for a summary. */
  variables: Range & { timeZone: string; includeBots: boolean };
  /** Whether a click of this moment is in it. */
  isLive: boolean;
  /** The address of the day in which a time is; none where the parts of the series are no days. */
  dayAddress?: (at: string) => string;
}

/** The time and the clicks that the page's address chooses. */
export function useView(): Chosen {
  const { path, query } = useLocation();
  const view = viewOf(query);
  const range = useMemo(() => rangeOf(view), [view.period, view.back, view.day]);
  return {
    view,
    range,
    variables: { ...range, timeZone: timeZone(), includeBots: view.bots },
    isLive: range.to === null || Date.parse(range.to) > Date.now(),
    dayAddress: range.interval === 'DAY' ? (at) => addressOf(path, { ...view, day: dayOf(at) }) : undefined,
  };
}

/** Chooses them, by keys too: `d w m y`, and the arrows for the period before and after. What can be done with the report follows. */
export function Picker({ view, range, children }: Chosen & { children?: ComponentChildren }) {
  const { path, route } = useLocation();
  const address = (change: Partial<View>) => addressOf(path, { ...view, ...change });
  const { back, day } = view;
  const shift = (steps: number) => address(day ? { day: dayAfter(day, steps) } : { back: back - steps });
  const isLast = day ? day >= dayOf(Date.now()) : back === 0;
  return (
    <div class="picker">
      <Tabs
        label={t.analytics.period}
        current={day ? undefined : view.period}
        tabs={PERIODS.map((id) => ({
          id,
          label: t.analytics.periods[id],
          href: address({ period: id, back: 0, day: undefined }),
          dataKey: id.slice(0, 1),
        }))}
      />
      <nav class="span" tabIndex={-1} aria-label={t.analytics.shift}>
        <LinkButton
          kind="quiet"
          icon="left"
          label={t.analytics.earlier}
          href={shift(-1)}
          dataKey="ArrowLeft"
        />
        <span>{formatSpan(range.from, range.to, !day && view.period === 'day')}</span>
        {isLast ? (
          <span class="button quiet icon-only" aria-disabled="true">
            <Icon name="right" />
          </span>
        ) : (
          <LinkButton kind="quiet" icon="right" label={t.analytics.later} href={shift(1)} dataKey="ArrowRight" />
        )}
      </nav>
      <label class="choose">
        <input
          type="checkbox"
          role="switch"
          class="switch"
          checked={view.bots}
          onChange={() => {
            withBots.value = view.bots ? 'no' : 'yes';
            route(address({ bots: !view.bots }));
          }}
        />
        {t.analytics.withBots}
      </label>
      <span class="print-only">{view.bots ? t.analytics.withBots : t.analytics.withoutBots}</span>
      {children}
    </div>
  );
}
