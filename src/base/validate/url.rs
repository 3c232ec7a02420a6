//! The rule of destinations.

use url::{Host, Url};

use super::{email::check_email, host::is_host_name, length::within};

/// Longest URL, in characters.
pub(crate) const MAX_URL: i32 = 2_048;
/// All texts but those whose host is, from the ninth character on, longer than a name in DNS: `https://` has eight. Clients may
/// refuse a value that a pattern leaves out, and no narrower one fits all that the parser of URLs takes.
pub(crate) const URL_PATTERN: &str = r"^([\s\S]{0,7}|[\s\S]{8}[A-Za-z0-9.-]{0,254}([^A-Za-z0-9.-][\s\S]*)?)$";

/// Parses a destination. The parsed URL is checked, stored and sent, never the text, which browsers may parse differently.
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

/// Checks the URI of a contact for reports of vulnerabilities (RFC 9116 §2.5.3): an `https:` one, or `mailto:` with one address.
pub(crate) fn check_contact(text: &str) -> Result<(), &'static str> {
    let is_mail = text.strip_prefix("mailto:").is_some_and(|address| check_email(address).is_ok());
    let is_page = || check_destination_url(text).is_ok_and(|url| url.scheme() == "https" && url.as_str() == text);
    if is_mail || is_page() {
        Ok(())
    } else {
        Err("must be like mailto:security@example.com or https://example.com/security")
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

    proptest! {
        #[test]
        fn an_accepted_destination_is_a_header_and_parses_to_itself(text in "(https?:)?[/\\\\]{0,3}[a-z0-9.:@*_%é-]{0,12}\\PC{0,40}") {
            if let Ok(url) = check_destination_url(&text) {
                prop_assert!(axum::http::HeaderValue::from_str(url.as_str()).is_ok());
                prop_assert_eq!(check_destination_url(url.as_str()).unwrap(), url.clone());
                prop_assert!(url.username().is_empty() && url.host_str().is_some());
            }
        }
    }
}
