//! `GET|HEAD /{slug}`. No span, no JSON, no database on a hit.

use std::{borrow::Cow, net::IpAddr};

use axum::{
    body::Body,
    http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, header},
};

use crate::{
    app::App,
    auth::client::client_address,
    clicks::click::{Click, Visit},
    error::ApiError,
    pages,
    redirect::{
        cache::{Site, Target},
        resolve::{owner, resolve},
    },
    text::{check_slug, is_host_name, without_port},
};

const CACHE_CONTROL: HeaderValue = HeaderValue::from_static("private, no-store");
const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");
/// Where browsers say that they load a page ahead (Fetch specification, `Sec-Purpose`); `X-Purpose` is older Safaris'.
const PREFETCH: [HeaderName; 4] = [
    HeaderName::from_static("sec-purpose"),
    HeaderName::from_static("purpose"),
    HeaderName::from_static("x-purpose"),
    HeaderName::from_static("x-moz"),
];

/// Answers a visit of a link that is known: it waits for nothing.
pub fn answer_at_once<B>(app: &App, peer: IpAddr, request: &Request<B>) -> Option<Response<Body>> {
    if !is_reading(request) || app.click_log.is_strict() {
        return None;
    }
    let slug = request.uri().path().strip_prefix('/')?;
    // What is known was checked when it was looked up.
    let target = match foreign_host(app, peer, request) {
        None => app.redirects.known(None, slug)?,
        Some(name) => {
            let name = name?;
            let account = app.hosts.known(&name)?;
            app.redirects.known(Some(Site { host: &name, account }), slug)?
        }
    };
    log_click(app, peer, request, &target);
    Some(redirect(app, &target))
}

/// Answers a request that is for a redirect. None: it is for the API.
pub async fn answer<B>(app: &App, peer: IpAddr, request: &Request<B>) -> Option<Response<Body>> {
    let Some(name) = foreign_host(app, peer, request) else {
        let slug = own_slug(app, request)?;
        return Some(serve(app, peer, request, None, slug).await);
    };
    let owner = match &name {
        Some(name) => owner(app, name).await,
        None => Ok(None),
    };
    match (name, owner) {
        (Some(name), Ok(Some(account))) => Some(serve_all(app, peer, request, Site { host: &name, account }).await),
        // Nobody's host, such as the machine's address in a probe: it has no links, but the API answers.
        (_, Ok(_)) => own_slug(app, request).map(|_| missed(app)),
        (_, Err(error)) => own_slug(app, request).map(|_| failed(app, &error)),
    }
}

/// Everything on an account's host: there is no API, since any slug may be a link, `links` and `health` too.
async fn serve_all<B>(app: &App, peer: IpAddr, request: &Request<B>, site: Site<'_>) -> Response<Body> {
    let slug = request.uri().path().strip_prefix('/').filter(|slug| check_slug(slug).is_ok());
    match slug {
        Some(slug) if is_reading(request) => serve(app, peer, request, Some(site), slug).await,
        Some(_) => pages::method_not_allowed(),
        None => missed(app),
    }
}

fn is_reading<B>(request: &Request<B>) -> bool {
    matches!(*request.method(), Method::GET | Method::HEAD)
}

/// The slug of a request on the service's own host that is not for the API.
fn own_slug<'a, B>(app: &App, request: &'a Request<B>) -> Option<&'a str> {
    if !is_reading(request) {
        return None;
    }
    let slug = request.uri().path().strip_prefix('/')?;
    (check_slug(slug).is_ok() && !app.reserved_slugs.contains(slug)).then_some(slug)
}

fn missed(app: &App) -> Response<Body> {
    app.metrics.redirects_missed.increment(1);
    pages::link_not_found()
}

fn failed(app: &App, error: &ApiError) -> Response<Body> {
    app.metrics.redirects_failed.increment(1);
    pages::unavailable(error)
}

/// Answers a request for a slug. A click is in the log before the answer leaves.
async fn serve<B>(app: &App, peer: IpAddr, request: &Request<B>, site: Option<Site<'_>>, slug: &str) -> Response<Body> {
    let target = match resolve(app, site, slug).await {
        Ok(Some(target)) => target,
        Ok(None) => return missed(app),
        Err(error) => return failed(app, &error),
    };
    if let Some(click) = log_click(app, peer, request, &target)
        && app.click_log.is_strict()
    {
        app.click_log.synced(click).await;
    }
    redirect(app, &target)
}

/// Logs the click, if it is one, and answers its number.
fn log_click<B>(app: &App, peer: IpAddr, request: &Request<B>, target: &Target) -> Option<u64> {
    // HEAD asks where a link leads; nobody followed it.
    if *request.method() != Method::GET {
        return None;
    }
    let headers = request.headers();
    let client = client_address(peer, headers, &app.config.trusted_proxies);
    let text = |name| headers.get(name).map_or(&[][..], HeaderValue::as_bytes);
    let visit = Visit {
        now: app.clock.now(),
        link: target.link(),
        account: target.account(),
        client,
        country: app.geoip.country(client),
        user_agent: text(header::USER_AGENT),
        referrer: text(header::REFERER),
        accept_language: text(header::ACCEPT_LANGUAGE),
        query: request.uri().query().unwrap_or_default(),
        is_prefetch: is_prefetch(headers),
    };
    Some(app.click_log.append(&Click::new(&app.visitors, &visit)))
}

fn redirect(app: &App, target: &Target) -> Response<Body> {
    // A stored destination is a serialised URL, which is ASCII.
    let Ok(location) = HeaderValue::from_bytes(target.location()) else {
        return failed(app, &ApiError::internal("a destination is no header"));
    };
    app.metrics.redirects.increment(1);
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::FOUND;
    response.headers_mut().insert(header::LOCATION, location);
    response.headers_mut().insert(header::CACHE_CONTROL, CACHE_CONTROL);
    response
}

/// The host that the request names, unless it is the service's own; none inside is a host that can't be anybody's.
fn foreign_host<'a, B>(app: &App, peer: IpAddr, request: &'a Request<B>) -> Option<Option<Cow<'a, str>>> {
    let host = without_port(named_host(app, peer, request)?);
    if app.config.base_url.is_own_host(host) {
        return None;
    }
    let name = host.strip_suffix('.').unwrap_or(host);
    let can_be_served = is_host_name(name) && name.contains('.') && name.parse::<IpAddr>().is_err();
    Some(can_be_served.then(|| {
        if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(name.to_ascii_lowercase())
        } else {
            Cow::Borrowed(name)
        }
    }))
}

/// The authority that the request names. A proxy may say what it was asked for; of several, the last is the nearest to
/// us, and so the one that the trusted proxy added.
fn named_host<'a, B>(app: &App, peer: IpAddr, request: &'a Request<B>) -> Option<&'a str> {
    let headers = request.headers();
    // What is no text is no name either.
    let text = |value: &'a HeaderValue| value.to_str().unwrap_or("?");
    let trusted = &app.config.trusted_proxies;
    if trusted.iter().any(|network| network.contains(&peer.to_canonical()))
        && let Some(forwarded) = headers.get_all(&FORWARDED_HOST).iter().next_back()
    {
        return text(forwarded).rsplit(',').next().map(str::trim);
    }
    let authority = request.uri().authority().map(axum::http::uri::Authority::as_str);
    authority.or_else(|| headers.get(header::HOST).map(text))
}

/// What a browser says that loads the page before anyone follows the link (Fetch specification, `Sec-Purpose`), or shows it
/// small.
fn is_prefetch(headers: &HeaderMap) -> bool {
    let says_so =
        |value: &HeaderValue| value.to_str().is_ok_and(|value| value.contains("prefetch") || value.contains("preview"));
    PREFETCH.iter().any(|name| headers.get(name).is_some_and(says_so))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_browsers_fetch_ahead_is_told_apart() {
        let prefetch = |name: &'static str, value: &'static str| {
            is_prefetch(&HeaderMap::from_iter([(HeaderName::from_static(name), HeaderValue::from_static(value))]))
        };
        for (name, value) in [
            ("sec-purpose", "prefetch"),
            ("sec-purpose", "prefetch;prerender"),
            ("sec-purpose", "prefetch;anonymous-client-ip"),
            ("sec-purpose", "prefetch;prerender;preview"),
            ("purpose", "prefetch"),
            ("purpose", "preview"),
            ("x-purpose", "preview"),
            ("x-moz", "prefetch"),
        ] {
            assert!(prefetch(name, value), "{name}: {value}");
        }
        for (name, value) in
            [("sec-purpose", ""), ("purpose", "navigation"), ("x-moz", "livebookmarks"), ("referer", "prefetch")]
        {
            assert!(!prefetch(name, value), "{name}: {value}");
        }
    }
}
