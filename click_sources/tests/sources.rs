//! Real referrers and URLs of campaigns with the sources and channels that they are to have, and rules that hold for any texts.

use std::borrow::Cow;

use click_sources::{AdClick, Channel, Visit, classify};
use proptest::prelude::*;

/// Lines without comments, by their columns.
fn lines<const N: usize>(file: &'static str) -> Vec<[&'static str; N]> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    let columns = |line: &'static str| {
        let mut columns = line.split('\t');
        [(); N].map(|()| columns.next().unwrap_or("a column is missing"))
    };
    lines.map(columns).collect()
}

fn referrers() -> Vec<[&'static str; 3]> {
    lines(include_str!("data/referrers.tsv"))
}

fn host(referrer: &str) -> &str {
    referrer.split_once("://").map_or("", |(_, rest)| rest.split(['/', '?']).next().unwrap_or_default())
}

fn is(visit: &Visit<'_>, source: &str, channel: &str, of: &str) {
    let (found, by) = classify(visit);
    assert_eq!((found.unwrap_or("-"), by.name()), (source, channel), "{of}");
}

#[test]
fn referrers_have_the_sources_that_people_know() {
    let referrers = referrers();
    assert!(referrers.len() >= 60, "{}", referrers.len());
    for [referrer, source, channel] in referrers {
        is(&Visit { referrer_host: host(referrer), ..Visit::default() }, source, channel, referrer);
    }
}

#[test]
fn campaigns_have_the_channels_of_the_public_definitions() {
    let campaigns = lines::<4>(include_str!("data/campaigns.tsv"));
    assert!(campaigns.len() >= 30, "{}", campaigns.len());
    for [url, referrer, source, channel] in campaigns {
        let (_, query) = url.split_once('?').unwrap();
        let parameters: Vec<_> = form_urlencoded::parse(query.as_bytes()).collect();
        let parameter = |name: &str| {
            let found = parameters.iter().find(|(known, _)| known == name);
            found.map_or(Cow::Borrowed(""), |(_, value)| value.clone())
        };
        let (utm_source, utm_medium) = (parameter("utm_source"), parameter("utm_medium"));
        let visit = Visit {
            referrer_host: host(referrer),
            utm_source: &utm_source,
            utm_medium: &utm_medium,
            utm_campaign: &parameter("utm_campaign"),
            is_scan: parameters.iter().any(|(name, _)| name == "qr"),
            ad_click: parameters.iter().find_map(|(name, _)| AdClick::of_parameter(name)),
        };
        is(&visit, source, channel, &format!("{url} from {referrer}"));
    }
}

#[test]
fn ad_clicks_are_read_by_the_numbers_that_they_are_kept_by() {
    let kinds: Vec<AdClick> = (1..=9).map(|number| AdClick::of_number(number).unwrap()).collect();
    for (number, kind) in (1..).zip(kinds) {
        assert_eq!(kind as u8, number);
    }
    assert_eq!((AdClick::of_number(0), AdClick::of_number(10)), (None, None));
}

/// A text of a visit: a known one, a part of one, or any.
fn text() -> impl Strategy<Value = String> {
    const KNOWN: &[&str] = &[
        "google",
        "fb-ads",
        "paid",
        "email",
        "CPC",
        "(none)",
        "push",
        "www.",
        "t.co",
        "google.co.uk",
        "com.slack",
        "qr",
    ];
    prop_oneof![Just(String::new()), prop::sample::select(KNOWN).prop_map(str::to_owned), ".{0,12}", "[a-zA-Z.]{0,24}"]
}

proptest! {
    /// The case of letters changes neither source nor channel; a source is the text of a visit, or a name of the table.
    #[test]
    fn any_texts_have_a_channel_in_any_case(texts in prop::array::uniform4(text()), is_scan: bool, number in 0_u8..12) {
        let classified = |[referrer_host, utm_source, utm_medium, utm_campaign]: &[String; 4]| {
            let ad_click = AdClick::of_number(number);
            let visit = Visit { referrer_host, utm_source, utm_medium, utm_campaign, is_scan, ad_click };
            let (source, channel) = classify(&visit);
            (source.map(str::to_ascii_lowercase), channel)
        };
        let (source, channel) = classified(&texts);
        let [upper, lower] = [str::to_ascii_uppercase, str::to_ascii_lowercase].map(|case| texts.each_ref().map(|text| case(text)));
        prop_assert_eq!(&classified(&upper), &(source.clone(), channel));
        prop_assert_eq!(&classified(&lower), &(source.clone(), channel));
        prop_assert!(channel != Channel::Direct || source.is_none());
        prop_assert!(!is_scan || channel == Channel::Qr);
    }

    /// A host belongs to a source at the boundaries of labels only.
    #[test]
    fn names_of_hosts_are_compared_by_labels(place in any::<prop::sample::Index>(), before in "[a-z0-9]{1,8}", after in "[a-z]{3,8}") {
        let all = referrers();
        let known: Vec<_> = all.iter().filter(|line| host(line[0]).ends_with(".com") && !line[2].contains("REFERRAL")).collect();
        let [referrer, source, _] = *place.get(&known);
        let of = |referrer_host: &str| classify(&Visit { referrer_host, ..Visit::default() }).0.map(str::to_owned);
        let host = host(referrer);
        let below = of(&format!("{before}.{host}"));
        prop_assert_eq!(below.as_deref(), Some(*source));
        let site = host.rsplit('.').nth(1).unwrap();
        for other in [format!("{before}{site}.com"), format!("{host}.{after}.example"), format!("{before}-{site}.com")] {
            let expected = other.strip_prefix("www.").unwrap_or(&other);
            let found = of(&other);
            prop_assert_eq!(found.as_deref(), Some(expected));
        }
    }
}
