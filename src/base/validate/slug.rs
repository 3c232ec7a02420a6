//! The rule of slugs, and how the path of a request names one.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::name::without_invisible;

pub(crate) const MAX_SLUG: i32 = 64;
pub(crate) const SLUG_PATTERN: &str = r"^[A-Za-z0-9_-]+$";

/// Checks the shape of a slug.
pub(crate) fn check_slug(text: &str) -> Result<(), &'static str> {
    let shaped = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    let fits = shaped && (1..=MAX_SLUG.unsigned_abs() as usize).contains(&text.len());
    if fits { Ok(()) } else { Err("must have 1 to 64 of the characters A-Z, a-z, 0-9, _ and -") }
}

/// The slug that a request's path names, if it names one. Short URLs are pasted with what surrounds them in a text: slashes in front, and
/// at the end punctuation, spaces and whatever else is neither letter nor digit, are no part of the slug; nor are invisible characters
/// anywhere. Percent-encoded characters are the characters (RFC 3986 §6.2.2.2; mail gateways encode letters too).
pub(crate) fn slug_of_path(path: &str) -> Option<Cow<'_, str>> {
    let slug = path.strip_prefix('/')?;
    // Most paths are as they should be.
    if check_slug(slug).is_ok() {
        return Some(slug.into());
    }
    let text = percent_decode_str(slug).decode_utf8_lossy();
    let text = without_invisible(&text);
    let is_around = |character: char| !character.is_alphanumeric() && !matches!(character, '-' | '_');
    let slug = text.trim_start_matches(['/', ' ']).trim_end_matches(is_around);
    check_slug(slug).is_ok().then(|| slug.to_owned().into())
}

/// The path with its percent-encoded unreserved characters written as themselves (RFC 3986 §6.2.2.2). `None`: it has none.
pub(crate) fn without_needless_encoding(path: &str) -> Option<String> {
    let mut written = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(at) = rest.find('%') {
        let (before, encoded) = rest.split_at(at);
        written.push_str(before);
        let byte = encoded.get(1..3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let (character, length) = match byte.filter(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(byte)) {
            Some(byte) => (byte.into(), 3),
            None => ('%', 1),
        };
        written.push(character);
        rest = encoded.get(length..).unwrap_or_default();
    }
    written.push_str(rest);
    (written != path).then_some(written)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;

    use super::*;

    /// What people paste around `spring`, and what mail gateways make of it.
    const PASTED: [&str; 62] = [
        "/spring",
        "/spring/",
        "/spring//",
        "/spring.",
        "/spring,",
        "/spring...",
        "/spring/.,",
        "/spring)",
        "/spring).",
        "/spring),",
        "/spring]",
        "/spring}",
        "/spring>",
        "/spring!",
        "/spring?!",
        "/spring;",
        "/spring:",
        "/spring\"",
        "/spring'",
        "/spring*",
        "/spring**",
        "/spring`",
        "/spring|",
        "/spring\\",
        "/spring^",
        "/spring~",
        "/spring=",
        "/spring&",
        "/spring+",
        "/spring$",
        "/spring@",
        "/spring<",
        "/spring(",
        "/spring{",
        "/spring%",
        "/spring%20",
        "/spring%20)",
        "/spring%0A",
        "/spring%09",
        "/spring%2E",
        "/spring%2C",
        "/spring%2F",
        "/spring%22",
        "/spring%27",
        "/spring%3E",
        "/spring%E2%80%A6",
        "/spring…",
        "/spring%E2%80%9D",
        "/spring”",
        "/spring%C2%BB",
        "/spring%E3%80%82",
        "/spring。",
        "/spring%E2%80%8B",
        "/spring%EF%BB%BF",
        "/spring%C2%AD",
        "/spr%C2%ADing",
        "/%E2%80%8Bspring",
        "/spring%C2%A0",
        "//spring",
        "/%20spring",
        "/%73pring",
        "/%73%70%72%69%6e%67",
    ];

    #[test]
    fn what_surrounds_a_slug_in_a_text_is_cut_off() {
        for path in PASTED {
            assert_eq!(slug_of_path(path).as_deref(), Some("spring"), "{path}");
        }
        let longest = format!("/{}", "a".repeat(64));
        for (path, slug) in [
            ("/-_-/", Some("-_-")),
            ("/%2D%5F%2d.", Some("-_-")),
            (&longest, Some(&longest[1..])),
            (&format!("{longest}."), Some(&longest[1..])),
            (&format!("{longest}a."), None),
            ("/", None),
            ("", None),
            ("/.", None),
            ("//", None),
            ("/%20", None),
            ("/spring/more", None),
            ("/spring%2Fmore", None),
            ("/spring/more/", None),
            ("/.spring", None),
            ("/spring.html", None),
            ("/spring%20break", None),
            // Decoded once only.
            ("/%2573pring", None),
            // Letters and digits of other scripts are no punctuation.
            ("/springé", None),
            ("/spring%C3%A9", None),
            ("/spring%FF%C3%A9", None),
            ("spring.", None),
        ] {
            assert_eq!(slug_of_path(path).as_deref(), slug, "{path}");
        }
    }

    #[test]
    fn unreserved_characters_need_no_encoding() {
        for (path, written) in [
            ("/api/v1/%6Cinks", Some("/api/v1/links")),
            ("/%2D%2e%5F%7E%30", Some("/-._~0")),
            ("/a%2Fb%6C", Some("/a%2Fbl")),
            ("/%2%6C%", Some("/%2l%")),
            ("/a%2Fb", None),
            ("/%C3%BC", None),
            ("/%", None),
            ("/%4", None),
            ("/%ü", None),
            ("/links", None),
        ] {
            assert_eq!(without_needless_encoding(path).as_deref(), written, "{path}");
        }
    }

    proptest! {
        #[test]
        fn slugs_are_exactly_the_documented_ones(text in "\\PC{0,70}") {
            let documented = Regex::new(SLUG_PATTERN).unwrap().is_match(&text) && text.len() <= 64;
            prop_assert_eq!(check_slug(&text).is_ok(), documented);
        }
    }
}
