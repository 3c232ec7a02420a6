//! The headers that each page has.

use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

const HTML: &str = "text/html; charset=utf-8";

/// A page with a policy for its content (CSP), which nothing keeps.
pub(super) fn page(status: StatusCode, html: impl Into<Body>, policy: HeaderValue) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(HTML)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        // The address may contain a reset token.
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    (status, headers, html.into()).into_response()
}
