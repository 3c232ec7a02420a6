//! Warnings about rules that can't work.

use chrono::{TimeZone, Utc};
use link_rules::{Condition, Facts, Kind, Reason, Written, warnings};

use crate::support::{condition, rule, written};

const KNOWN: Facts<'static> = Facts {
    has_countries: true,
    has_cities: true,
    trusts_proxies: true,
    now: 0,
    systems: &["iOS", "macOS", "Windows"],
    browsers: &["Safari"],
};

fn negated(kind: Kind, values: &[&str]) -> Condition {
    Condition::read(&Written { negated: true, ..written(kind, None, values) }).unwrap()
}

/// The reasons of the warnings about a condition.
fn reasons(condition: Condition, facts: &Facts<'_>) -> Vec<Reason> {
    let all = warnings(&[rule(1, vec![condition])], facts);
    assert!(all.iter().all(|warning| (warning.rule, warning.condition) == (0, Some(0))));
    all.into_iter().map(|warning| warning.reason).collect()
}

#[test]
fn what_the_service_does_not_know_is_said() {
    let blind = Facts { has_countries: false, has_cities: false, trusts_proxies: false, ..KNOWN };
    for (kind, value, reason) in [
        (Kind::Country, "DE", Reason::NoCountries),
        (Kind::Region, "DE-BY", Reason::NoCities),
        (Kind::City, "Bern", Reason::NoCities),
        (Kind::Address, "::1", Reason::UntrustedProxy),
    ] {
        assert_eq!(reasons(condition(kind, None, &[value]), &blind), [reason]);
        assert_eq!(reasons(negated(kind, &[value]), &blind), [reason]);
        assert_eq!(reasons(condition(kind, None, &[value]), &KNOWN), []);
    }
}

#[test]
fn names_that_visits_never_have_and_ipads_are_said() {
    assert_eq!(reasons(condition(Kind::Os, None, &["windows", "iPadOS"]), &KNOWN), [Reason::UnknownName(1)]);
    assert_eq!(reasons(condition(Kind::Browser, None, &["Netscape"]), &KNOWN), [Reason::UnknownName(0)]);
    assert_eq!(reasons(condition(Kind::Browser, None, &["Netscape"]), &Facts { browsers: &[], ..KNOWN }), []);
    assert_eq!(reasons(condition(Kind::Os, None, &["ios"]), &KNOWN), [Reason::IpadsAreMacs]);
    assert_eq!(reasons(condition(Kind::Device, None, &["MOBILE", "TABLET"]), &KNOWN), [Reason::IpadsAreMacs]);
    assert_eq!(reasons(condition(Kind::Device, None, &["MOBILE"]), &KNOWN), []);
}

#[test]
fn a_window_that_is_over_is_said() {
    let windows = ["../2026-12-01T01:00", "2026-11-01T00:00/2026-11-02T00:00"];
    let window = condition(Kind::TimeWindow, Some("Europe/Berlin"), &windows);
    let end = Utc.with_ymd_and_hms(2026, 12, 1, 0, 0, 0).unwrap().timestamp_millis();
    assert_eq!(reasons(window.clone(), &Facts { now: end - 1, ..KNOWN }), []);
    assert_eq!(reasons(window.clone(), &Facts { now: end, ..KNOWN }), [Reason::WindowOver]);
    let negated = Condition::read(&Written { negated: true, ..window.written() }).unwrap();
    assert_eq!(reasons(negated, &Facts { now: end, ..KNOWN }), []);
}

#[test]
fn a_rule_that_an_earlier_one_always_wins_over_is_said() {
    let not = |kind, values: &[&str]| negated(kind, values);
    let is = |kind, values: &[&str]| condition(kind, None, values);
    let keyed = |kind, key: &str, values: &[&str]| condition(kind, Some(key), values);
    let wins = |earlier: &[&Condition], later: &[&Condition]| {
        let [earlier, later] = [earlier, later].map(|rule| rule.iter().copied().cloned().collect());
        let all = warnings(&[rule(1, earlier), rule(2, later)], &KNOWN);
        all.iter().any(|warning| (warning.rule, warning.reason) == (1, Reason::NeverReached(0)))
    };
    use Kind::{Address, Browser, City, Country, Device, IsBot, Language, Query, Referrer, TimeWindow, WeeklyHours};
    for (wide, narrow) in [
        (is(Country, &["DE", "AT"]), is(Country, &["DE"])),
        (not(Country, &["DE"]), not(Country, &["DE", "AT"])),
        (not(Country, &["DE"]), is(Country, &["FR", "AT"])),
        (not(Device, &["TABLET"]), is(Device, &["MOBILE", "DESKTOP"])),
        (is(Browser, &["safari"]), is(Browser, &["Safari"])),
        (is(City, &["bern"]), is(City, &["CH:Bern"])),
        (is(Language, &["fr", "en"]), is(Language, &["fr-CH"])),
        (keyed(Query, "a", &[]), keyed(Query, "a", &["=x"])),
        (keyed(Query, "a", &["~x"]), keyed(Query, "a", &["=axb", "~xx"])),
        (
            keyed(TimeWindow, "Europe/Berlin", &["2026-12-01T01:00/2026-12-24T00:00"]),
            keyed(TimeWindow, "UTC", &["2026-12-01T00:00/2026-12-02T00:00"]),
        ),
        (
            keyed(WeeklyHours, "UTC", &["FRI 22:00-24:00", "SAT 00:00-03:00"]),
            keyed(WeeklyHours, "UTC", &["FRI 23:00-02:00"]),
        ),
        (is(Referrer, &["example.com", "none"]), is(Referrer, &["a.example.com"])),
        (is(Address, &["192.0.2.0/24"]), is(Address, &["192.0.2.7"])),
        (is(IsBot, &[]), is(IsBot, &[])),
    ] {
        let (mobile, opera) = (is(Device, &["MOBILE"]), is(Browser, &["Opera"]));
        assert!(wins(&[&wide], &[&mobile, &narrow]), "{wide:?} {narrow:?}");
        assert!(!wins(&[&wide, &opera], &[&narrow]), "the earlier one has another condition");
        if wide != narrow {
            assert!(!wins(&[&narrow], &[&wide]), "{wide:?} {narrow:?}");
        }
    }
    assert!(!wins(&[&keyed(Query, "a", &[])], &[&keyed(Query, "b", &[])]));
    assert!(!wins(&[&not(IsBot, &[])], &[&is(IsBot, &[])]));
    let hours = |zone| keyed(WeeklyHours, zone, &["MON 09:00-17:00"]);
    assert!(!wins(&[&hours("UTC")], &[&hours("Europe/Berlin")]));
}

#[test]
fn a_reason_is_said_in_words() {
    assert_eq!(
        Reason::NeverReached(1).to_string(),
        "rule 2 matches whenever this one would, so that this one never decides."
    );
    assert_eq!(
        Reason::UnknownName(4).to_string(),
        "value 5 is no name that visits are known by, so that it is true of none."
    );
    let reasons =
        [Reason::NoCountries, Reason::NoCities, Reason::UntrustedProxy, Reason::WindowOver, Reason::IpadsAreMacs];
    for reason in reasons {
        assert!(reason.to_string().ends_with('.'), "{reason:?}");
    }
}
