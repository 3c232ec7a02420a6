import type { Interval } from '../api/generated/graphql.ts';
import { clock, timeOf } from '../i18n/clock.ts';
import { addressed, number, oneOf, page, remembered, text } from '../ui/address.ts';
import { stored } from '../ui/stored.ts';
import { DIMENSIONS, PARAMETERS } from './conditions.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MAX_BACK = 99;

/** Periods that are a number of days, today being the last one. */
const DAYS = { today: 1, week: 7, month: 30, quarter: 90 } as const;
/** Periods of whole months, the last of which is not over: how many there are, and which of them a month is. */
const MONTHS = {
  year: [12, () => 11],
  thisMonth: [1, () => 0],
  thisQuarter: [3, (month) => month % 3],
  thisYear: [12, (month) => month],
} as const satisfies Record<string, [number, (month: number) => number]>;

export const PERIODS = ['month', 'day', 'week', 'year', 'today', 'quarter', 'thisMonth', 'thisQuarter', 'thisYear', 'all'] as const;
export type Period = (typeof PERIODS)[number];

/** The time that the figures are compared with. */
export const COMPARISONS = ['before', 'year', 'none'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** Chosen for every page of statistics. */
export const withBots = stored<'yes' | 'no'>('bots', 'no');
export const compared = stored<Comparison>('compare', 'before');

const dayText = (shown: Date): string => shown.toISOString().slice(0, 10);
const calendarDay = {
  read: (given = '') => (/^\d{4}-\d{2}-\d{2}$/.test(given) && !Number.isNaN(Date.parse(given)) ? given : ''),
  write: (day: string) => day,
};

/** The query of the address of a page of statistics. */
const ADDRESS = addressed({
  /** One day of the calendar, such as 2026-03-29, or all days from one to another, instead of a period. */
  day: calendarDay,
  from: calendarDay,
  to: calendarDay,
  period: oneOf(PERIODS),
  /** How many periods before the one that ends now. */
  back: number(0, MAX_BACK),
  bots: remembered(withBots, ['no', 'yes']),
  compare: remembered(compared, COMPARISONS),
  ...PARAMETERS,
  /** Of the page of all values: of which dimension, which of them, and which page of them. */
  by: oneOf(DIMENSIONS, 'country'),
  search: text,
  page,
});

export type View = ReturnType<typeof ADDRESS.read>;
/** The part of a view that says which time it is of. */
export type Time = Pick<View, 'day' | 'from' | 'to' | 'period' | 'back'>;

export const viewOf = ADDRESS.read;
export const addressOf = (path: string, view: View): string => ADDRESS.write(path, view);

/** The parts of a view for a time, in place of those for another. */
export const timeIn = (time: Partial<Time>): Time => ({ day: '', from: '', to: '', period: PERIODS[0], back: 0, ...time });

/** Some days of the calendar, the first and the last. */
export const daysIn = (days: [string, string]): Time => (days[0] === days[1] ? timeIn({ day: days[0] }) : timeIn({ from: days[0], to: days[1] }));

/** The first and the last day that the address names. Undefined: it has a period. */
export function daysOf({ day, from, to }: Time): [string, string] | undefined {
  if (day) return [day, day];
  return from && from <= to ? [from, to] : undefined;
}

export interface Range {
  from: string;
  /** Null: the range ends now. */
  to: string | null;
  interval: Interval;
}

/** The day of the calendar, in the chosen zone, of a time. */
export const dayOf = (at: string | number): string => dayText(clock(new Date(at)));

/** Some days later, or earlier. */
export const dayAfter = (day: string, days = 1): string => dayText(new Date(Date.parse(day) + days * DAY_MS));

/** How many days there are from one to another, both included. */
const lengthOf = ([first, last]: [string, string]): number => Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;

const midnight = (day: string): string => timeOf(new Date(day)).toISOString();

/** 24 hours begin with a full one, all others at a midnight of the chosen zone. `since`: with what everything begins. */
function beginning(period: Period, back: number, now: Date, since: string): string {
  const from = clock(now);
  if (period === 'all') return midnight(dayOf(since));
  if (period === 'day') {
    const inHour = (from.getUTCMinutes() * 60 + from.getUTCSeconds()) * 1000 + now.getMilliseconds();
    return new Date(now.getTime() - inHour - (23 + 24 * back) * HOUR_MS).toISOString();
  }
  from.setUTCHours(0, 0, 0, 0);
  if (period in DAYS) from.setUTCDate(from.getUTCDate() + 1 - DAYS[period as keyof typeof DAYS] * (back + 1));
  else {
    const [months, before] = MONTHS[period as keyof typeof MONTHS];
    from.setUTCMonth(from.getUTCMonth() - before(from.getUTCMonth()) - months * back, 1);
  }
  return timeOf(from).toISOString();
}

/** The longest ranges whose parts are hours, days and weeks, in days. Twelve months are at least 334. */
const LENGTHS: [Interval, number][] = [
  ['HOUR', 2],
  ['DAY', 93],
  ['WEEK', 333],
];

/** A day with a change of the clocks has up to two hours more. */
const intervalOf = (from: string, to: number): Interval =>
  LENGTHS.find(([, days]) => to - Date.parse(from) <= days * DAY_MS + 2 * HOUR_MS)?.[0] ?? 'MONTH';

/** Where clicks of all time begin as long as it is not known. */
const EARLIEST = '2020-01-01T12:00:00.000Z';

/** Days from midnight to midnight, or a period that ends now or earlier. */
export function rangeOf(time: Time, since = EARLIEST, now = new Date()): Range {
  const days = daysOf(time);
  const { period, back } = time;
  const from = days ? midnight(days[0]) : beginning(period, back, now, since);
  const end = () => (back > 0 && period !== 'all' ? beginning(period, back - 1, now, since) : null);
  const to = days ? midnight(dayAfter(days[1])) : end();
  return { from, to, interval: intervalOf(from, to ? Date.parse(to) : now.getTime()) };
}

/** The same time of the year before. */
export function yearBefore({ from, to }: Range, now = new Date()): { from: string; to: string } {
  const [begins, ends] = [from, to ?? now].map((at) => {
    const shown = clock(new Date(at));
    shown.setUTCFullYear(shown.getUTCFullYear() - 1);
    return timeOf(shown).toISOString();
  }) as [string, string];
  return { from: begins, to: ends };
}

/** The time as long as this one that is some steps later, or earlier. Undefined: it has not begun, or there is none. */
export function shifted(time: Time, steps: number, now = Date.now()): Time | undefined {
  const days = daysOf(time);
  if (!days) return time.period === 'all' || time.back < steps ? undefined : { ...time, back: time.back - steps };
  const [first, last] = days.map((day) => dayAfter(day, steps * lengthOf(days))) as [string, string];
  return steps > 0 && days[1] >= dayOf(now) ? undefined : daysIn([first, last]);
}
