import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { ClickCondition } from '../api/generated/graphql.ts';
import { formatSpan, timeZone } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { onDemand } from '../shell/lazy.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { useDialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { asInput, conditionsOf, type Dimension, turned, withCondition, withoutCondition } from './conditions.ts';
import type { Ways } from './figures.tsx';
import {
  addressOf,
  compared,
  type Comparison,
  COMPARISONS,
  dayOf,
  daysIn,
  daysOf,
  type Range,
  rangeOf,
  shifted,
  timeIn,
  type View,
  viewOf,
  withBots,
  yearBefore,
} from './period.ts';
import { READ, unknownOf } from './values.ts';

const Chips = onDemand(() => import('./dialogs.ts'), (dialogs) => dialogs.Chips, 'reportForms');
const FilterDialog = onDemand(() => import('./dialogs.ts'), (dialogs) => dialogs.FilterDialog, 'reportForms');
const DaysDialog = onDemand(() => import('./dialogs.ts'), (dialogs) => dialogs.DaysDialog, 'reportForms');

/** Always in sight, each with its key. */
const USUAL = ['day', 'week', 'month', 'year'] as const;
/** In the menu: periods, and how many of them ago. */
const OTHERS = [
  ['today', 0],
  ['today', 1],
  ['quarter', 0],
  ['thisMonth', 0],
  ['thisQuarter', 0],
  ['thisYear', 0],
  ['all', 0],
] as const;

export interface Chosen extends Ways {
  view: View;
  range: Range;
  compare: Comparison;
  isFiltered: boolean;
  /** Variables of the query for a summary. */
  variables: Range & { timeZone: string; includeBots: boolean; filter?: ClickCondition[]; yearFrom: string; yearTo: string; withYear: boolean; withPrevious: boolean };
  /** Whether a click of this moment is in it. */
  isLive: boolean;
  /** The address of the figures, from which the page of all values is reached. */
  figures: string;
  /** The address of the figures of all clicks. */
  unfiltered: string;
  /** The address of the day in which a time is; none where the parts of the series are no days. */
  dayAddress?: (at: string) => string;
}

/** The time and the clicks that the page's address chooses. `since`: when the first click can have been; undefined until it is known. */
export function useView(since?: string): Chosen {
  const { path, query } = useLocation();
  const view = viewOf(query);
  // Nothing is before all time.
  const compare = view.period === 'all' && !daysOf(view) ? 'none' : view.compare;
  const [range, year] = useMemo(() => {
    const chosen = rangeOf(view, since);
    return [chosen, yearBefore(chosen)] as const;
  }, [view.period, view.back, view.day, view.from, view.to, view.period === 'all' && since]);
  const withYear = compare === 'year';
  const conditions = conditionsOf(view).map(asInput);
  const isFiltered = conditions.length > 0;
  const above = path.replace(/(\/clicks)?\/?$/, '');
  const address = (change: Partial<View>, below = '') => addressOf(above + below, { ...view, by: 'country', search: '', page: 1, ...change });
  return {
    view,
    range,
    compare,
    isFiltered,
    variables: {
      ...range,
      timeZone: timeZone(),
      includeBots: view.bots === 'yes',
      filter: isFiltered ? conditions : undefined,
      // With a filter, single clicks of the period before would be read for nothing.
      withPrevious: compare === 'before' || !isFiltered,
      withYear,
      yearFrom: year.from,
      // A moment of now would make each visit another question.
      yearTo: withYear ? year.to : year.from,
    },
    isLive: range.to === null || Date.parse(range.to) > Date.now(),
    figures: address({}),
    unfiltered: address(Object.assign({}, ...conditionsOf(view).map(withoutCondition))),
    all: (dimension) => address({ by: dimension }, '/clicks'),
    narrow: (dimension, values) => address(withCondition(view, { dimension, operator: 'IS', values })),
    dayAddress: range.interval === 'DAY' ? (at) => address(timeIn({ day: dayOf(at) })) : undefined,
  };
}

interface ConditionsProps {
  chosen: Chosen;
  isExact?: boolean;
  /** How values are read that mean something on this page alone. */
  read?: Partial<Record<Dimension, (value: string) => ComponentChildren>>;
}

/** The conditions of the page's address, if it has some. */
export function Conditions({ chosen: { view }, isExact, read }: ConditionsProps) {
  const { path } = useLocation();
  const conditions = conditionsOf(view);
  if (conditions.length === 0) return null;
  const address = (change: Partial<View>) => addressOf(path, { ...view, page: 1, ...change });
  const chips = conditions.map((condition) => {
    const { dimension, operator, values } = condition;
    const shown = read?.[dimension] ?? READ[dimension] ?? String;
    return {
      dimension,
      operator,
      values: values.map((value) => (value === null ? unknownOf(dimension) : shown(value))),
      turned: address(turned(view, condition)),
      without: address(withoutCondition(condition)),
    };
  });
  return <Chips chips={chips} isExact={isExact} />;
}

/** Chooses them, by keys too: `d w m y`, and the arrows for the period before and after. What can be done with the report follows. */
export function Picker({ view, range, children }: Chosen & { children?: ComponentChildren }) {
  const { path, route } = useLocation();
  const { dialog, open } = useDialog();
  const address = (change: Partial<View>) => addressOf(path, { ...view, page: 1, ...change });
  const words = t.analytics;
  const days = daysOf(view);
  const others = OTHERS.map(([period, back]) => ({
    id: `${period}${back}`,
    label: back ? words.yesterday : words.periods[period],
    href: address(timeIn({ period, back })),
    isChosen: !days && view.period === period && view.back === back,
  }));
  const tabs = [
    ...USUAL.map((id) => ({ id, label: words.periods[id], href: address(timeIn({ period: id })), dataKey: id.slice(0, 1) })),
    ...others.filter(({ isChosen }) => isChosen),
  ];
  const [before, after] = [shifted(view, -1), shifted(view, 1)];
  const step = (icon: 'left' | 'right', label: string, dataKey: string, time: typeof before) =>
    time ? (
      <LinkButton kind="quiet" icon={icon} label={label} href={address(time)} dataKey={dataKey} />
    ) : (
      <span class="button quiet icon-only" aria-disabled="true">
        <Icon name={icon} />
      </span>
    );
  const shown: [string, string] = [dayOf(range.from), dayOf(Math.min(Date.now(), range.to ? Date.parse(range.to) - 1 : Infinity))];
  return (
    <div class="picker">
      <Tabs label={words.period} current={days ? undefined : (others.find(({ isChosen }) => isChosen)?.id ?? view.period)} tabs={tabs} />
      <Menu label={words.more} icon="calendar">
        <p class="menu-title">{words.period}</p>
        {others.map(({ id, label, href, isChosen }) => (
          <MenuItem key={id} href={href} isChecked={isChosen}>
            {label}
          </MenuItem>
        ))}
        <MenuItem isChecked={days !== undefined} onSelect={() => open(DaysDialog, { days: shown, choose: (chosen) => route(address(daysIn(chosen))) })}>
          {words.days}
        </MenuItem>
        <p class="menu-title">{words.compare}</p>
        {COMPARISONS.map((each) => (
          <MenuItem
            key={each}
            isChecked={view.compare === each}
            onSelect={() => {
              compared.value = each;
              route(address({ compare: each }));
            }}
          >
            {words.comparisons[each]}
          </MenuItem>
        ))}
      </Menu>
      <nav class="span" tabIndex={-1} aria-label={words.shift}>
        {step('left', words.earlier, 'ArrowLeft', before)}
        <span>{formatSpan(range.from, range.to, !days && view.period === 'day')}</span>
        {step('right', words.later, 'ArrowRight', after)}
      </nav>
      <label class="choose">
        <input
          type="checkbox"
          role="switch"
          class="switch"
          checked={view.bots === 'yes'}
          onChange={() => {
            const bots = view.bots === 'yes' ? 'no' : 'yes';
            withBots.value = bots;
            route(address({ bots }));
          }}
        />
        {words.withBots}
      </label>
      <span class="print-only">{view.bots === 'yes' ? words.withBots : words.withoutBots}</span>
      <Button kind="quiet" icon="filter" label={words.filter} onClick={() => open(FilterDialog, { add: (condition) => route(address(withCondition(view, condition))) })} />
      {children}
      {dialog}
    </div>
  );
}
