//! Pages of other origins that call the API from a browser (CORS). No cookie authenticates these calls, so that such a page has
//! no more rights than its author.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use tower_http::cors::{AllowHeaders, Any, CorsLayer, Vary};

use crate::base::config::{Config, CorsOrigins};

/// How long browsers may cache the response to a preflight.
const MAX_AGE: Duration = Duration::from_secs(24 * 60 * 60);
/// Headers of answers that pages may read, beside those that they always may.
const EXPOSED: [HeaderName; 9] = [
    header::ETAG,
    header::LOCATION,
    header::WWW_AUTHENTICATE,
    header::RETRY_AFTER,
    HeaderName::from_static("idempotency-replayed"),
    HeaderName::from_static("ratelimit"),
    HeaderName::from_static("ratelimit-policy"),
    HeaderName::from_static("x-request-id"),
    header::CONTENT_DISPOSITION,
];

/// Answers preflights, and states in all other responses which pages may read them.
pub(crate) fn layer(origins: &CorsOrigins) -> CorsLayer {
    let layer = CorsLayer::new()
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        // GraphQL clients and tracing send headers of their own; none but `Authorization` says who calls.
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers(EXPOSED)
        .max_age(MAX_AGE);
    match origins {
        CorsOrigins::Any => layer.allow_origin(Any).vary(Vary::list([])),
        CorsOrigins::Only(origins) => layer.allow_origin(origins.clone()).vary([header::ORIGIN]),
    }
}

/// Whether a request with these headers may open a WebSocket. For these, browsers send no preflight, and let the page read all
/// messages. A request without `Origin` is not sent by a page.
pub(crate) fn may_open_socket(config: &Config, headers: &HeaderMap) -> bool {
    let CorsOrigins::Only(origins) = &config.cors_origins else { return true };
    let mut sent = headers.get_all(header::ORIGIN).iter();
    sent.all(|origin| origins.contains(origin) || is_own(config, headers, origin))
}

/// Whether the origin is the service's own: that of its base URL, or of the host that the request was sent to.
fn is_own(config: &Config, headers: &HeaderMap, origin: &HeaderValue) -> bool {
    let Ok(origin) = origin.to_str() else { return false };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    origin == config.base_url.as_str() || (host.is_some() && origin.split_once("://").map(|(_, host)| host) == host)
}
