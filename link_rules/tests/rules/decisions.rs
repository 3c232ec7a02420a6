//! Where visits are led.

use std::ops::RangeInclusive;

use chrono::{TimeZone, Utc};
use link_rules::{Damaged, Device, Judged, Kind, Outcome, compile, decide, explain};

use crate::support::{LINK, Person, allocations::allocations, condition, destination, rule, split};

/// Whether a condition holds.
fn holds(kind: Kind, key: Option<&str>, values: &[&str], person: &Person) -> bool {
    let program = compile(&LINK, &[rule(1, vec![condition(kind, key, values)])], &Outcome::To(destination(0))).unwrap();
    decide(program.as_bytes(), person).unwrap().rule.is_some()
}

fn reads(accept_language: &str) -> Person {
    Person { accept_language: accept_language.to_owned(), ..Person::default() }
}

#[test]
fn the_first_rule_of_which_all_conditions_hold_decides() {
    let mobile = || condition(Kind::Device, None, &["MOBILE", "TABLET"]);
    let german = || condition(Kind::Country, None, &["DE", "AT"]);
    let rules = [rule(1, vec![mobile(), german()]), rule(2, vec![german()]), rule(3, vec![mobile()])];
    let program = compile(&LINK, &rules, &split(&[(4, 0), (5, 1)])).unwrap();
    let of = |device, country: Option<&[u8; 2]>| Person { device, country: country.copied(), ..Person::default() };
    let (phone, pc) = (Some(Device::Mobile), Some(Device::Desktop));
    use Judged::{Failed, Matched, NotReached};
    for (person, number, judged) in [
        (of(phone, Some(b"AT")), 1, [Matched, NotReached, NotReached]),
        (of(pc, Some(b"DE")), 2, [Failed(0), Matched, NotReached]),
        (of(phone, Some(b"FR")), 3, [Failed(1), Failed(0), Matched]),
        (of(phone, None), 3, [Failed(1), Failed(0), Matched]),
        (of(None, None), 5, [Failed(0), Failed(0), Failed(0)]),
    ] {
        let explained = explain(program.as_bytes(), &person).unwrap();
        assert_eq!(explained.rules, judged);
        assert_eq!(decide(program.as_bytes(), &person).unwrap(), explained.decision);
        assert_eq!(explained.decision.destination, number);
        assert_eq!(&program.as_bytes()[explained.decision.url], destination(number).url.as_bytes());
    }
}

#[test]
fn only_what_conditions_need_is_asked_and_once() {
    let mobile = || condition(Kind::Device, None, &["MOBILE"]);
    let rules = [
        rule(1, vec![mobile(), condition(Kind::Query, Some("a"), &[])]),
        rule(2, vec![condition(Kind::IsBot, None, &[]), mobile()]),
        rule(3, vec![condition(Kind::Country, None, &["DE"])]),
        rule(4, vec![condition(Kind::Country, None, &["FR"])]),
        rule(5, vec![condition(Kind::Address, None, &["::/0"])]),
    ];
    let program = compile(&LINK, &rules, &Outcome::To(destination(0))).unwrap();
    let person = Person { country: Some(*b"FR"), ..Person::default() };
    assert_eq!(decide(program.as_bytes(), &person).unwrap().rule, Some(3));
    assert_eq!(person.asked(), [1, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn nothing_is_allocated_but_for_escapes_of_a_query() {
    let zone = Some("Europe/Berlin");
    let rules = [
        rule(1, vec![condition(Kind::Os, None, &["iOS"])]),
        rule(2, vec![condition(Kind::City, None, &["FR:Paris"])]),
        rule(3, vec![condition(Kind::Language, None, &["fr", "en"])]),
        rule(4, vec![condition(Kind::Query, Some("ref"), &["=a", "~b"])]),
        rule(5, vec![condition(Kind::TimeWindow, zone, &["../1969-01-01T00:00"])]),
        rule(6, vec![condition(Kind::WeeklyHours, zone, &["MON 00:00-24:00"])]),
        rule(7, vec![condition(Kind::Address, None, &["10.0.0.0/8"])]),
    ];
    let program = compile(&LINK, &rules, &split(&[(8, 1), (9, 1)])).unwrap();
    let asks = |query: &str| {
        let person = Person {
            os: Some("Android".to_owned()),
            city: Some("Paris".to_owned()),
            accept_language: "de, nl;q=0.5".to_owned(),
            query: query.to_owned(),
            address: "192.0.2.1".parse().ok(),
            ..Person::default()
        };
        assert_eq!(decide(program.as_bytes(), &person).unwrap().rule, None);
        allocations(|| decide(program.as_bytes(), &person))
    };
    assert_eq!(asks("utm_source=mail&ref=c"), 0);
    assert!(asks("ref=%C3%A9") > 0);
}

#[test]
fn languages_are_looked_up_by_their_weights() {
    let fr = |header: &str| holds(Kind::Language, None, &["fr"], &reads(header));
    for header in
        ["fr", "FR", "fr-CH", "fr-CH, fr;q=0.9, en;q=0.8", "en, fr;q=0.1", " fr ; q=0.001", "de;q=x,fr", "fr-x-a"]
    {
        assert!(fr(header), "{header}");
    }
    for header in ["", "*", "en", "fr;q=0", "fr;q=0.000", "frr", "f", "fr;q=2", "fr;q=0.1234", "fr;level=1", "*-fr"] {
        assert!(!fr(header), "{header}");
    }
    assert!(!holds(Kind::Language, None, &["fr-CH"], &reads("fr, fr-FR;q=0.9")));

    // The preferred one of those that rules name decides, and not the first rule.
    let language = |language: &str| condition(Kind::Language, None, &[language]);
    let rules = [rule(1, vec![language("fr")]), rule(2, vec![language("en")]), rule(3, vec![language("fr-CH")])];
    let program = compile(&LINK, &rules, &Outcome::To(destination(0))).unwrap();
    for (header, rule) in [
        ("en, fr;q=0.5", Some(1)),
        ("en;q=0.4, fr;q=0.5", Some(0)),
        ("da, en-GB;q=0.8, fr;q=0.8", Some(1)),
        ("fr-CH, en;q=0.5", Some(0)),
        ("da, *;q=0.5", None),
    ] {
        assert_eq!(decide(program.as_bytes(), &reads(header)).unwrap().rule, rule, "{header}");
    }
}

#[test]
fn parameters_are_decoded_and_may_come_twice() {
    let has = |query: &str, values: &[&str]| {
        holds(Kind::Query, Some("utm source"), values, &Person { query: query.to_owned(), ..Person::default() })
    };
    assert!(has("a=1&utm+source", &[]) && has("utm%20source=x", &[]) && !has("UTM+source=x", &[]) && !has("", &[]));
    assert!(has("utm+source=a&utm+source=b%26c", &["=x", "=b&c"]) && !has("utm+source=ab", &["=a", "=b"]));
    assert!(has("utm+source=nachtz%C3%BCge", &["~zü"]) && !has("utm+source=nacht", &["~NACHT"]));
    assert!(has("utm+source", &["="]) && has("utm+source=", &["="]) && !has("utm+source=a", &["="]));
    // What comes after 2 KiB is not looked at.
    let late = |before: usize| format!("{}&utm+source", "a".repeat(before));
    assert!(has(&late(2_000), &[]) && !has(&late(2_048), &[]));
}

#[test]
fn hosts_stand_for_those_below_them() {
    let from = |host: Option<&str>| Person { referrer_host: host.map(str::to_owned), ..Person::default() };
    let is = |values: &[&str], host| holds(Kind::Referrer, None, values, &from(host));
    assert!(is(&["example.com"], Some("example.com")) && is(&["example.com"], Some("A.Example.com")));
    assert!(!is(&["example.com"], Some("badexample.com")) && !is(&["example.com"], Some("com")));
    assert!(!is(&["example.com"], None) && is(&["example.com", "none"], None) && !is(&["none"], Some("none.example")));
}

#[test]
fn mapped_addresses_are_those_of_ipv4() {
    let is = |network: &str, address: &str| {
        holds(Kind::Address, None, &[network], &Person { address: address.parse().ok(), ..Person::default() })
    };
    assert!(is("192.0.2.0/25", "192.0.2.127") && !is("192.0.2.0/25", "192.0.2.128"));
    assert!(is("192.0.2.0/24", "::ffff:192.0.2.9") && is("::ffff:192.0.2.0/120", "192.0.2.9"));
    assert!(is("0.0.0.0/0", "198.51.100.1") && !is("0.0.0.0/0", "2001:db8::1") && !is("::/0", "198.51.100.1"));
    assert!(is("2001:db8::/33", "2001:db8:7fff::1") && !is("2001:db8::/33", "2001:db8:8000::1"));
}

#[test]
fn cities_are_compared_without_case_and_by_their_country() {
    let person = Person { city: Some("ZÜRICH".to_owned()), country: Some(*b"CH"), ..Person::default() };
    let is = |value: &str| holds(Kind::City, None, &[value], &person);
    assert!(is("zürich") && is("CH:Zürich") && !is("US:Zürich") && !is("Zür"));
    let from = |region: &str| Person { region: Some(region.to_owned()), ..Person::default() };
    assert!(
        holds(Kind::Region, None, &["DE-BY"], &from("DE-BY")) && !holds(Kind::Region, None, &["DE-BY"], &from("DE-BE"))
    );
}

/// The minutes after a time of UTC during which a condition holds, as stretches.
fn open(kind: Kind, zone: &str, value: &str, from: (i32, u32, u32), minutes: i64) -> Vec<RangeInclusive<i64>> {
    let start = Utc.with_ymd_and_hms(from.0, from.1, from.2, 0, 0, 0).unwrap().timestamp();
    let program =
        compile(&LINK, &[rule(1, vec![condition(kind, Some(zone), &[value])])], &Outcome::To(destination(0))).unwrap();
    let mut stretches: Vec<RangeInclusive<i64>> = Vec::new();
    for minute in 0..minutes {
        let now = (start + minute * 60) * 1_000;
        if decide(program.as_bytes(), &Person { now, ..Person::default() }).unwrap().rule.is_none() {
            continue;
        }
        match stretches.last_mut() {
            Some(last) if *last.end() == minute - 1 => *last = *last.start()..=minute,
            _ => stretches.push(minute..=minute),
        }
    }
    stretches
}

#[test]
fn hours_of_the_week_are_what_clocks_show() {
    let hours = |value: &str, from, minutes| open(Kind::WeeklyHours, "Europe/Berlin", value, from, minutes);
    // 2026-11-27 is a Friday, and Berlin an hour before UTC: 22:00 is minute 1260.
    assert_eq!(hours("FRI 22:00-02:00", (2026, 11, 27), 2_880), [1_260..=1_499]);
    // Sunday's night ends on Monday.
    assert_eq!(hours("SUN 23:00-01:00", (2026, 11, 29), 2_880), [1_320..=1_439]);
    assert_eq!(hours("MON-FRI 09:00-17:30", (2026, 11, 29), 2_880), [1_920..=2_429]);
    assert_eq!(hours("MON-SUN 00:00-24:00", (2026, 11, 27), 1_000), [0..=999]);
    // Spring: 01:00 UTC is 03:00, and nothing between 02:00 and 03:00 comes.
    assert_eq!(hours("SUN 02:00-03:00", (2026, 3, 29), 300), []);
    assert_eq!(hours("SUN 01:30-03:30", (2026, 3, 29), 300), [30..=89]);
    // Autumn: 01:00 UTC is 02:00 for the second time.
    assert_eq!(hours("SUN 02:00-03:00", (2026, 10, 25), 300), [0..=119]);
    assert_eq!(hours("SAT 23:00-02:30", (2026, 10, 25), 300), [0..=29, 60..=89]);
    // No time of the calendar.
    for now in [i64::MIN, i64::MAX, 8_210_266_876_799_999, -8_334_601_228_800_000] {
        for zone in ["Asia/Tokyo", "America/New_York"] {
            let person = Person { now, ..Person::default() };
            assert!(!holds(Kind::WeeklyHours, Some(zone), &["MON-SUN 12:00-12:01"], &person), "{now}");
        }
    }
}

#[test]
fn windows_begin_and_end_at_the_first_moment_of_their_time_or_a_later() {
    let window = |value: &str, from, minutes| open(Kind::TimeWindow, "Europe/Berlin", value, from, minutes);
    assert_eq!(window("2026-11-27T00:00/2026-11-28T00:00", (2026, 11, 26), 4_000), [1_380..=2_819]);
    // Spring: what begins in the hour that is left out begins after it.
    assert_eq!(window("2026-03-29T02:30/2026-03-29T03:10", (2026, 3, 29), 300), [60..=69]);
    assert_eq!(window("2026-03-29T01:30/2026-03-29T02:30", (2026, 3, 29), 300), [30..=59]);
    // Autumn: of the hour that comes twice, the first.
    assert_eq!(window("2026-10-25T02:30/2026-10-25T03:00", (2026, 10, 25), 300), [30..=119]);
    assert_eq!(window("2026-10-25T02:00/2026-10-25T02:30", (2026, 10, 25), 300), [0..=29]);
    // The whole 30th of December 2011 was left out on Samoa.
    let samoa = |value: &str| open(Kind::TimeWindow, "Pacific/Apia", value, (2011, 12, 30), 1_440);
    assert_eq!(samoa("2011-12-30T12:00/2011-12-31T01:00"), [600..=659]);
    assert_eq!(window("../2026-11-27T01:00", (2026, 11, 27), 60), []);
    assert_eq!(window("2026-11-27T01:30/..", (2026, 11, 27), 60), [30..=59]);
}

#[test]
fn what_is_no_program_is_an_error() {
    let program = compile(&LINK, &[], &Outcome::To(destination(1))).unwrap().into_bytes();
    let other_version = [&[2], &program[1..]].concat();
    for bytes in [&[][..], &program[..20], &program[..program.len() - 1], &other_version] {
        assert_eq!(decide(bytes, &Person::default()), Err(Damaged));
        assert_eq!(explain(bytes, &Person::default()), Err(Damaged));
    }
}
