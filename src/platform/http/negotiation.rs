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

/// Whether the client names HTML among what it accepts, as browsers do. A range such as `*/*` does not.
pub(crate) fn accepts_html(headers: &HeaderMap) -> bool {
    accepted(headers, &header::ACCEPT).any(|(range, weight)| range.eq_ignore_ascii_case("text/html") && weight > 0.0)
}
