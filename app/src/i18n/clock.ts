// Between moments and what the clocks of the chosen zone show then, such as 2026-11-27T09:00.
import { memoised, timeZone } from './format.ts';

const DAY_MS = 86_400_000;

const formatter = memoised(
  () =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: timeZone(),
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      hourCycle: 'h23',
    }),
);

/** The local time of a moment, as if it were UTC. */
export function clock(at: Date): Date {
  const parts = formatter().formatToParts(at);
  const part = (type: string) => Number(parts.find((each) => each.type === type)!.value);
  return new Date(Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')));
}

/**
 * When the clocks show that. Where they are turned back and show it twice, the first time; where they are put forward and
 * never show it, when they would without: 2:30 is 3:30 then.
 */
export function timeOf(shown: Date): Date {
  const [before, after] = [-DAY_MS, DAY_MS].map((distance) => {
    const near = new Date(shown.getTime() + distance);
    return new Date(shown.getTime() + near.getTime() - clock(near).getTime());
  }) as [Date, Date];
  const isShown = (at: Date) => clock(at).getTime() === shown.getTime();
  return isShown(before) || !isShown(after) ? before : after;
}

/** The value of a field for a day and a time; empty without a moment. */
export const minuteOf = (at: string | null): string => (at === null ? '' : clock(new Date(at)).toISOString().slice(0, 16));

/** The moment that such a field says. */
export const momentOf = (minute: string): string => timeOf(new Date(`${minute}Z`)).toISOString();
