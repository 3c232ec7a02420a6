//! The rules of names in DNS: hosts, domains that links could be served on, and subdomains.

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

use super::length::within;

/// Longest name in DNS, without final dot (RFC 1035 §2.3.4).
pub(crate) const MAX_DOMAIN: i32 = 253;
/// Shortest subdomain: shorter ones are too few to give away.
pub(crate) const MIN_SUBDOMAIN: i32 = 3;
/// Longest label in DNS (RFC 1035 §2.3.4).
pub(crate) const MAX_LABEL: i32 = 63;
/// Longest text, in bytes, that is read as a host's name: four for each character of the longest name.
const MAX_HOST_TEXT: usize = 1_012;
/// Subdomains: words between single hyphens.
pub(crate) const SUBDOMAIN_PATTERN: &str = "^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$";

/// A host's name as DNS has it: A-labels in lower case, without final dot. None for what is no name in DNS.
pub(crate) fn host_name(text: &str) -> Option<String> {
    if text.len() > MAX_HOST_TEXT {
        return None;
    }
    let ascii = Uts46::new()
        .to_ascii(text.as_bytes(), AsciiDenyList::URL, Hyphens::Allow, DnsLength::VerifyAllowRootDot)
        .ok()?;
    is_host_name(&ascii).then(|| ascii.strip_suffix('.').unwrap_or(&ascii).to_owned())
}

/// The name of a domain that links could be served on, as DNS has it.
pub(crate) fn check_domain_name(text: &str) -> Result<String, &'static str> {
    let name = host_name(text).filter(|name| {
        let top = name.rsplit_once('.').map(|(_, top)| top);
        // No address is a name: its last label is a number.
        top.is_some_and(|top| top.starts_with(|first: char| first.is_ascii_alphabetic())) && !name.contains('_')
    });
    name.ok_or("must be a domain name, such as go.example.com")
}

/// Whether an ASCII name has the shape of those that [`check_domain_name`] answers, in any case and without final dot. It
/// allocates nothing, and passes A-labels that no text has.
pub(crate) fn is_domain_name(name: &str) -> bool {
    let is_label = |label: &str| {
        let ends = [label.as_bytes().first(), label.as_bytes().last()];
        label.len() <= MAX_LABEL.unsigned_abs() as usize
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && ends.into_iter().all(|end| end.is_some_and(u8::is_ascii_alphanumeric))
    };
    name.len() <= MAX_DOMAIN.unsigned_abs() as usize
        && name.rsplit_once('.').is_some_and(|(_, top)| top.starts_with(|first: char| first.is_ascii_alphabetic()))
        && name.split('.').all(is_label)
}

/// Whether the text is the label of a subdomain, in any case.
pub(crate) fn is_subdomain(text: &str) -> bool {
    let words = text.split('-').all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    words && within(text, MIN_SUBDOMAIN, MAX_LABEL)
}

/// The label of a subdomain, in lower case.
pub(crate) fn check_subdomain(text: &str) -> Result<String, &'static str> {
    if is_subdomain(text) {
        Ok(text.to_ascii_lowercase())
    } else {
        Err("must have 3 to 63 of the characters A-Z, a-z and 0-9, with single hyphens between them")
    }
}

/// Whether the text consists of labels as DNS has them, with underscores, and perhaps a dot at the end: at most
/// [`MAX_LABEL`] characters in a label and [`MAX_DOMAIN`] in all.
pub(crate) fn is_host_name(text: &str) -> bool {
    let name = text.strip_suffix('.').unwrap_or(text);
    name.len() <= MAX_DOMAIN.unsigned_abs() as usize
        && name.split('.').all(|label| {
            let is_label = label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
            let fits = (1..=MAX_LABEL.unsigned_abs() as usize).contains(&label.len());
            is_label && fits && !label.starts_with('-') && !label.ends_with('-')
        })
}

/// The host of an authority (RFC 3986 §3.2), without its port.
pub(crate) fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;
    use url::Host;

    use super::*;

    #[test]
    fn ports_are_cut_off() {
        for (authority, host) in [
            ("a.example", "a.example"),
            ("a.example:80", "a.example"),
            ("[::1]:8080", "[::1]"),
            ("[::1]", "[::1]"),
            ("a.example:", "a.example:"),
        ] {
            assert_eq!(without_port(authority), host);
        }
    }

    #[test]
    fn domain_names_are_those_that_dns_has() {
        for (text, stored) in [
            ("Go.Example.COM", "go.example.com"),
            ("go.example.com.", "go.example.com"),
            ("bücher.example", "xn--bcher-kva.example"),
            ("XN--bcher-kva.example", "xn--bcher-kva.example"),
            ("例え。テスト", "xn--r8jz45g.xn--zckzah"),
            ("a--b.1.co", "a--b.1.co"),
        ] {
            assert_eq!(check_domain_name(text).as_deref(), Ok(stored));
        }
        for text in [
            "",
            ".",
            "localhost",
            "example.",
            ".example.com",
            "a..example",
            "-a.example",
            "a-.example",
            "a_b.example",
            "192.0.2.1",
            "[::1]",
            "::1",
            "a.0x1",
            "xn--a.example",
            "a b.example",
            "a.example:80",
            "https://a.example",
            "a.example/",
            "a.example..",
            "*.example.com",
            "a\0b.example",
            "a@b.example",
            &format!("{}.example", "a".repeat(64)),
            &format!("{}a", "a.".repeat(127)),
        ] {
            assert!(check_domain_name(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_longest_names_have_253_bytes_in_labels_of_63() {
        let label = "a".repeat(63);
        let longest = format!("{label}.{label}.{label}.{}", &label[..61]);
        assert_eq!(longest.len(), 253);
        assert!(is_domain_name(&longest) && check_domain_name(&longest).is_ok());
        for name in
            [format!("{longest}a"), format!("a{label}.example"), format!("{label}.example.a-"), "A.-b.c".to_owned()]
        {
            assert!(!is_domain_name(&name) && check_domain_name(&name).is_err(), "{name}");
        }
        assert_eq!(host_name(&"\u{ad}".repeat(600)), None, "ignored characters are not read without end");
    }

    proptest! {
        #[test]
        fn an_accepted_domain_name_is_a_host_and_parses_to_itself(text in "[a-z0-9é例-]{0,5}(\\.|。)[\\PC]{0,9}[.。]?") {
            if let Ok(name) = check_domain_name(&text) {
                prop_assert!(name.len() <= 253 && name.is_ascii());
                prop_assert_eq!(Host::parse(&name), Ok(Host::Domain(name.clone())));
                prop_assert!(is_domain_name(&name) && is_domain_name(&name.to_ascii_uppercase()));
                prop_assert_eq!(check_domain_name(&name), Ok(name));
            }
        }

        #[test]
        fn subdomains_are_exactly_the_documented_ones(text in "[A-Za-z0-9-]{0,5}\\PC{0,60}") {
            let documented = Regex::new(SUBDOMAIN_PATTERN).unwrap().is_match(&text) && (3..=63).contains(&text.len());
            prop_assert_eq!(check_subdomain(&text).is_ok(), documented);
        }
    }
}
