//! Upper bounds of the lengths of lists in summaries and series, from the arguments of their field, before anything is executed.

use async_graphql::Value;

use crate::base::clock::{DAY, HOUR, UnixMillis, parse_rfc3339};

/// The most items that a list of a summary can have. `None`: the bound of its `@items` applies. `argument` returns the value of
/// an argument of the summary's field, or its default.
pub(crate) fn of_summary(list: &str, argument: &dyn Fn(&str) -> Option<Value>, now: UnixMillis) -> Option<usize> {
    match list {
        "series" => {
            // A time that can't be read is refused by the field itself.
            let time = |name: &str, absent: UnixMillis| match argument(name) {
                None | Some(Value::Null) => Some(absent),
                Some(Value::String(text)) => parse_rfc3339(&text),
                Some(_) => None,
            };
            let to = time("to", now)?;
            let from = time("from", to.saturating_sub(31 * DAY))?;
            let range = to.saturating_sub(from).max(0);
            let interval = match argument("interval") {
                Some(Value::Enum(name)) => name.to_string(),
                Some(Value::String(name)) => name,
                _ => String::new(),
            };
            // The shortest such part, on a change of clocks.
            let part = match interval.as_str() {
                "DAY" => 20 * HOUR,
                "WEEK" => 6 * DAY,
                "MONTH" => 27 * DAY,
                _ => HOUR,
            };
            // One more at each end, and where an hour is cut by a change of clocks.
            let cuts = if part == HOUR { range / (30 * DAY) } else { 0 };
            usize::try_from(range / part + cuts + 2).ok()
        }
        "values" | "links" => match argument("limit") {
            Some(Value::Number(limit)) => limit.as_u64().and_then(|limit| usize::try_from(limit).ok()),
            _ => None,
        },
        _ => None,
    }
}

/// The length of a list of days, one for each day that its field is asked for.
pub(crate) fn of_days(_list: &str, argument: &dyn Fn(&str) -> Option<Value>, _now: UnixMillis) -> Option<usize> {
    match argument("days") {
        Some(Value::Number(days)) => days.as_u64().and_then(|days| usize::try_from(days).ok()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::Name;
    use chrono_tz::Tz;
    use proptest::prelude::*;

    use super::*;
    use crate::{
        base::clock::rfc3339,
        click_store::{
            buckets::{Calendar, Interval},
            summary::MAX_POINTS,
        },
    };

    proptest! {
        #[test]
        fn a_series_is_no_longer(from in 0_i64..2_000_000_000, seconds in 0_i64..200_000_000, zone in prop::sample::select(&chrono_tz::TZ_VARIANTS[..]), which in 0_usize..4) {
            let (from, to) = (from * 1_000, (from + seconds) * 1_000);
            let (interval, name) = [
                (Interval::Hour, "HOUR"), (Interval::Day, "DAY"), (Interval::Week, "WEEK"), (Interval::Month, "MONTH"),
            ][which];
            let zone: Tz = zone;
            let points = Calendar { interval, zone }.starts(from, to, MAX_POINTS).len();
            let argument = |argument: &str| match argument {
                "from" => Some(Value::String(rfc3339(from))),
                "to" => Some(Value::String(rfc3339(to))),
                _ => Some(Value::Enum(Name::new(name))),
            };
            let most = of_summary("series", &argument, 0).unwrap();
            prop_assert!(points <= most, "{points} of {most}");
            prop_assert!(most <= points * 2 + 4 || points == MAX_POINTS, "{points} of {most}");
        }
    }

    #[test]
    fn with_invalid_arguments_the_default_bound_applies() {
        let wrong = |_: &str| Some(Value::from("x"));
        assert_eq!(of_summary("series", &wrong, 0), None);
        assert_eq!(of_summary("values", &wrong, 0), None);
        assert_eq!(of_summary("series", &|_| None, 0), Some(31 * 24 + 3));
        assert_eq!(of_summary("links", &|_| Some(Value::from(7)), 0), Some(7));
        assert_eq!((of_days("", &wrong, 0), of_days("", &|_| Some(Value::from(-1)), 0)), (None, None));
        assert_eq!(of_days("", &|_| Some(Value::from(7)), 0), Some(7));
    }
}
