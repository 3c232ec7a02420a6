//! Warnings: rules that are allowed and still do not do what they seem to.

use std::fmt;

use crate::{
    Condition, Rule,
    condition::Test,
    covers::always_wins,
    values::{Device, Name},
};

/// What is known of the service and of the time when rules are saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts<'a> {
    /// Whether countries of addresses are known.
    pub has_countries: bool,
    /// Whether regions and cities of addresses are known.
    pub has_cities: bool,
    /// Whether the client's address is known: no proxy stands before the service, or it is trusted.
    pub trusts_proxies: bool,
    /// The time, in Unix milliseconds.
    pub now: i64,
    /// Names of all operating systems that user agents are read as; empty: any may be one.
    pub systems: &'a [&'a str],
    /// Names of all browsers that user agents are read as; empty: any may be one.
    pub browsers: &'a [&'a str],
}

/// Something that the author of a rule should know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The place of the rule, from 0 on.
    pub rule: usize,
    /// The place of the condition, from 0 on. `None`: it is about the whole rule.
    pub condition: Option<usize>,
    /// The reason of the warning.
    pub reason: Reason,
}

/// What a warning is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The country of no visit is known.
    NoCountries,
    /// Region and city of no visit are known.
    NoCities,
    /// The address is that of a proxy.
    UntrustedProxy,
    /// The rule with this place, from 0 on, matches whenever this one would.
    NeverReached(usize),
    /// All windows have ended.
    WindowOver,
    /// User agents of iPads are those of Macs.
    IpadsAreMacs,
    /// The value with this place, from 0 on, is no name that user agents are read as.
    UnknownName(usize),
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::NoCountries => formatter.write_str("the service has no data of countries, so that no visit is from any of these."),
            Reason::NoCities => {
                formatter.write_str("the service has no data of regions and cities, so that no visit is from any of these.")
            }
            Reason::UntrustedProxy => formatter.write_str(
                "visits come through a proxy that the service does not trust, so that all of them have the proxy's address.",
            ),
            Reason::NeverReached(earlier) => {
                write!(formatter, "rule {} matches whenever this one would, so that this one never decides.", earlier + 1)
            }
            Reason::WindowOver => formatter.write_str("the time is over."),
            Reason::IpadsAreMacs => formatter.write_str(
                "browsers on iPads pretend to be on a Mac since iPadOS 13, so that most iPads are DESKTOP and macOS.",
            ),
            Reason::UnknownName(value) => {
                write!(formatter, "value {} is no name that visits are known by, so that it is true of none.", value + 1)
            }
        }
    }
}

/// All warnings about the rules of a link, in their order.
pub fn warnings(rules: &[Rule], facts: &Facts<'_>) -> Vec<Warning> {
    let mut all = Vec::new();
    for (place, rule) in rules.iter().enumerate() {
        if let Some(earlier) = rules[..place].iter().position(|earlier| always_wins(earlier, rule)) {
            all.push(Warning { rule: place, condition: None, reason: Reason::NeverReached(earlier) });
        }
        for (at, condition) in rule.conditions.iter().enumerate() {
            let reasons = reasons(condition, facts).into_iter();
            all.extend(reasons.map(|reason| Warning { rule: place, condition: Some(at), reason }));
        }
    }
    all
}

fn reasons(Condition { test, negated }: &Condition, facts: &Facts<'_>) -> Vec<Reason> {
    let unknown = |names: &[Name], known: &[&str]| {
        let is_unknown =
            |name: &Name| !known.is_empty() && !known.iter().any(|known| name.0.eq_ignore_ascii_case(known));
        let places = names.iter().enumerate().filter(|(_, name)| is_unknown(name));
        places.map(|(place, _)| Reason::UnknownName(place)).collect()
    };
    let only = |is_so: bool, reason| if is_so { vec![reason] } else { Vec::new() };
    match test {
        Test::Device(devices) => only(devices.contains(&Device::Tablet), Reason::IpadsAreMacs),
        Test::Os(names) => {
            let has_ipads = names.iter().any(|name| name.0.eq_ignore_ascii_case("iOS"));
            [only(has_ipads, Reason::IpadsAreMacs), unknown(names, facts.systems)].concat()
        }
        Test::Browser(names) => unknown(names, facts.browsers),
        Test::Country(_) => only(!facts.has_countries, Reason::NoCountries),
        Test::Region(_) | Test::City(_) => only(!facts.has_cities, Reason::NoCities),
        Test::Address(_) => only(!facts.trusts_proxies, Reason::UntrustedProxy),
        Test::TimeWindow(zone, windows) => {
            let is_over = windows.iter().all(|window| window.moments(*zone).1 <= facts.now);
            only(is_over && !negated, Reason::WindowOver)
        }
        Test::Language(_) | Test::Query(..) | Test::WeeklyHours(..) | Test::Referrer(_) | Test::IsBot => Vec::new(),
    }
}
