//! Content negotiation: fields by which a client says what it accepts (RFC 9110 §12.4 and §12.5).

use axum::http::{HeaderMap, HeaderName, header};

/// The alternatives that a field names, in its order, each with its weight from 0, which is "not acceptable", to 1. Parameters
/// other than the weight are left out. A weight that is none counts as 0.
pub(crate) fn accepted<'a>(headers: &'a HeaderMap, field: &HeaderName) -> impl Iterator<Item = (&'a str, f32)> {
    let values = headers.get_all(field).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(|entry| {
        let mut parts = entry.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
        let weight = weight.map_or(Some(1.0), |text| text.parse().ok().filter(|weight| (0.0..=1.0).contains(weight)));
        (name, weight.unwrap_or_default())
    })
}

/// Whether the client names HTML among what it accepts, and does not prefer JSON, as browsers do. A range such as `*/*` does not count.
pub(crate) fn accepts_html(headers: &HeaderMap) -> bool {
    let weight = |media_type: &str| {
        let named = accepted(headers, &header::ACCEPT).filter(|(range, _)| range.eq_ignore_ascii_case(media_type));
        named.map(|(_, weight)| weight).fold(0.0, f32::max)
    };
    let html = weight("text/html");
    html > 0.0 && html >= weight("application/json")
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn browsers_accept_html_and_programs_json() {
        for (accept, is_html) in [
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true),
            ("TEXT/HTML", true),
            ("text/html, application/json", true),
            ("text/html;q=0.1", true),
            ("application/json, text/html;q=0.1", false),
            ("text/html;q=0.5, application/json;q=0.9", false),
            ("text/html;q=0", false),
            ("text/html;q=x", false),
            ("*/*", false),
            ("text/*", false),
            ("application/graphql-response+json, application/json", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(accept))]);
            assert_eq!(accepts_html(&headers), is_html, "{accept}");
        }
    }
}
