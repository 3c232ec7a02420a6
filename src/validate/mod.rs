//! The rules of texts that callers write: one function each, used by the operations, which are the last to judge, and
//! by the facade, which finds all violations of a request first.

mod length;
mod name;
mod nearest;

use std::sync::LazyLock;

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};
use regex::Regex;
use url::{Host, Url};

pub(crate) use self::{
    length::within,
    name::{MAX_NAME, NAME_PATTERN, TAG_PATTERN, TEXT_PATTERN, check_line, check_name, check_tag, check_text},
    nearest::nearest,
};

/// Longest e-mail address (RFC 5321 §4.5.3.1.3 allows a path of 256 octets with its brackets).
pub(crate) const MAX_EMAIL: i32 = 254;
/// Shortest password (NIST SP 800-63B §5.1.1.2).
pub(crate) const MIN_PASSWORD: i32 = 8;
/// Longest password: enough for any passphrase, little enough to hash.
pub(crate) const MAX_PASSWORD: i32 = 200;
pub(crate) const MAX_URL: i32 = 2_048;
pub(crate) const MAX_SLUG: i32 = 64;
/// Longest name in DNS, without final dot (RFC 1035 §2.3.4).
pub(crate) const MAX_DOMAIN: i32 = 253;
/// Shortest subdomain: shorter ones are too few to give away.
pub(crate) const MIN_SUBDOMAIN: i32 = 3;
/// Longest label in DNS (RFC 1035 §2.3.4).
pub(crate) const MAX_LABEL: i32 = 63;
/// Longest text, in bytes, that is read as a host's name: four for each character of the longest name.
const MAX_HOST_TEXT: usize = 1_012;

/// E-mail addresses as HTML's `<input type=email>` takes them, with a dot in the domain.
pub(crate) const EMAIL_PATTERN: &str = r"^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$";
/// All texts but those whose host is, from the ninth character on, longer than a name in DNS: `https://` has eight. Clients may
/// refuse a value that a pattern leaves out, and no narrower one fits all that the parser of URLs takes.
pub(crate) const URL_PATTERN: &str = r"^([\s\S]{0,7}|[\s\S]{8}[A-Za-z0-9.-]{0,254}([^A-Za-z0-9.-][\s\S]*)?)$";
pub(crate) const SLUG_PATTERN: &str = r"^[A-Za-z0-9_-]+$";
/// Subdomains: words between single hyphens.
pub(crate) const SUBDOMAIN_PATTERN: &str = "^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$";

#[expect(clippy::expect_used, reason = "a constant pattern, compiled by a test")]
static EMAIL: LazyLock<Regex> = LazyLock::new(|| Regex::new(EMAIL_PATTERN).expect("a pattern"));

/// The error message for a text that is too short or too long.
pub(crate) fn length_message(min: i32, max: i32) -> String {
    if min == 0 {
        format!("must have at most {max} characters")
    } else {
        format!("must have {min} to {max} characters")
    }
}

/// Checks an e-mail address.
pub(crate) fn check_email(text: &str) -> Result<(), &'static str> {
    let fits = text.len() <= MAX_EMAIL.unsigned_abs() as usize && EMAIL.is_match(text);
    if fits { Ok(()) } else { Err("must be an e-mail address") }
}

/// Checks a new password.
pub(crate) fn check_password(text: &str) -> Result<(), &'static str> {
    if within(text, MIN_PASSWORD, MAX_PASSWORD) { Ok(()) } else { Err("must have 8 to 200 characters") }
}

/// Checks the shape of a slug.
pub(crate) fn check_slug(text: &str) -> Result<(), &'static str> {
    let shaped = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    let fits = shaped && (1..=MAX_SLUG.unsigned_abs() as usize).contains(&text.len());
    if fits { Ok(()) } else { Err("must have 1 to 64 of the characters A-Z, a-z, 0-9, _ and -") }
}

/// The slug that a request's path names, if it names one. A slash, dots and commas at the end of a path are no part of it: addresses
/// are copied out of texts with them.
pub(crate) fn slug_of_path(path: &str) -> Option<&str> {
    let slug = path.strip_prefix('/')?;
    // Most paths are as they should be.
    if check_slug(slug).is_ok() {
        return Some(slug);
    }
    Some(slug.trim_end_matches(['/', '.', ','])).filter(|slug| check_slug(slug).is_ok())
}

/// Parses a destination: judged, stored and sent is the parsed URL, never the text, which browsers may read otherwise.
pub(crate) fn check_destination_url(text: &str) -> Result<Url, &'static str> {
    if !within(text, 1, MAX_URL) {
        return Err("must have at most 2048 characters");
    }
    let url = Url::parse(text).map_err(|_| "is not a valid URL")?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("must be an http or https URL");
    }
    match url.host() {
        // The parser lets characters pass that no name in DNS has.
        Some(Host::Domain(name)) if !is_host_name(name) => return Err("must have a host"),
        None => return Err("must have a host"),
        Some(_) => {}
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("must not contain credentials");
    }
    // The parser adds a slash to a bare host.
    if url.as_str().len() > MAX_URL.unsigned_abs() as usize + 1 {
        return Err("must have at most 2048 characters");
    }
    // Events have URLs in JSON, which of a URL's characters writes the backslash alone with two.
    if url.as_str().len() + url.as_str().matches('\\').count() > MAX_URL.unsigned_abs() as usize + 1 {
        return Err("must have at most 2048 characters, of which a backslash counts as two");
    }
    // The URL becomes a header value; the check enforces that the parser's output is ASCII.
    if !url.as_str().bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err("is not a valid URL");
    }
    Ok(url)
}

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

    use super::*;

    #[test]
    fn hostile_destinations_are_refused() {
        for text in [
            "",
            " ",
            "example.com",
            "//example.com",
            "/path",
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "ftp://example.com",
            "mailto:a@example.com",
            "http://",
            "http:///",
            "https://?x",
            "http://user@example.com",
            "http://:pw@example.com",
            "http://a:b@example.com",
            "java\nscript:alert(1)",
            "blob:https://example.com/x",
            "about:blank",
            "ws://example.com",
            "http://exa mple.com",
            "http://[::1",
            "http://256.256.256.256/",
            "http://example.com:99999/",
            "http://xn--a/",
            "view-source:http://a.b",
            "https://exam*ple.com",
            "https://-example.com",
            "https://example-.com",
            "https://example..com",
            "https://.",
            &format!("https://{}.example", "a".repeat(64)),
            &format!("https://{}", "a".repeat(64)),
            &format!("https://{}a", "a.".repeat(127)),
        ] {
            assert!(check_destination_url(text).is_err(), "{text}");
        }
        for host in [
            format!("{}.example", "a".repeat(63)),
            format!("{}ab", "a.".repeat(125)),
            format!("{}a.", "a.".repeat(126)),
        ] {
            assert!(check_destination_url(&format!("https://{host}")).is_ok(), "{host}");
        }
        assert!(check_destination_url(&format!("https://example.com/{}", "a".repeat(2_048))).is_err());
        assert!(check_destination_url(&format!("https://example.com/{}", "é".repeat(700))).is_err());
        assert!(check_destination_url(&format!("https://example.com?{}", "a".repeat(2_028))).is_ok());
    }

    #[test]
    fn destinations_are_normalised() {
        for (text, stored) in [
            ("https://example.com", "https://example.com/"),
            ("HTTPS://EXAMPLE.com/A?b#c", "https://example.com/A?b#c"),
            ("https://bücher.example/ä?ö=ü#é", "https://xn--bcher-kva.example/%C3%A4?%C3%B6=%C3%BC#%C3%A9"),
            ("https://1password.example:443/", "https://1password.example/"),
            ("http://deploy-1--my_site.example.:080", "http://deploy-1--my_site.example./"),
            ("http://192.0.2.1:8080/'\"<>", "http://192.0.2.1:8080/'%22%3C%3E"),
            ("http://[2001:db8::1]/", "http://[2001:db8::1]/"),
            ("https:\\\\example.com\\x", "https://example.com/x"),
            ("http://0x7f000001/", "http://127.0.0.1/"),
            ("http://exa\tmple.com/\r\nX: y", "http://example.com/X:%20y"),
        ] {
            assert_eq!(check_destination_url(text).unwrap().as_str(), stored);
        }
    }

    #[test]
    fn what_follows_a_slug_in_a_text_is_cut_off() {
        let longest = format!("/{}", "a".repeat(64));
        for (path, slug) in [
            ("/Spring", Some("Spring")),
            ("/Spring/", Some("Spring")),
            ("/Spring.", Some("Spring")),
            ("/Spring,", Some("Spring")),
            ("/Spring/.,", Some("Spring")),
            ("/Spring...", Some("Spring")),
            ("/-_-/", Some("-_-")),
            (&longest, Some(&longest[1..])),
            (&format!("{longest}."), Some(&longest[1..])),
            (&format!("{longest}a."), None),
            ("/", None),
            ("", None),
            ("/.", None),
            ("//", None),
            ("/Spring/more", None),
            ("/Spring/more/", None),
            ("//Spring", None),
            ("/.Spring", None),
            ("/Spring.html", None),
            ("/Spring%2E", None),
            ("/Spring+", None),
            ("Spring.", None),
        ] {
            assert_eq!(slug_of_path(path), slug, "{path}");
        }
    }

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

    #[test]
    fn emails() {
        for email in ["a@example.com", "a.b+c@sub.example.co.uk"] {
            assert!(check_email(email).is_ok(), "{email}");
        }
        for email in [
            "",
            "a",
            "a@",
            "@example.com",
            "a@example",
            "a b@example.com",
            "a@example.com\n",
            "a@-x.com",
            ".a@x.com",
            "a..b@x.com",
        ] {
            assert!(check_email(email).is_err(), "{email:?}");
        }
    }

    proptest! {
        #[test]
        fn an_accepted_destination_is_a_header_and_parses_to_itself(text in "(https?:)?[/\\\\]{0,3}[a-z0-9.:@*_%é-]{0,12}\\PC{0,40}") {
            if let Ok(url) = check_destination_url(&text) {
                prop_assert!(axum::http::HeaderValue::from_str(url.as_str()).is_ok());
                prop_assert_eq!(check_destination_url(url.as_str()).unwrap(), url.clone());
                prop_assert!(url.username().is_empty() && url.host_str().is_some());
            }
        }

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

        #[test]
        fn slugs_are_exactly_the_documented_ones(text in "\\PC{0,70}") {
            let documented = Regex::new(SLUG_PATTERN).unwrap().is_match(&text) && text.len() <= 64;
            prop_assert_eq!(check_slug(&text).is_ok(), documented);
        }
    }
}
