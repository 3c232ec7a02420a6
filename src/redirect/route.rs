//! `GET|HEAD /{slug}`. No span, no JSON, no database on a hit.

use std::net::IpAddr;

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use crate::{
    clicks::click::{Click, Visit},
    error::ApiError,
    http::pages,
    redirect::{
        Redirects,
        cache::{Site, Target},
        head::Head,
        resolve::{owner, resolve},
    },
    validate::check_slug,
};

/// `Cache-Control` of redirects: they are not cached, so that the service sees each visit.
pub(crate) const CACHE_CONTROL: HeaderValue = HeaderValue::from_static("private, no-store");

/// The answer to a visitor.
#[derive(Debug)]
pub(crate) enum Answer {
    /// The click is logged: send the visitor there.
    Redirect(Target),
    /// There is nothing to go to, and why.
    Page(Response),
}

impl From<Answer> for Response {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Page(page) => page,
            // A target has only what a field may hold.
            Answer::Redirect(target) => match HeaderValue::from_bytes(target.location()) {
                Ok(location) => {
                    let headers = [(header::LOCATION, location), (header::CACHE_CONTROL, CACHE_CONTROL)];
                    (StatusCode::FOUND, headers).into_response()
                }
                Err(_) => pages::unavailable(&ApiError::internal("a destination is no header")),
            },
        }
    }
}

/// Answers a request that is for a redirect. None: it is for the API.
pub(crate) async fn answer(redirects: &Redirects, peer: IpAddr, head: &Head<'_>) -> Option<Answer> {
    let Some(name) = head.foreign_host(&redirects.config, peer) else {
        let slug = own_slug(redirects, head)?;
        return Some(serve(redirects, peer, head, None, slug).await);
    };
    let owner = match &name {
        Some(name) => owner(redirects, name).await,
        None => Ok(None),
    };
    match (name, owner) {
        (Some(name), Ok(Some(account))) => Some(serve_all(redirects, peer, head, Site { host: &name, account }).await),
        // Nobody's host, such as the machine's address in a probe: it has no links, but the API answers.
        (_, Ok(_)) => own_slug(redirects, head).map(|_| missed(redirects)),
        (_, Err(error)) => own_slug(redirects, head).map(|_| failed(redirects, &error)),
    }
}

/// Everything on an account's host: there is no API, since any slug may be a link, `links` and `health` too.
async fn serve_all(redirects: &Redirects, peer: IpAddr, head: &Head<'_>, site: Site<'_>) -> Answer {
    let slug = head.path.strip_prefix('/').filter(|slug| check_slug(slug).is_ok());
    match slug {
        Some(slug) if head.is_reading() => serve(redirects, peer, head, Some(site), slug).await,
        Some(_) => Answer::Page(pages::method_not_allowed()),
        None => missed(redirects),
    }
}

/// The slug of a request on the service's own host that is not for the API.
fn own_slug<'a>(redirects: &Redirects, head: &Head<'a>) -> Option<&'a str> {
    if !head.is_reading() {
        return None;
    }
    let slug = head.path.strip_prefix('/')?;
    (check_slug(slug).is_ok() && !redirects.reserved_slugs.is_path(slug)).then_some(slug)
}

fn missed(redirects: &Redirects) -> Answer {
    redirects.metrics.redirects_missed.inc();
    Answer::Page(pages::link_not_found())
}

fn disabled(redirects: &Redirects) -> Answer {
    redirects.metrics.redirects_disabled.inc();
    Answer::Page(pages::link_disabled())
}

fn failed(redirects: &Redirects, error: &ApiError) -> Answer {
    redirects.metrics.redirects_failed.inc();
    Answer::Page(pages::unavailable(error))
}

/// Answers a request for a slug. A click is in the log before the answer leaves.
async fn serve(redirects: &Redirects, peer: IpAddr, head: &Head<'_>, site: Option<Site<'_>>, slug: &str) -> Answer {
    let target = match resolve(redirects, site, slug).await {
        Ok(Some(target)) if target.is_plain() => target,
        Ok(Some(_)) => return disabled(redirects),
        Ok(None) => return missed(redirects),
        Err(error) => return failed(redirects, &error),
    };
    if let Some(click) = log_click(redirects, peer, head, &target)
        && redirects.clicks.log.is_strict()
    {
        redirects.clicks.log.synced(click).await;
    }
    redirects.metrics.redirects.inc();
    Answer::Redirect(target)
}

/// Logs the click, if it is one, and answers its number.
fn log_click(redirects: &Redirects, peer: IpAddr, head: &Head<'_>, target: &Target) -> Option<u64> {
    // HEAD asks where a link leads; nobody followed it.
    if head.method != "GET" {
        return None;
    }
    let client = head.client(&redirects.config, peer);
    let visit = Visit {
        now: redirects.clock.now(),
        link: target.link(),
        account: target.account(),
        client,
        country: redirects.clicks.geoip.country(client),
        user_agent: head.user_agent,
        referrer: head.referrer,
        accept_language: head.accept_language,
        query: head.query,
        is_prefetch: head.is_prefetch,
    };
    Some(redirects.clicks.log.append(&Click::new(&redirects.clicks.visitors, &visit)))
}
