//! `GET|HEAD /{slug}`. No span, no JSON, no database on a hit.

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, header},
};

use crate::{
    app::App,
    auth::client::client_address,
    clicks::click::{Click, Visit},
    pages,
    redirect::resolve::resolve,
    text::{check_slug, without_port},
};

const CACHE_CONTROL: HeaderValue = HeaderValue::from_static("private, no-store");

/// The slug of a request that is for the redirect and not for the API.
pub fn slug<'a, B>(app: &App, request: &'a Request<B>) -> Option<&'a str> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return None;
    }
    let slug = request.uri().path().strip_prefix('/')?;
    (check_slug(slug).is_ok() && !app.reserved_slugs.contains(slug)).then_some(slug)
}

/// Answers a request for a slug. A click is in the log before the answer leaves.
pub async fn serve<B>(app: &App, peer: std::net::IpAddr, request: &Request<B>, slug: &str) -> Response<Body> {
    let host = host(app, request);
    let target = match resolve(app, &host, slug).await {
        Ok(Some(target)) => target,
        Ok(None) => {
            app.metrics.redirects_missed.increment(1);
            return pages::link_not_found();
        }
        Err(error) => {
            app.metrics.redirects_failed.increment(1);
            return pages::unavailable(&error);
        }
    };
    // HEAD asks where a link leads; nobody followed it.
    if *request.method() == Method::GET {
        let headers = request.headers();
        let client = client_address(peer, headers, &app.config.trusted_proxies);
        let text = |name| headers.get(name).map_or(&[][..], HeaderValue::as_bytes);
        let click = Click::new(
            &app.visitors,
            &Visit {
                now: app.clock.now(),
                link: target.link,
                account: target.account,
                client,
                country: app.geoip.country(client),
                user_agent: text(header::USER_AGENT),
                referrer: text(header::REFERER),
                accept_language: text(header::ACCEPT_LANGUAGE),
                query: request.uri().query().unwrap_or_default(),
                is_prefetch: is_prefetch(headers),
            },
        );
        app.click_log.append(&click).await;
    }
    app.metrics.redirects.increment(1);
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::FOUND;
    response.headers_mut().insert(header::LOCATION, target.location.clone());
    response.headers_mut().insert(header::CACHE_CONTROL, CACHE_CONTROL);
    response
}

/// The host that links are looked up by; the service's own is empty.
fn host<B>(app: &App, request: &Request<B>) -> String {
    let authority = request.uri().authority().map(axum::http::uri::Authority::as_str);
    let header = || request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    match authority.or_else(header).map(without_port) {
        Some(host) if !app.config.base_url.is_own_host(host) => {
            host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
        }
        _ => String::new(),
    }
}

/// A browser that loads the page before anyone follows the link (Fetch specification, `Sec-Purpose`).
fn is_prefetch(headers: &HeaderMap) -> bool {
    ["sec-purpose", "purpose", "x-moz"]
        .iter()
        .filter_map(|name| headers.get(*name))
        .any(|value| value.to_str().is_ok_and(|value| value.contains("prefetch") || value.contains("preview")))
}
