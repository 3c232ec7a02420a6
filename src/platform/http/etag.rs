//! Conditional updates (RFC 9110, §8.8.3 and §13.1.1). A resource's entity tag is the time of its last change, as `updatedAt` has it: it tells
//! versions of the resource apart, not counts of clicks that a representation has as well.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::base::clock::{UnixMillis, parse_rfc3339};

/// The entity tag of a resource with this `updatedAt`.
pub(crate) fn etag(updated_at: &str) -> Option<HeaderValue> {
    HeaderValue::try_from(format!("\"{updated_at}\"")).ok()
}

/// The versions of which `If-Match` demands one. `None`: it is absent, or any version will do. Weak tags match nothing, as the comparison
/// is the strong one; nor do tags that are none of ours.
pub(crate) fn if_match(headers: &HeaderMap) -> Option<Vec<UnixMillis>> {
    let lines: Vec<&[u8]> = headers.get_all(header::IF_MATCH).iter().map(HeaderValue::as_bytes).collect();
    let tags = || lines.iter().flat_map(|line| line.split(|byte| *byte == b',')).map(<[u8]>::trim_ascii);
    if lines.is_empty() || tags().any(|tag| tag == b"*") {
        return None;
    }
    let version = |tag: &[u8]| {
        let text = std::str::from_utf8(tag).ok()?.strip_prefix('"')?.strip_suffix('"')?;
        parse_rfc3339(text)
    };
    Some(tags().filter_map(version).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_compared_strongly() {
        let versions = |lines: &[&'static str]| {
            let line = |line: &&'static str| (header::IF_MATCH, HeaderValue::from_static(line));
            if_match(&lines.iter().map(line).collect())
        };
        let tag = etag("1970-01-01T00:00:00.007Z").unwrap();
        assert_eq!(versions(&[]), None);
        for any in ["*", " * "] {
            assert_eq!(versions(&[any]), None);
        }
        assert_eq!(if_match(&[(header::IF_MATCH, tag)].into_iter().collect()), Some(vec![7]));
        for (lines, expected) in [
            (&["\"1970-01-01T00:00:00.007Z\" , \"1970-01-01T00:00:00.008Z\""][..], &[7, 8][..]),
            (&["\"1970-01-01T00:00:00.007Z\"", "\"other\""], &[7]),
            (&["W/\"1970-01-01T00:00:00.007Z\""], &[]),
            (&["1970-01-01T00:00:00.007Z"], &[]),
            (&[""], &[]),
        ] {
            assert_eq!(versions(lines).as_deref(), Some(expected), "{lines:?}");
        }
    }
}
