//! Forwarding: parameters of a visit are added to those of the destination, and the rest of its path to the destination's path.

use std::{borrow::Cow, collections::HashSet};

/// The query parameter that marks visits by printed QR codes of short links. It is for this service, and not forwarded.
const SCANNED: &str = "qr";
/// Whether a printed code of the short link was scanned: its URL has a parameter that says so.
pub(super) fn is_scan(query: &str) -> bool {
    query.split('&').any(|parameter| parameter.split_once('=').map_or(parameter, |(name, _)| name) == SCANNED)
}

/// Longest URL with forwarded parameters, in bytes: a destination has 2,049 at most, and a request's head 64 KiB.
const MAX_FORWARDED: usize = 16 * 1024;

/// The destination with the parameters of a visit's query behind its own, in their order and encoding; its fragment stays at the end. A
/// parameter that the destination has keeps the destination's value. `None`: there is nothing to add, or it would be too long.
pub(crate) fn forwarded(destination: &[u8], query: &str) -> Option<Vec<u8>> {
    let destination = std::str::from_utf8(destination).ok()?;
    let (url, fragment) = destination.find('#').map_or((destination, ""), |at| destination.split_at(at));
    let own = url.split_once('?').map(|(_, own)| own);
    let own_names: HashSet<Cow<'_, str>> = own.map(names).into_iter().flatten().collect();
    let mut location = Vec::with_capacity(destination.len() + 1 + query.len());
    location.extend_from_slice(url.as_bytes());
    let mut separator = match own {
        None => &b"?"[..],
        Some(own) if own.is_empty() || own.ends_with('&') => b"",
        Some(_) => b"&",
    };
    for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
        let is_known = |name: Cow<'_, str>| name == SCANNED || own_names.contains(&name);
        if names(parameter).any(is_known) {
            continue;
        }
        location.extend_from_slice(separator);
        parameter.bytes().for_each(|byte| push(&mut location, byte));
        separator = b"&";
        // The rest of the query may be four times as long.
        if location.len() > MAX_FORWARDED {
            return None;
        }
    }
    let has_grown = location.len() > url.len();
    location.extend_from_slice(fragment.as_bytes());
    (has_grown && location.len() <= MAX_FORWARDED).then_some(location)
}

/// The destination with the rest of a visit's path behind its own path, in its encoding; query and fragment stay at the end. Dot segments of the
/// rest (RFC 3986 §5.2.4) lead no higher than the destination's path. `None`: there is no rest, or it would be too long.
pub(crate) fn continued(destination: &[u8], rest: &str) -> Option<Vec<u8>> {
    if rest.is_empty() {
        return None;
    }
    let destination = std::str::from_utf8(destination).ok()?;
    let (path, after) = destination.split_at(destination.find(['?', '#']).unwrap_or(destination.len()));
    let mut segments = Vec::new();
    let mut is_folder = false;
    // Browsers take a backslash for a slash (WHATWG URL §4.4).
    for segment in rest.split(['/', '\\']) {
        let dots = segment.to_ascii_lowercase().replace("%2e", ".");
        is_folder = matches!(&*dots, "." | "..");
        match &*dots {
            "." => {}
            ".." => drop(segments.pop()),
            _ => segments.push(segment),
        }
    }
    segments.extend(is_folder.then_some(""));
    let mut location = path.strip_suffix('/').unwrap_or(path).as_bytes().to_vec();
    for segment in segments {
        location.push(b'/');
        segment.bytes().for_each(|byte| push(&mut location, byte));
    }
    location.extend_from_slice(after.as_bytes());
    (location.len() <= MAX_FORWARDED).then_some(location)
}

/// The names of a query's parameters, decoded.
fn names(query: &str) -> impl Iterator<Item = Cow<'_, str>> {
    form_urlencoded::parse(query.as_bytes()).map(|(name, _)| name)
}

/// Appends a byte, percent-encoded if a header field or a URL's query may not contain it.
fn push(location: &mut Vec<u8>, byte: u8) {
    if byte.is_ascii_graphic() && byte != b'#' {
        location.push(byte);
    } else {
        const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
        location.extend_from_slice(&[b'%', DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use url::Url;

    use super::*;

    #[test]
    fn parameters_follow_those_of_the_destination() {
        for (destination, query, location) in [
            ("https://e.example/", "a=1&b=2", "https://e.example/?a=1&b=2"),
            ("https://e.example/p?x=y", "b=2&a=1", "https://e.example/p?x=y&b=2&a=1"),
            ("https://e.example/?", "a", "https://e.example/?a"),
            ("https://e.example/?x&", "a", "https://e.example/?x&a"),
            ("https://e.example/#f?x=y", "a=1", "https://e.example/?a=1#f?x=y"),
            ("https://e.example/?x=y#f", "a=1", "https://e.example/?x=y&a=1#f"),
            // As it came, whatever it means.
            ("https://e.example/", "a=%C3%BC+%2b&a=&=b&&c", "https://e.example/?a=%C3%BC+%2b&a=&=b&c"),
            ("https://e.example/", "u=https://evil.example/?x=1", "https://e.example/?u=https://evil.example/?x=1"),
            // The destination's own stay as they are, however they are written.
            ("https://e.example/?a=1", "a=2&A=3", "https://e.example/?a=1&A=3"),
            ("https://e.example/?a=1", "%61=2&b=3&a", "https://e.example/?a=1&b=3"),
            ("https://e.example/?x+y=1", "x%20y=2&z=3", "https://e.example/?x+y=1&z=3"),
            // `qr` is for this service.
            ("https://e.example/", "qr&a=1", "https://e.example/?a=1"),
            ("https://e.example/", "a=1&qr=2&qrs=3", "https://e.example/?a=1&qrs=3"),
            // A line break would end the field `Location`.
            ("https://e.example/", "a=\u{fc}\r\nb", "https://e.example/?a=%C3%BC%0D%0Ab"),
        ] {
            let found = forwarded(destination.as_bytes(), query).map(|it| String::from_utf8(it).unwrap());
            assert_eq!(found.as_deref(), Some(location), "{destination} {query}");
        }
        for (destination, query) in
            [("https://e.example/?a=1", "a=2"), ("https://e.example/", "qr"), ("https://e.example/", "&&"), ("", "")]
        {
            assert_eq!(forwarded(destination.as_bytes(), query), None, "{destination} {query}");
        }
    }

    #[test]
    fn the_rest_of_a_path_leads_on_below_the_destination() {
        for (destination, rest, location) in [
            ("https://e.example/", "a/b", "https://e.example/a/b"),
            ("https://e.example/docs", "a/b.html", "https://e.example/docs/a/b.html"),
            ("https://e.example/docs/", "a/", "https://e.example/docs/a/"),
            ("https://e.example/docs?x=y#f", "a", "https://e.example/docs/a?x=y#f"),
            ("https://e.example/docs/#f", "a", "https://e.example/docs/a#f"),
            // As it came.
            ("https://e.example/", "%C3%BC%2f/c++", "https://e.example/%C3%BC%2f/c++"),
            ("https://e.example/", "/x.example", "https://e.example//x.example"),
            // No higher.
            ("https://e.example/docs/", "../../a", "https://e.example/docs/a"),
            ("https://e.example/docs/", "a/../../b", "https://e.example/docs/b"),
            ("https://e.example/docs/", "a/./b/..", "https://e.example/docs/a/"),
            ("https://e.example/docs/", "..", "https://e.example/docs/"),
            ("https://e.example/docs/", "%2E%2e/.%2e/a", "https://e.example/docs/a"),
            ("https://e.example/docs/", "..\\..\\a", "https://e.example/docs/a"),
            // Characters that no header field may have.
            ("https://e.example/", "ü\r\n#", "https://e.example/%C3%BC%0D%0A%23"),
        ] {
            let found = continued(destination.as_bytes(), rest).map(|it| String::from_utf8(it).unwrap());
            assert_eq!(found.as_deref(), Some(location), "{destination} {rest}");
        }
        assert_eq!(continued(b"https://e.example/", ""), None);
        assert_eq!(continued(b"https://e.example/", &"a".repeat(MAX_FORWARDED)), None);
    }

    #[test]
    fn what_is_too_long_is_not_forwarded() {
        let query = |length: usize| "a".repeat(length);
        let base = "https://e.example/";
        assert_eq!(forwarded(base.as_bytes(), &query(MAX_FORWARDED - base.len() - 1)).unwrap().len(), MAX_FORWARDED);
        assert_eq!(forwarded(base.as_bytes(), &query(MAX_FORWARDED - base.len())), None);
    }

    const QUERY: &str = "([abqr&=%;+~\\[|]|%2[06b]|%61|qr|\u{fc}){0,12}";

    proptest! {
        /// As browsers read it: the same host, below the destination's path.
        #[test]
        fn no_rest_leads_above_the_destination(rest in "([a/.\\\\;@:#\u{fc}]|%2[eEfF]|%5[cC]|\\.\\.){1,12}") {
            let base = "https://e.example/docs/";
            let location = String::from_utf8(continued(base.as_bytes(), &rest).unwrap()).unwrap();
            prop_assert!(Url::parse(&location).unwrap().as_str().starts_with(base), "{}", location);
        }

        /// As the `url` crate reads it: the destination's pairs, then those of the visit that it lacks.
        #[test]
        fn the_pairs_are_those_of_both(path in "[a/]{0,3}", own in prop::option::of(QUERY), fragment in prop::option::of("[a?&#]{0,4}"), query in QUERY) {
            let mut destination = format!("https://e.example/{path}");
            own.iter().for_each(|own| destination += &format!("?{own}"));
            fragment.iter().for_each(|fragment| destination += &format!("#{fragment}"));
            let destination = Url::parse(&destination).unwrap();
            let visit = Url::parse(&format!("https://v.example/?{query}")).unwrap();
            let own: Vec<_> = destination.query_pairs().collect();
            let mut expected = own.clone();
            expected.extend(visit.query_pairs().filter(|(name, _)| name != "qr" && own.iter().all(|(known, _)| known != name)));
            let location = forwarded(destination.as_str().as_bytes(), &query);
            let location = location.map_or_else(|| destination.to_string(), |it| String::from_utf8(it).unwrap());
            prop_assert!(location.bytes().all(|byte| byte.is_ascii_graphic()));
            let location = Url::parse(&location).unwrap();
            prop_assert_eq!(location.query_pairs().collect::<Vec<_>>(), expected);
            prop_assert_eq!((location.path(), location.fragment()), (destination.path(), destination.fragment()));
            prop_assert!(location.query().unwrap_or_default().starts_with(destination.query().unwrap_or_default()));
        }
    }
}
