//! The texts of a request that clicks keep, each in a bounded number of bytes. Pure.

use std::borrow::Cow;

use click_sources::AdClick;

use crate::base::validate::{MAX_LABEL, host_name, without_port};

/// Bytes kept of a user agent; the longest common ones have about 300.
const MAX_USER_AGENT: usize = 512;
/// Bytes kept of any other text; no host name is longer.
const MAX_TEXT: usize = 255;

/// Names of the UTM parameters.
pub(crate) const UTM_NAMES: [&str; 5] = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"];

/// The UTM parameters of a query, in the order of [`UTM_NAMES`]. Of several with one name, the last; empty where there is none.
pub(crate) fn utm(query: &str) -> [Cow<'_, str>; 5] {
    read_query(query).0
}

/// The UTM parameters of a query, and the kind of its ad click: of several, the first that only ads have.
pub(super) fn read_query(query: &str) -> ([Cow<'_, str>; 5], Option<AdClick>) {
    let mut values = [const { Cow::Borrowed("") }; 5];
    let mut ad_click = None;
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        if let Some(field) =
            UTM_NAMES.iter().zip(&mut values).find_map(|(known, field)| (*known == name).then_some(field))
        {
            *field = value;
        } else if ad_click.is_none_or(|kind| kind == AdClick::Meta) {
            ad_click = AdClick::of_parameter(&name).or(ad_click);
        }
    }
    (values, ad_click)
}

/// The UTM parameters as clicks store them, cut to [`MAX_TEXT`] bytes each.
pub(crate) fn kept_utm(query: &str) -> [Cow<'_, str>; 5] {
    utm(query).map(kept)
}

/// A city, told from those of its name in other countries; written as rules have it.
pub(super) fn of_country<'a>(country: Option<&str>, city: &'a str) -> Cow<'a, str> {
    country.map_or(Cow::Borrowed(city), |country| Cow::Owned(format!("{country}:{city}")))
}

pub(super) fn kept(value: Cow<'_, str>) -> Cow<'_, str> {
    match value {
        Cow::Borrowed(value) => shortened(value.as_bytes(), MAX_TEXT),
        Cow::Owned(value) => Cow::Owned(shortened(value.as_bytes(), MAX_TEXT).into_owned()),
    }
}

/// The text of a `User-Agent` field, as far as it is read and stored.
pub(crate) fn user_agent(field: &[u8]) -> Cow<'_, str> {
    shortened(field, MAX_USER_AGENT)
}

/// As text without control characters (PostgreSQL refuses NUL), cut at a character.
fn shortened(bytes: &[u8], max: usize) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(bytes);
    // Text that programs send is nearly always short and plain: then nothing is copied.
    if text.len() <= max && !text.chars().any(char::is_control) {
        return text;
    }
    let mut short: String = text.chars().filter(|character| !character.is_control()).take(max).collect();
    while short.len() > max {
        short.pop();
    }
    Cow::Owned(short)
}

/// The host of a referring URL, without user, port and path: what stands in those may be personal.
pub(crate) fn referrer_host(referrer: &[u8]) -> Cow<'_, str> {
    let Ok(text) = std::str::from_utf8(referrer) else { return Cow::default() };
    let Some((_, rest)) = text.split_once("://") else { return Cow::default() };
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = without_port(host);
    if !host.is_ascii() {
        return host_name(host).unwrap_or_default().into();
    }
    let is_label = |label: &str| label.len() <= MAX_LABEL.unsigned_abs() as usize;
    let is_host = host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_[]:".contains(&byte))
        && host.split('.').all(is_label);
    // All ASCII, so that it can be cut anywhere.
    if is_host { lower_case(&host[..host.len().min(MAX_TEXT)]) } else { Cow::default() }
}

/// The first language range (RFC 9110 §12.5.4), in lower case.
pub(super) fn language(accept_language: &[u8]) -> Cow<'_, str> {
    let Ok(text) = std::str::from_utf8(accept_language) else { return Cow::default() };
    let first = text.split([',', ';']).next().unwrap_or_default().trim();
    let is_tag = first.len() <= 35 && first.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if is_tag { lower_case(first) } else { Cow::default() }
}

fn lower_case(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(text.to_ascii_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_the_host_of_a_referrer_is_kept() {
        for (referrer, host) in [
            ("https://News.Example.org/a?b#c", "news.example.org"),
            ("https://user:secret@example.org:8443/x", "example.org"),
            ("http://[2001:db8::1]:80/", "[2001:db8::1]"),
            ("example.org", ""),
            ("android-app://com.example.app/", "com.example.app"),
            ("https://a b/", ""),
            ("https://M\u{fc}nchen.example:8443/a", "xn--mnchen-3ya.example"),
            ("https://user@\u{4f8b}\u{3048}.jp", "xn--r8jz45g.jp"),
            ("https://\u{fc} b/", ""),
        ] {
            assert_eq!(referrer_host(referrer.as_bytes()), host, "{referrer}");
        }
        // RFC 1035 §2.3.4.
        for (length, is_host) in [(63, true), (64, false)] {
            let host = format!("{}.example", "a".repeat(length));
            assert_eq!(referrer_host(format!("https://{host}/").as_bytes()) == host, is_host);
            let host = format!("\u{fc}{}.example", "a".repeat(length - 8));
            assert_eq!(!referrer_host(format!("https://{host}/").as_bytes()).is_empty(), is_host, "{host}");
        }
    }

    #[test]
    fn an_ad_click_is_one_that_only_ads_have() {
        for (query, kind) in [
            ("gclid=a", Some(AdClick::Google)),
            ("a=b&utm_source=x&wbraid=", Some(AdClick::Google)),
            ("fbclid=a&msclkid=b&gclid=c", Some(AdClick::Microsoft)),
            ("fbclid=a", Some(AdClick::Meta)),
            ("gclid=a&fbclid=b", Some(AdClick::Google)),
            ("GCLID=a&clid=b&gcl%69=c", None),
            ("gcl%69d=c", Some(AdClick::Google)),
        ] {
            assert_eq!(read_query(query).1, kind, "{query}");
        }
    }

    #[test]
    fn the_first_language_is_kept() {
        assert_eq!(language(b"de-CH,de;q=0.9,en;q=0.8"), "de-ch");
        assert_eq!(language(b"*"), "");
        assert_eq!(language(b"en;q=0.5"), "en");
        assert_eq!(language(b"\xff"), "");
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_do_not_panic(bytes: Vec<u8>) {
            let _ = (shortened(&bytes, 7), referrer_host(&bytes), language(&bytes));
        }
    }
}
