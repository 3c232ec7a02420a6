//! Time by the calendar of a time zone: hours, days, weeks and months, with clocks put forward and back. Pure.

use async_graphql::Enum;
use chrono::{DateTime, Datelike, Days, LocalResult, Months, NaiveDate, NaiveDateTime, NaiveTime, Offset, TimeZone};
use chrono_tz::Tz;
use serde::Serialize;

use crate::base::clock::{HOUR, SECOND, UnixMillis};

/// Length of the parts that a series has.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Interval {
    /// From full hour to full hour.
    Hour,
    /// From midnight to midnight.
    Day,
    /// From Monday to Monday.
    Week,
    /// From the first day of a month to that of the next.
    Month,
}

/// An interval in a time zone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Calendar {
    pub(crate) interval: Interval,
    pub(crate) zone: Tz,
}

impl Calendar {
    /// Starts of the parts that overlap the range, oldest first; of many, the newest `most`.
    pub(crate) fn starts(self, from: UnixMillis, to: UnixMillis, most: usize) -> Vec<UnixMillis> {
        let mut starts = Vec::new();
        let mut end = to;
        while end > from && starts.len() < most {
            end = self.start_of(end - 1);
            starts.push(end);
        }
        starts.reverse();
        starts
    }

    /// Start of the part that contains the moment.
    pub(crate) fn start_of(self, time: UnixMillis) -> UnixMillis {
        if self.interval == Interval::Hour {
            return self.start_of_hour(time);
        }
        let mut date = self.first_date(local(self.zone, time).date());
        let mut start = midnight(self.zone, date);
        // Where clocks were put back over midnight, the date before comes again: it is part of the later day.
        while let Some(next) = self.next_date(date) {
            let begins = midnight(self.zone, next);
            if begins > time {
                break;
            }
            (date, start) = (next, begins);
        }
        start
    }

    /// Hours begin when the clock shows a full one, and when it is changed.
    fn start_of_hour(self, time: UnixMillis) -> UnixMillis {
        let offset = offset(self.zone, time);
        let full = time - (time + offset).rem_euclid(HOUR);
        if self::offset(self.zone, full) == offset { full } else { change(self.zone, full, time) }
    }

    fn first_date(self, date: NaiveDate) -> NaiveDate {
        let back = match self.interval {
            Interval::Hour | Interval::Day => 0,
            Interval::Week => date.weekday().num_days_from_monday(),
            Interval::Month => date.day0(),
        };
        date.checked_sub_days(Days::new(back.into())).unwrap_or(date)
    }

    fn next_date(self, date: NaiveDate) -> Option<NaiveDate> {
        match self.interval {
            Interval::Hour | Interval::Day => date.succ_opt(),
            Interval::Week => date.checked_add_days(Days::new(7)),
            Interval::Month => date.checked_add_months(Months::new(1)),
        }
    }
}

/// Start of the local day that is this many days before the day of the moment.
pub(crate) fn days_before(zone: Tz, time: UnixMillis, days: u64) -> UnixMillis {
    let date = local(zone, time).date();
    midnight(zone, date.checked_sub_days(Days::new(days)).unwrap_or(date))
}

/// Start of the local month that is so many months before the one of the moment, as `back` says by the months since January.
pub(crate) fn months_before(zone: Tz, time: UnixMillis, back: impl FnOnce(u32) -> u32) -> UnixMillis {
    let date = local(zone, time).date();
    let first = date.with_day(1).unwrap_or(date);
    midnight(zone, first.checked_sub_months(Months::new(back(date.month0()))).unwrap_or(first))
}

fn utc(time: UnixMillis) -> NaiveDateTime {
    DateTime::from_timestamp_millis(time).unwrap_or_default().naive_utc()
}

/// Offset of the zone at this time, in milliseconds: added to UTC it gives local time.
fn offset(zone: Tz, time: UnixMillis) -> UnixMillis {
    UnixMillis::from(zone.offset_from_utc_datetime(&utc(time)).fix().local_minus_utc()) * SECOND
}

fn local(zone: Tz, time: UnixMillis) -> NaiveDateTime {
    utc(time.saturating_add(offset(zone, time)))
}

/// When the offset changed, between two moments at which it differs.
fn change(zone: Tz, mut before: UnixMillis, mut after: UnixMillis) -> UnixMillis {
    let changed = offset(zone, after);
    while after - before > 1 {
        let middle = before + (after - before) / 2;
        if offset(zone, middle) == changed {
            after = middle;
        } else {
            before = middle;
        }
    }
    after
}

/// When the date began: at midnight, or when clocks were put forward over it.
fn midnight(zone: Tz, date: NaiveDate) -> UnixMillis {
    let midnight = date.and_time(NaiveTime::MIN);
    match zone.from_local_datetime(&midnight) {
        LocalResult::Single(time) | LocalResult::Ambiguous(time, _) => time.timestamp_millis(),
        LocalResult::None => {
            let about = midnight.and_utc().timestamp_millis();
            // No zone is further from UTC.
            let (before, after) = (about - 16 * HOUR, about + 16 * HOUR);
            if offset(zone, before) == offset(zone, after) { about } else { change(zone, before, after) }
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono_tz::TZ_VARIANTS;
    use proptest::prelude::*;

    use super::*;
    use crate::base::clock::{DAY, MINUTE, parse_rfc3339, rfc3339};

    const INTERVALS: [Interval; 4] = [Interval::Hour, Interval::Day, Interval::Week, Interval::Month];

    fn starts(interval: Interval, zone: Tz, from: &str, to: &str) -> Vec<String> {
        let time = |text: &str| parse_rfc3339(text).unwrap();
        let starts = Calendar { interval, zone }.starts(time(from), time(to), 100);
        starts.into_iter().map(|start| rfc3339(start).replace(":00.000Z", "")).collect()
    }

    #[test]
    fn days_have_23_to_25_hours() {
        assert_eq!(
            starts(Interval::Day, Tz::Europe__Zurich, "2026-03-28T12:00:00Z", "2026-03-30T12:00:00Z"),
            ["2026-03-27T23:00", "2026-03-28T23:00", "2026-03-29T22:00"],
        );
        assert_eq!(
            starts(Interval::Day, Tz::Europe__Zurich, "2026-10-24T22:00:00Z", "2026-10-25T23:00:00.001Z"),
            ["2026-10-24T22:00", "2026-10-25T23:00"],
        );
        // Clocks are put forward at midnight: the day begins at 1:00.
        assert_eq!(
            starts(Interval::Day, Tz::Africa__Cairo, "2026-04-23T12:00:00Z", "2026-04-24T12:00:00Z"),
            ["2026-04-22T22:00", "2026-04-23T22:00"],
        );
        // 30 December 2011 did not take place.
        assert_eq!(
            starts(Interval::Day, Tz::Pacific__Apia, "2011-12-29T12:00:00Z", "2011-12-31T12:00:00Z"),
            ["2011-12-29T10:00", "2011-12-30T10:00", "2011-12-31T10:00"],
        );
    }

    #[test]
    fn an_hour_that_comes_twice_is_two() {
        assert_eq!(
            starts(Interval::Hour, Tz::Europe__Zurich, "2026-10-24T23:30:00Z", "2026-10-25T02:30:00Z"),
            ["2026-10-24T23:00", "2026-10-25T00:00", "2026-10-25T01:00", "2026-10-25T02:00"],
        );
        // Lord Howe puts its clocks by half an hour.
        assert_eq!(
            starts(Interval::Hour, Tz::Australia__Lord_Howe, "2026-04-04T14:00:00Z", "2026-04-04T16:00:00Z"),
            ["2026-04-04T14:00", "2026-04-04T15:00", "2026-04-04T15:30"],
        );
        assert_eq!(
            starts(Interval::Hour, Tz::Asia__Kathmandu, "2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z"),
            ["2025-12-31T23:15", "2026-01-01T00:15"],
        );
    }

    #[test]
    fn weeks_begin_on_monday_and_months_on_the_first() {
        assert_eq!(
            starts(Interval::Week, Tz::UTC, "2026-11-20T00:00:00Z", "2026-11-24T00:00:00Z"),
            ["2026-11-16T00:00", "2026-11-23T00:00"],
        );
        assert_eq!(
            starts(Interval::Month, Tz::Asia__Kolkata, "2026-01-31T18:29:59.999Z", "2026-02-28T18:30:00.001Z"),
            ["2025-12-31T18:30", "2026-01-31T18:30", "2026-02-28T18:30"],
        );
        assert_eq!(rfc3339(days_before(Tz::Asia__Kolkata, 29 * DAY, 29)), "1969-12-31T18:30:00.000Z");
    }

    #[test]
    fn absurd_ranges_are_quick() {
        let (from, to) =
            (parse_rfc3339("0000-01-01T00:00:00Z").unwrap(), parse_rfc3339("9999-12-31T23:59:59Z").unwrap());
        for interval in INTERVALS {
            let starts = Calendar { interval, zone: Tz::Europe__Zurich }.starts(from, to, 2_000);
            assert_eq!(starts.len(), 2_000);
        }
        assert!(Calendar { interval: Interval::Day, zone: Tz::UTC }.starts(to, from, 10).is_empty());
    }

    proptest! {
        #[test]
        fn parts_tile_the_range(
            zone in prop::sample::select(&TZ_VARIANTS[..]),
            interval in prop::sample::select(&INTERVALS[..]),
            // 1972 to 2037: before, Liberia's clocks differed by seconds.
            from in 63_072_000_000_i64..2_114_380_800_000,
            length in 1..400 * DAY,
        ) {
            let calendar = Calendar { interval, zone };
            let to = from + length.min(if interval == Interval::Hour { 40 * DAY } else { length });
            let starts = calendar.starts(from, to, 2_000);
            prop_assert!(starts[0] <= from && starts.is_sorted_by(|a, b| a < b));
            prop_assert!(starts.iter().skip(1).all(|start| (from + 1..to).contains(start)));
            let longest = match interval { Interval::Hour => HOUR, Interval::Day => 49 * HOUR, Interval::Week => 9 * DAY, Interval::Month => 33 * DAY };
            for pair in starts.windows(2) {
                prop_assert!(pair[1] - pair[0] <= longest, "{} to {}", rfc3339(pair[0]), rfc3339(pair[1]));
                prop_assert_eq!(calendar.start_of(pair[0]), pair[0]);
                prop_assert_eq!(calendar.start_of(pair[1] - 1), pair[0]);
                prop_assert_eq!(calendar.start_of(pair[0] + (pair[1] - pair[0]) / 2), pair[0]);
                if from > 1_325_376_000_000 {
                    // Since 2012 clocks were changed at quarters of an hour only.
                    prop_assert_eq!(pair[0] % (15 * MINUTE), 0);
                }
            }
        }
    }
}
