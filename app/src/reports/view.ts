// Between the view that the address of a page of statistics chooses, and the report that keeps it.
import { asInput, type Condition, conditionsOf, type Dimension, DIMENSIONS, withCondition } from '../analytics/conditions.ts';
import { addressOf, dayOf, daysIn, daysOf, type Period, type Range, rangeOf, type Time, timeIn, type View, viewOf } from '../analytics/period.ts';
import type { CreateReportInput, ReportPeriod, ReportRowFragment } from '../api/generated/graphql.ts';
import { formatSpan, timeZone } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';

const PERIODS: Record<Period, ReportPeriod> = {
  day: 'LAST_24_HOURS',
  today: 'TODAY',
  week: 'LAST_7_DAYS',
  month: 'LAST_30_DAYS',
  quarter: 'LAST_90_DAYS',
  year: 'LAST_12_MONTHS',
  thisMonth: 'THIS_MONTH',
  thisQuarter: 'THIS_QUARTER',
  thisYear: 'THIS_YEAR',
  all: 'ALL_TIME',
};

/** The clicks of a view. Days stay those days; a period goes on. */
export function clicksOf(view: View, { from, to }: Range): Omit<CreateReportInput, 'name'> {
  return {
    ...(daysOf(view) ? { from, to } : { period: PERIODS[view.period], back: view.back }),
    filter: conditionsOf(view).map(asInput),
    includeBots: view.bots === 'yes',
    timeZone: timeZone(),
  };
}

/** The time in words: a period, or the days from one to another. */
export function timeText(time: Time): string {
  const days = daysOf(time);
  if (!days && time.back === 0) return t.analytics.periods[time.period];
  const { from, to } = rangeOf(time);
  return formatSpan(from, to, !days && time.period === 'day');
}

export function timeOf({ period, back, from, to }: ReportRowFragment): Time {
  const name = (Object.keys(PERIODS) as Period[]).find((each) => PERIODS[each] === period);
  if (name) return timeIn({ period: name, back });
  return from && to ? daysIn([dayOf(from), dayOf(Date.parse(to) - 1)]) : timeIn({});
}

export const conditionsIn = ({ filter }: ReportRowFragment): Condition[] =>
  (filter ?? []).map(({ dimension, operator, values }) => ({ dimension: dimension.toLowerCase() as Dimension, operator, values }));

/** The address of the statistics that have the view. Programs may ask for conditions that no such address has. */
export function addressIn(report: ReportRowFragment): string {
  const view: View = { ...viewOf({}), ...timeOf(report), bots: report.includeBots ? 'yes' : 'no' };
  for (const condition of conditionsIn(report)) {
    if (DIMENSIONS.includes(condition.dimension)) Object.assign(view, withCondition(view, condition));
  }
  return addressOf(report.linkId ? `/app/links/${report.linkId}` : '/app', view);
}
