//! Which conditions follow from others: what is said here is true of every visit. What may be true and is hard to see is left out.

use crate::{
    Condition, Rule,
    condition::Test,
    hours::stretches,
    language::begins_with,
    places::{City, folded},
    values::{QueryValue, Referrer},
};

/// Whether the earlier rule matches whenever the later one would: each of its conditions follows from one of the later rule's.
pub(crate) fn always_wins(earlier: &Rule, later: &Rule) -> bool {
    earlier.conditions.iter().all(|wide| later.conditions.iter().any(|narrow| follows(narrow, wide)))
}

/// Whether the second condition holds whenever the first does.
fn follows(from: &Condition, wide: &Condition) -> bool {
    match (from.negated, wide.negated) {
        (false, false) => covers(&wide.test, &from.test),
        (true, true) => covers(&from.test, &wide.test),
        (false, true) => excludes(&from.test, &wide.test),
        (true, false) => false,
    }
}

/// Whether the second is true of no visit of which the first is: a visit has one value of these kinds at most.
fn excludes(one: &Test, other: &Test) -> bool {
    match (one, other) {
        (Test::Device(one), Test::Device(other)) => are_apart(one, other),
        (Test::Os(one), Test::Os(other)) | (Test::Browser(one), Test::Browser(other)) => are_apart(one, other),
        (Test::Country(one), Test::Country(other)) => are_apart(one, other),
        (Test::Region(one), Test::Region(other)) => are_apart(one, other),
        _ => false,
    }
}

fn are_apart<T: PartialEq>(one: &[T], other: &[T]) -> bool {
    !one.iter().any(|value| other.contains(value))
}

/// Whether the first is true of each visit of which the second is.
fn covers(wide: &Test, narrow: &Test) -> bool {
    match (wide, narrow) {
        (Test::Device(wide), Test::Device(narrow)) => each(narrow, wide, |narrow, wide| narrow == wide),
        (Test::Os(wide), Test::Os(narrow)) | (Test::Browser(wide), Test::Browser(narrow)) => {
            each(narrow, wide, |narrow, wide| narrow == wide)
        }
        (Test::Country(wide), Test::Country(narrow)) => each(narrow, wide, |narrow, wide| narrow == wide),
        (Test::Region(wide), Test::Region(narrow)) => each(narrow, wide, |narrow, wide| narrow == wide),
        (Test::City(wide), Test::City(narrow)) => each(narrow, wide, is_city),
        (Test::Language(wide), Test::Language(narrow)) => {
            each(narrow, wide, |narrow, wide| begins_with(&narrow.0, wide.0.as_bytes()))
        }
        (Test::Query(wide_name, wide), Test::Query(narrow_name, narrow)) => {
            wide_name == narrow_name && (wide.is_empty() || !narrow.is_empty() && each(narrow, wide, is_value))
        }
        (Test::TimeWindow(wide_zone, wide), Test::TimeWindow(narrow_zone, narrow)) => {
            each(narrow, wide, |narrow, wide| {
                let (narrow, wide) = (narrow.moments(*narrow_zone), wide.moments(*wide_zone));
                wide.0 <= narrow.0 && narrow.1 <= wide.1
            })
        }
        (Test::WeeklyHours(wide_zone, wide), Test::WeeklyHours(narrow_zone, narrow)) => {
            let within = |narrow: &(u16, u16), wide: &(u16, u16)| wide.0 <= narrow.0 && narrow.1 <= wide.1;
            wide_zone == narrow_zone && each(&stretches(narrow), &stretches(wide), within)
        }
        (Test::Referrer(wide), Test::Referrer(narrow)) => each(narrow, wide, is_host),
        (Test::Address(wide), Test::Address(narrow)) => each(narrow, wide, |narrow, wide| wide.0.contains(&narrow.0)),
        (Test::IsBot, Test::IsBot) => true,
        _ => false,
    }
}

fn each<T>(narrow: &[T], wide: &[T], within: impl Fn(&T, &T) -> bool) -> bool {
    narrow.iter().all(|narrow| wide.iter().any(|wide| within(narrow, wide)))
}

fn is_city(narrow: &City, wide: &City) -> bool {
    folded(&narrow.name).eq(folded(&wide.name)) && (wide.country.is_none() || wide.country == narrow.country)
}

fn is_value(narrow: &QueryValue, wide: &QueryValue) -> bool {
    match (narrow, wide) {
        (QueryValue::Is(narrow) | QueryValue::Contains(narrow), QueryValue::Contains(wide)) => narrow.contains(wide),
        (narrow, wide) => narrow == wide,
    }
}

fn is_host(Referrer(narrow): &Referrer, Referrer(wide): &Referrer) -> bool {
    match (narrow, wide) {
        (Some(narrow), Some(wide)) => {
            narrow.strip_suffix(&**wide).is_some_and(|below| below.is_empty() || below.ends_with('.'))
        }
        (narrow, wide) => narrow == wide,
    }
}
