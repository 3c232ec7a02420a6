//! Texts of conditions: what is allowed, and its normal form.

use link_rules::{Condition, Invalid, Kind, Written};

use crate::support::written;

fn normal(kind: Kind, key: Option<&str>, values: &[&str]) -> Vec<String> {
    let read = Condition::read(&written(kind, key, values)).unwrap().written();
    assert_eq!((read.kind, read.key.as_deref()), (kind, key));
    read.values
}

fn refused(kind: Kind, key: Option<&str>, values: &[&str]) -> Invalid {
    Condition::read(&written(kind, key, values)).expect_err(&format!("{kind:?} {key:?} {values:?}"))
}

#[test]
fn values_have_a_normal_form() {
    let berlin = Some("Europe/Berlin");
    for (kind, key, values, expected) in [
        (Kind::Device, None, &["mobile", " TABLET "][..], &["MOBILE", "TABLET"][..]),
        (Kind::Os, None, &["iOS", "IOS", "Windows Phone"], &["iOS", "Windows Phone"]),
        (Kind::Browser, None, &[" Instagram"], &["Instagram"]),
        (Kind::Country, None, &["de", "XK", "DE"], &["DE", "XK"]),
        (Kind::Region, None, &["de-by", "GB-ENG", "FR-75"], &["DE-BY", "GB-ENG", "FR-75"]),
        (Kind::City, None, &["Zürich", "ZÜRICH", "us: Springfield"], &["Zürich", "US:Springfield"]),
        (
            Kind::Language,
            None,
            &["FR", "zh-hant-tw", "de-ch-1996", "en-X-aB"],
            &["fr", "zh-Hant-TW", "de-CH-1996", "en-x-ab"],
        ),
        (Kind::Query, Some("ref"), &[], &[]),
        (Kind::Query, Some("ref"), &["=", "=a=b", "~ x"], &["=", "=a=b", "~ x"]),
        (Kind::TimeWindow, berlin, &["2026-12-01T00:00/.."], &["2026-12-01T00:00/.."]),
        (Kind::TimeWindow, berlin, &[" ../2026-12-01T00:00 "], &["../2026-12-01T00:00"]),
        (Kind::WeeklyHours, berlin, &["mon-fri 09:00-17:30"], &["MON-FRI 09:00-17:30"]),
        (Kind::WeeklyHours, berlin, &["SAT-MON,WED  22:00-00:00"], &["MON,WED,SAT-SUN 22:00-24:00"]),
        (Kind::WeeklyHours, berlin, &["SUN 00:00-24:00", "FRI 22:00-02:00"], &["SUN 00:00-24:00", "FRI 22:00-02:00"]),
        (Kind::Referrer, None, &["Example.COM.", "NONE"], &["example.com", "none"]),
        (Kind::Address, None, &["192.0.2.7/24", "2001:DB8::1"], &["192.0.2.0/24", "2001:db8::1/128"]),
        (Kind::Address, None, &["::ffff:192.0.2.0/120", "192.0.2.0/24"], &["192.0.2.0/24"]),
        (Kind::IsBot, None, &[], &[]),
    ] {
        assert_eq!(normal(kind, key, values), expected);
        let again: Vec<&str> = expected.to_vec();
        assert_eq!(normal(kind, key, &again), expected);
    }
}

#[test]
fn what_is_not_allowed_is_refused_with_its_place() {
    let zone = Some("UTC");
    for (kind, values) in [
        (Kind::Device, &["MOBILE", "TV"][..]),
        (Kind::Os, &["iOS", " "]),
        (Kind::Browser, &["Safari", ""]),
        (Kind::Country, &["GB", "UK"]),
        (Kind::Country, &["GB", "Germany"]),
        (Kind::Region, &["DE-BY", "DE"]),
        (Kind::Region, &["DE-BY", "XX-BY"]),
        (Kind::Region, &["DE-BY", "DE-BYBY"]),
        (Kind::City, &["Bern", "XX:Bern"]),
        (Kind::City, &["Bern", "CH:"]),
        (Kind::Language, &["fr", "*"]),
        (Kind::Language, &["fr", "fr-*"]),
        (Kind::Language, &["fr", "fr_CH"]),
        (Kind::Language, &["fr", "x-klingon"]),
        (Kind::Language, &["fr", "en-x"]),
        (Kind::Language, &["fr", ""]),
        (Kind::Referrer, &["t.co", "https://example.com"]),
        (Kind::Referrer, &["t.co", "example.com:443"]),
        (Kind::Referrer, &["t.co", "exämple.com"]),
        (Kind::Referrer, &["t.co", "a..b"]),
        (Kind::Address, &["::1", "192.0.2.0/33"]),
        (Kind::Address, &["::1", "example.com"]),
    ] {
        let invalid = refused(kind, None, values);
        assert_eq!(invalid.at, "values[1]", "{values:?}");
        assert!(invalid.message.starts_with("must be "), "{}", invalid.message);
    }
    for (kind, values) in [
        (Kind::Query, &["=a", "a"][..]),
        (Kind::Query, &["=a", "~"]),
        (Kind::TimeWindow, &["../2026-01-01T00:00", "../.."]),
        (Kind::TimeWindow, &["../2026-01-01T00:00", "2026-01-01/.."]),
        (Kind::TimeWindow, &["../2026-01-01T00:00", "2026-02-30T00:00/.."]),
        (Kind::TimeWindow, &["../2026-01-01T00:00", "2026-01-01T00:00/2026-01-01T00:00"]),
        (Kind::WeeklyHours, &["MON 09:00-10:00", "MON 09:00-09:00"]),
        (Kind::WeeklyHours, &["MON 09:00-10:00", "MON 00:00-00:00"]),
        (Kind::WeeklyHours, &["MON 09:00-10:00", "MON 9:00-10:00"]),
        (Kind::WeeklyHours, &["MON 09:00-10:00", "MON 24:00-10:00"]),
        (Kind::WeeklyHours, &["MON 09:00-10:00", "MON 09:00-24:01"]),
        (Kind::WeeklyHours, &["MON 09:00-10:00", "MON 09:60-10:00"]),
        (Kind::WeeklyHours, &["MON 09:00-10:00", "MO 09:00-10:00"]),
        (Kind::WeeklyHours, &["MON 09:00-10:00", "09:00-10:00"]),
    ] {
        assert_eq!(refused(kind, zone, values).at, "values[1]", "{values:?}");
    }
    let zoned = ["../2026-01-01T00:00"];
    assert_eq!(refused(Kind::TimeWindow, None, &zoned).at, "key");
    assert_eq!(refused(Kind::TimeWindow, Some("Berlin"), &zoned).at, "key");
    assert_eq!(refused(Kind::Query, None, &[]).at, "key");
    assert_eq!(refused(Kind::Query, Some(""), &[]).at, "key");
    assert_eq!(refused(Kind::Country, Some("DE"), &["DE"]).at, "key");
    assert_eq!(refused(Kind::IsBot, None, &["yes"]).at, "values");
    assert_eq!(refused(Kind::Country, None, &[]).at, "values");
    assert_eq!(refused(Kind::Os, None, &["a"; 51]).at, "values");
    assert_eq!(refused(Kind::Os, None, &["a", &"a".repeat(201)]).at, "values[1]");
    let deep = refused(Kind::Country, None, &["GB", "UK"]).within("conditions[0]").within(format_args!("rules[{}]", 2));
    assert_eq!(
        deep.to_string(),
        "rules[2].conditions[0].values[1] must be a country's two letters of ISO 3166-1, such as DE; the United Kingdom is GB"
    );
}

#[test]
fn a_condition_is_kept_as_json_as_it_is_written() {
    let json = r#"{"kind":"WEEKLY_HOURS","values":["FRI 22:00-02:00"],"key":"Europe/Berlin","negated":true}"#;
    let condition: Condition = serde_json::from_str(json).unwrap();
    assert_eq!(serde_json::to_string(&condition).unwrap(), json);
    assert!(serde_json::from_str::<Condition>(&json.replace("FRI", "FREI")).is_err());
    for kind in Kind::ALL {
        let name = serde_json::to_string(&kind).unwrap();
        assert_eq!(serde_json::from_str::<Kind>(&name).unwrap(), kind);
        assert_eq!(Kind::ALL[kind as usize], kind);
    }
    let read: Written = serde_json::from_str(json).unwrap();
    assert_eq!(condition.written(), read);
}
