//! Random rules and visits, of few values so that they meet.

use std::net::IpAddr;

use link_rules::{Device, Kind, Written};
use proptest::{collection::vec, option, prelude::*, sample::select, strategy::Union};

use super::Person;

const ZONES: &[&str] = &["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"];
const NAMES: &[&str] = &["iOS", "ios", "Android", "Windows", "Safari", "Instagram"];
const COUNTRIES: &[&str] = &["DE", "FR", "US"];
const REGIONS: &[&str] = &["DE-BY", "DE-BE", "US-CA"];
const CITIES: &[&str] = &["Springfield", "SPRINGFIELD", "Zürich", "zÜRICH", "Oslo"];
const LANGUAGES: &[&str] = &["fr", "fr-CH", "en", "en-GB", "zh-Hant", "zh-Hant-TW", "de", "*", "FR-ch", "f"];
const HOSTS: &[&str] = &["example.com", "news.example.com", "badexample.com", "t.co", "com"];
const ADDRESSES: &[&str] =
    &["192.0.2.1", "192.0.2.130", "198.51.100.7", "2001:db8::1", "2001:db8:1::1", "::ffff:192.0.2.1"];
const NETWORKS: &[&str] =
    &["192.0.2.0/24", "192.0.2.128/25", "0.0.0.0/0", "192.0.2.1/32", "2001:db8::/32", "2001:db8:1::/48", "::/0"];
const TEXTS: &[&str] = &["a", "b", "ab", "a b", "é", "aé"];
const PARAMETERS: &[&str] = &["a", "b", "ref"];
const SENT: &[&str] = &["a", "b", "ab", "a+b", "%C3%A9", "%61%C3%A9", "", "ref"];
/// Around changes of clocks, in spring and autumn.
const TIMES: &[&str] = &[
    "2026-03-29T01:59",
    "2026-03-29T02:30",
    "2026-03-29T03:00",
    "2026-10-25T02:00",
    "2026-10-25T02:30",
    "2026-10-25T03:00",
    "2026-11-01T01:30",
    "2026-04-05T01:45",
    "2026-10-04T02:15",
    "2026-06-01T00:00",
];
/// Some of their moments: Unix seconds.
const MOMENTS: &[i64] = &[1_774_746_000, 1_792_890_000, 1_793_512_800, 1_775_314_800, 1_791_041_400, 1_780_272_000];
const HOURS: &[&str] = &["00:00", "01:30", "02:00", "02:30", "09:00", "17:30", "22:00"];
const DAYS: &[&str] = &["MON", "SUN", "SAT-SUN", "FRI-MON", "MON-SUN", "TUE,THU-FRI"];

fn owned(texts: &'static [&'static str]) -> impl Strategy<Value = String> {
    select(texts).prop_map(str::to_owned)
}

/// Conditions of each kind, without their signs.
fn kinds() -> Vec<BoxedStrategy<Written>> {
    let of = |kind: Kind, values: BoxedStrategy<String>| {
        vec(values, 1..4).prop_map(move |values| Written { kind, values, key: None, negated: false }).boxed()
    };
    let keyed = |kind: Kind, keys: &'static [&'static str], values: BoxedStrategy<String>, least: usize| {
        let both = (owned(keys), vec(values, least..4));
        both.prop_map(move |(key, values)| Written { kind, values, key: Some(key), negated: false }).boxed()
    };
    let cities =
        prop_oneof![owned(CITIES), (owned(COUNTRIES), owned(CITIES)).prop_map(|(code, name)| code + ":" + &name)];
    let languages = owned(LANGUAGES).prop_filter("a tag", |tag| tag.len() > 1);
    let query = (owned(&["=", "~"]), owned(TEXTS)).prop_map(|(how, text)| how + &text);
    let windows = (owned(TIMES), owned(TIMES), 0..3).prop_map(|(one, other, open)| match open {
        0 => format!("../{one}"),
        1 => format!("{one}/.."),
        // Times of one day may be one moment.
        _ if one[..10] < other[..10] => format!("{one}/{other}"),
        _ => format!("{other}/{}", one.replace("2026", "2027")),
    });
    let hours = (owned(DAYS), owned(HOURS), owned(HOURS)).prop_map(|(days, from, until)| match until {
        until if from == until => format!("{days} {from}-24:00"),
        until => format!("{days} {from}-{until}"),
    });
    vec![
        of(Kind::Device, owned(&["MOBILE", "TABLET", "DESKTOP"]).boxed()),
        of(Kind::Os, owned(NAMES).boxed()),
        of(Kind::Browser, owned(NAMES).boxed()),
        of(Kind::Country, owned(COUNTRIES).boxed()),
        of(Kind::Region, owned(REGIONS).boxed()),
        of(Kind::City, cities.boxed()),
        of(Kind::Language, languages.boxed()),
        keyed(Kind::Query, PARAMETERS, query.boxed(), 0),
        keyed(Kind::TimeWindow, ZONES, windows.boxed(), 1),
        keyed(Kind::WeeklyHours, ZONES, hours.boxed(), 1),
        of(Kind::Referrer, prop_oneof![owned(HOSTS), Just("none".to_owned())].boxed()),
        of(Kind::Address, owned(NETWORKS).boxed()),
        Just(Written { kind: Kind::IsBot, values: Vec::new(), key: None, negated: false }).boxed(),
    ]
}

fn signed(condition: impl Strategy<Value = Written>) -> impl Strategy<Value = Written> {
    (condition, any::<bool>()).prop_map(|(condition, negated)| Written { negated, ..condition })
}

/// The conditions of up to `count` rules. Two rules in three have one condition, so that they match now and then.
pub(crate) fn rules(count: usize) -> impl Strategy<Value = Vec<Vec<Written>>> {
    let condition = || signed(Union::new(kinds()));
    let conditions = prop_oneof![2 => vec(condition(), 1..2), 1 => vec(condition(), 2..4)];
    vec(conditions, 0..=count)
}

/// Some conditions of one kind.
pub(crate) fn of_one_kind() -> impl Strategy<Value = Vec<Written>> {
    select(kinds()).prop_flat_map(|kind| vec(signed(kind), 8))
}

/// A visit.
pub(crate) fn person() -> impl Strategy<Value = Person> {
    let device = option::of(select(vec![Device::Mobile, Device::Tablet, Device::Desktop]));
    let agent = (device, option::of(owned(NAMES)), option::of(owned(NAMES)), any::<bool>());
    let country = option::of(select(COUNTRIES)).prop_map(|code| code.map(|code| code.as_bytes().try_into().unwrap()));
    let place = (country, option::of(owned(REGIONS)), option::of(owned(CITIES)));
    let range = (owned(LANGUAGES), owned(&["", ";q=0", ";q=0.5", ";q=0.25", ";q=1.000"]));
    let languages = vec(range.prop_map(|(range, weight)| range + &weight), 0..4).prop_map(|ranges| ranges.join(", "));
    let pair = (owned(SENT), option::of(owned(SENT))).prop_map(|(name, value)| match value {
        Some(value) => name + "=" + &value,
        None => name,
    });
    let query = vec(pair, 0..4).prop_map(|pairs| pairs.join("&"));
    let now = (select(MOMENTS), -200_i64..200, 0_i64..60_000)
        .prop_map(|(at, minutes, rest)| (at + minutes * 60) * 1_000 + rest);
    let address = option::of(select(ADDRESSES)).prop_map(|address| address.map(|it| it.parse::<IpAddr>().unwrap()));
    let sent = (languages, query, now, option::of(owned(HOSTS)), address);
    (agent, place, sent, any::<[u8; 16]>()).prop_map(|(agent, place, sent, network)| {
        let (device, os, browser, is_bot) = agent;
        let (country, region, city) = place;
        let (accept_language, query, now, referrer_host, address) = sent;
        Person {
            device,
            os,
            browser,
            is_bot,
            country,
            region,
            city,
            accept_language,
            query,
            now,
            referrer_host,
            address,
            network,
            ..Person::default()
        }
    })
}
