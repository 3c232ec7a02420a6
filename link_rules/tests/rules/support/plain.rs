//! What rules mean, in the plainest way, from the texts that callers wrote: no part of it is shared with the crate.

use chrono::{DateTime, Datelike, Days, Duration, NaiveDate, NaiveDateTime, NaiveTime, Weekday};
use chrono_tz::Tz;
use ipnet::IpNet;
use link_rules::{Judged, Kind, Written};

use super::Person;

/// What becomes of each rule, and the place of the one that matches.
pub(crate) fn judge(rules: &[Vec<Written>], person: &Person) -> (Vec<Judged>, Option<usize>) {
    let language = language(rules, person);
    let mut matched = None;
    let mut all = Vec::new();
    for (place, rule) in rules.iter().enumerate() {
        let failed = rule.iter().position(|condition| holds(condition, person, language) == condition.negated);
        all.push(match (matched, failed) {
            (Some(_), _) => Judged::NotReached,
            (None, Some(condition)) => Judged::Failed(condition),
            (None, None) => Judged::Matched,
        });
        if matched.is_none() && failed.is_none() {
            matched = Some(place);
        }
    }
    (all, matched)
}

fn holds(condition: &Written, person: &Person, language: Option<&str>) -> bool {
    let key = condition.key.as_deref().unwrap_or_default();
    let is = |known: &Option<String>, value: &str| {
        known.as_ref().is_some_and(|known| known.to_lowercase() == value.to_lowercase())
    };
    let any = |is: &dyn Fn(&str) -> bool| condition.values.iter().any(|value| is(value));
    let country = person.country.map(|code| String::from_utf8(code.to_vec()).unwrap());
    match condition.kind {
        Kind::Device => any(&|value| person.device.is_some_and(|device| device.to_string() == value)),
        Kind::Os => any(&|value| is(&person.os, value)),
        Kind::Browser => any(&|value| is(&person.browser, value)),
        Kind::Country => any(&|value| is(&country, value)),
        Kind::Region => any(&|value| is(&person.region, value)),
        Kind::City => any(&|value| match value.split_once(':') {
            Some((code, name)) => is(&country, code) && is(&person.city, name),
            None => is(&person.city, value),
        }),
        Kind::Language => any(&|value| language.is_some_and(|range| is_prefix(value, range))),
        Kind::Query => {
            let found: Vec<String> = person.query.split('&').filter_map(|pair| parameter(pair, key)).collect();
            !found.is_empty() && condition.values.is_empty()
                || any(&|value| match value.split_at(1) {
                    ("=", text) => found.iter().any(|found| found == text),
                    (_, text) => found.iter().any(|found| found.contains(text)),
                })
        }
        Kind::TimeWindow => any(&|value| {
            let (from, until) = value.split_once('/').unwrap();
            (from == ".." || was_shown(key, person.now, from)) && (until == ".." || !was_shown(key, person.now, until))
        }),
        Kind::WeeklyHours => any(&|value| is_open(value, local(key, person.now))),
        Kind::Referrer => any(&|value| match &person.referrer_host {
            None => value == "none",
            Some(host) => host == value || host.ends_with(&format!(".{value}")),
        }),
        Kind::Address => any(&|value| {
            let network: IpNet = value.parse().unwrap();
            person.address.is_some_and(|address| network.contains(&address.to_canonical()))
        }),
        Kind::IsBot => person.is_bot,
    }
}

/// RFC 4647, 3.4, over all languages of the rules: ranges by weight, the first of them that truncation makes one of these.
fn language<'p>(rules: &[Vec<Written>], person: &'p Person) -> Option<&'p str> {
    let languages: Vec<&String> =
        rules.iter().flatten().filter(|it| it.kind == Kind::Language).flat_map(|it| &it.values).collect();
    let mut ranges: Vec<(&str, f64)> = person
        .accept_language
        .split(',')
        .map(|item| match item.split_once(";q=") {
            Some((range, weight)) => (range.trim(), weight.trim().parse().unwrap()),
            None => (item.trim(), 1.0),
        })
        .filter(|(_, weight)| *weight > 0.0)
        .collect();
    ranges.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    ranges.into_iter().map(|(range, _)| range).find(|range| languages.iter().any(|language| is_prefix(language, range)))
}

fn is_prefix(language: &str, range: &str) -> bool {
    let mut subtags = range.split('-');
    language.split('-').all(|subtag| subtags.next().is_some_and(|other| other.eq_ignore_ascii_case(subtag)))
}

fn parameter(pair: &str, name: &str) -> Option<String> {
    let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
    let decode = |text: &str| text.replace('+', " ").replace("%61", "a").replace("%C3%A9", "é");
    (!pair.is_empty() && decode(key) == name).then(|| decode(value))
}

fn local(zone: &str, now: i64) -> NaiveDateTime {
    DateTime::from_timestamp_millis(now).unwrap().with_timezone(&zone.parse::<Tz>().unwrap()).naive_local()
}

/// Whether clocks show this time or a later one, or have in the hours before, in which they may have been put back.
fn was_shown(zone: &str, now: i64, time: &str) -> bool {
    let time: NaiveDateTime = format!("{time}:00").parse().unwrap();
    (0..180).any(|minutes| local(zone, now - Duration::minutes(minutes).num_milliseconds()) >= time)
}

fn is_open(hours: &str, shown: NaiveDateTime) -> bool {
    let (days, times) = hours.split_once(' ').unwrap();
    let (from, until) = times.split_once('-').unwrap();
    let begins = |date: NaiveDate| days.split(',').any(|span| is_day(span, date.weekday()));
    let at = |date: NaiveDate, time: &str| match time {
        "24:00" => date.checked_add_days(Days::new(1)).unwrap().and_time(NaiveTime::MIN),
        time => date.and_time(format!("{time}:00").parse().unwrap()),
    };
    [shown.date(), shown.date().pred_opt().unwrap()].into_iter().filter(|date| begins(*date)).any(|date| {
        let until =
            if at(date, until) > at(date, from) { at(date, until) } else { at(date.succ_opt().unwrap(), until) };
        (at(date, from)..until).contains(&shown)
    })
}

fn is_day(span: &str, day: Weekday) -> bool {
    let (first, last) = span.split_once('-').unwrap_or((span, span));
    let (mut at, last): (Weekday, Weekday) = (first.parse().unwrap(), last.parse().unwrap());
    while at != day && at != last {
        at = at.succ();
    }
    at == day
}
