import { useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { formatSpan, timeZone } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { LinkButton } from '../ui/button.tsx';
import { Icon } from '../ui/icons.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { addressOf, PERIODS, type Range, rangeOf, type View, viewOf } from './period.ts';

interface Chosen {
  view: View;
  range: Range;
  /** What a summary is asked for. */
  variables: Range & { timeZone: string; includeBots: boolean };
}

/** The time and the clicks that the page's address chooses. */
export function useView(): Chosen {
  const { query } = useLocation();
  const view = viewOf(query);
  const range = useMemo(() => rangeOf(view), [view.period, view.back]);
  return { view, range, variables: { ...range, timeZone: timeZone(), includeBots: view.withBots } };
}

/** Chooses them, by keys too: `d w m y`, and the arrows for the period before and after. */
export function Picker({ view, range }: Chosen) {
  const { path, route } = useLocation();
  const address = (change: Partial<View>) => addressOf(path, { ...view, ...change });
  return (
    <div class="picker">
      <Tabs
        label={t.overview.period}
        current={view.period}
        tabs={PERIODS.map((id) => ({
          id,
          label: t.overview.periods[id],
          href: address({ period: id, back: 0 }),
          dataKey: id.slice(0, 1),
        }))}
      />
      <nav class="span" aria-label={t.overview.shift}>
        <LinkButton
          kind="quiet"
          icon="left"
          label={t.overview.earlier}
          href={address({ back: view.back + 1 })}
          dataKey="ArrowLeft"
        />
        <span>{formatSpan(range.from, range.to, view.period === 'day')}</span>
        {view.back > 0 ? (
          <LinkButton
            kind="quiet"
            icon="right"
            label={t.overview.later}
            href={address({ back: view.back - 1 })}
            dataKey="ArrowRight"
          />
        ) : (
          <span class="button quiet icon-only" aria-disabled="true">
            <Icon name="right" />
          </span>
        )}
      </nav>
      <label class="choose">
        <input
          type="checkbox"
          role="switch"
          class="switch"
          checked={!view.withBots}
          onChange={() => route(address({ withBots: !view.withBots }))}
        />
        {t.overview.withoutBots}
      </label>
    </div>
  );
}
