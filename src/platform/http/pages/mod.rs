//! The few pages that people see: all from files in the binary, nothing from other hosts.

mod application;
pub(crate) mod document;
mod page;
pub(crate) mod visitor;
pub(crate) mod well_known;

pub(crate) use self::application::{REPORT_POLICY, report};

use axum::{
    Router,
    body::{Body, Bytes},
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header},
    response::{IntoResponse, Redirect, Response},
    routing::get,
};

use crate::{
    base::{clock::Clock, config::Config},
    platform::http::{
        negotiation::accepts_html,
        pages::{
            document::Document,
            page::page,
            visitor::{Language, Wording},
        },
        refusal::Refusal,
    },
};

const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; \
                      frame-ancestors 'none'",
);
/// GraphiQL's editor sets styles from its script.
const GRAPHIQL_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                               img-src 'self' data:; font-src 'self' data:; connect-src 'self' ws: wss:; \
                               worker-src 'self' blob:; base-uri 'none'; frame-ancestors 'none'",
);

pub(crate) fn router(config: &Config, clock: &Clock) -> Router {
    let asset = |content_type: &'static str, content: &'static [u8]| {
        // The name has no version: it is asked for again, and comes from the binary.
        Document::new(content_type, Bytes::from_static(content)).with_cache_control("no-cache").route()
    };
    application::router()
        .merge(well_known::router(config, clock))
        .route("/", get(root))
        .route("/reset-password", get(reset_password))
        .route(
            "/billing/checkout/success",
            get(|| async { page(StatusCode::OK, include_str!("checkout-success.html"), POLICY) }),
        )
        .route(
            "/billing/checkout/canceled",
            get(|| async { page(StatusCode::OK, include_str!("checkout-canceled.html"), POLICY) }),
        )
        .route("/static/pages.css", asset("text/css; charset=utf-8", include_bytes!("pages.css")))
        .route(
            "/graphiql/graphiql.js",
            asset("text/javascript; charset=utf-8", include_bytes!("../../../../graphiql/dist/graphiql.js")),
        )
        .route(
            "/graphiql/graphiql.css",
            asset("text/css; charset=utf-8", include_bytes!("../../../../graphiql/dist/graphiql.css")),
        )
        .route(
            "/graphiql/LICENSES.txt",
            asset("text/plain; charset=utf-8", include_bytes!("../../../../graphiql/dist/LICENSES.txt")),
        )
}

/// Leads browsers, which name HTML among what they accept, to the application; other clients get an index of the API.
async fn root(headers: HeaderMap) -> Response {
    let mut response = match accepts_html(&headers) {
        true => Redirect::to(application::PATH).into_response(),
        false => page(StatusCode::OK, include_str!("index.html"), POLICY),
    };
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
    response
}

/// Redirects the address in reset mails to the application's page, with the token.
async fn reset_password(uri: Uri) -> Response {
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    // No other site may see the token in a `Referer`.
    ([(header::REFERRER_POLICY, "no-referrer")], Redirect::to(&format!("{}/reset{query}", application::PATH)))
        .into_response()
}

/// GraphiQL, for browsers that open `/graphql`.
pub(crate) fn graphiql() -> Response {
    page(StatusCode::OK, include_str!("../../../../graphiql/dist/index.html"), GRAPHIQL_POLICY)
}

/// The page for a person whose request is refused at a path that is none of the API's; its headers are written among the response's.
pub(crate) fn refused(Refusal(error): &Refusal, language: &'static Language, headers: &mut HeaderMap) -> Body {
    let (parts, body) = match error.code.status() {
        StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => visitor::link_not_found(Wording::plain(language)),
        _ => visitor::unavailable(language, error),
    }
    .into_parts();
    headers.extend(parts.headers);
    headers.insert(header::VARY, HeaderValue::from_static("accept, accept-language"));
    body
}

/// The response to a method other than GET and HEAD on a host that serves only short links.
pub(crate) fn method_not_allowed() -> Response<Body> {
    (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "GET,HEAD"), (header::CACHE_CONTROL, "no-store")]).into_response()
}

/// A page that sends forms only to this service, and runs no scripts.
pub(crate) fn strict(status: StatusCode, html: String) -> Response {
    page(status, html, POLICY)
}
