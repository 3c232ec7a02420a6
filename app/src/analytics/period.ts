import type { Interval } from '../api/generated/graphql.ts';
import { clock, timeOf } from '../i18n/clock.ts';
import { addressed, number, oneOf, remembered } from '../ui/address.ts';
import { stored } from '../ui/stored.ts';

export const PERIODS = ['day', 'week', 'month', 'year'] as const;
export type Period = (typeof PERIODS)[number];
const USUAL: Period = 'month';
const MAX_BACK = 99;

/** The query of the address of a page of statistics; absent parameters have their defaults. */
export type View = {
  period: Period;
  /** How many periods before the one that ends now. */
  back: number;
  /** One day of the calendar, such as 2026-03-29, instead of a period. */
  day?: string;
  /** Whether bots count. */
  bots: boolean;
};

/** Whether bots count, on every page of statistics. */
export const withBots = stored<'yes' | 'no'>('bots', 'no');

const DAY_MS = 86_400_000;
const dayText = (shown: Date): string => shown.toISOString().slice(0, 10);
const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

const ADDRESS = addressed<Required<View>>({
  day: { read: (given = '') => (isDay(given) ? given : ''), write: (day) => day },
  period: oneOf(PERIODS, USUAL),
  back: number(0, MAX_BACK),
  bots: remembered(withBots),
});

export const viewOf = ADDRESS.read;

export const addressOf = (path: string, { day, bots, ...period }: View): string =>
  ADDRESS.write(path, day ? { day, bots } : { ...period, bots });

export interface Range {
  from: string;
  /** Null: the range ends now. */
  to: string | null;
  interval: Interval;
}

const HOUR_MS = 3_600_000;

/** 24 hours begin with a full one, all others at a midnight of the chosen zone. */
function beginning(period: Period, back: number, now: Date): string {
  const from = clock(now);
  if (period === 'day') {
    const inHour = (from.getUTCMinutes() * 60 + from.getUTCSeconds()) * 1000 + now.getMilliseconds();
    return new Date(now.getTime() - inHour - (23 + 24 * back) * HOUR_MS).toISOString();
  }
  from.setUTCHours(0, 0, 0, 0);
  if (period === 'week') from.setUTCDate(from.getUTCDate() - 6 - 7 * back);
  if (period === 'month') from.setUTCDate(from.getUTCDate() - 29 - 30 * back);
  if (period === 'year') from.setUTCMonth(from.getUTCMonth() - 11 - 12 * back, 1);
  return timeOf(from).toISOString();
}

const INTERVALS: Record<Period, Interval> = { day: 'HOUR', week: 'DAY', month: 'DAY', year: 'MONTH' };

/** The day of the calendar, in the chosen zone, of a time. */
export const dayOf = (at: string | number): string => dayText(clock(new Date(at)));

/** Some days later, or earlier. */
export const dayAfter = (day: string, days = 1): string => dayText(new Date(Date.parse(day) + days * DAY_MS));

const midnight = (day: string): string => timeOf(new Date(day)).toISOString();

/** A day from midnight to midnight, or a period that ends now or earlier. */
export function rangeOf({ period, back, day }: Omit<View, 'bots'>, now = new Date()): Range {
  if (day) return { from: midnight(day), to: midnight(dayAfter(day)), interval: 'HOUR' };
  const to = back > 0 ? beginning(period, back - 1, now) : null;
  return { from: beginning(period, back, now), to, interval: INTERVALS[period] };
}
