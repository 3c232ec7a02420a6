//! `GET|HEAD /{slug}`. No span, no JSON, no database on a hit.

use std::net::IpAddr;

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use crate::{
    app::App,
    clicks::click::{Click, Visit},
    error::ApiError,
    pages,
    redirect::{
        cache::{Site, Target},
        head::Head,
        resolve::{owner, resolve},
    },
    text::check_slug,
};

/// Of redirects: each visit is to be seen.
pub const CACHE_CONTROL: HeaderValue = HeaderValue::from_static("private, no-store");

/// What a visitor gets.
#[derive(Debug)]
pub enum Answer {
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
pub async fn answer(app: &App, peer: IpAddr, head: &Head<'_>) -> Option<Answer> {
    let Some(name) = head.foreign_host(app, peer) else {
        let slug = own_slug(app, head)?;
        return Some(serve(app, peer, head, None, slug).await);
    };
    let owner = match &name {
        Some(name) => owner(app, name).await,
        None => Ok(None),
    };
    match (name, owner) {
        (Some(name), Ok(Some(account))) => Some(serve_all(app, peer, head, Site { host: &name, account }).await),
        // Nobody's host, such as the machine's address in a probe: it has no links, but the API answers.
        (_, Ok(_)) => own_slug(app, head).map(|_| missed(app)),
        (_, Err(error)) => own_slug(app, head).map(|_| failed(app, &error)),
    }
}

/// Everything on an account's host: there is no API, since any slug may be a link, `links` and `health` too.
async fn serve_all(app: &App, peer: IpAddr, head: &Head<'_>, site: Site<'_>) -> Answer {
    let slug = head.path.strip_prefix('/').filter(|slug| check_slug(slug).is_ok());
    match slug {
        Some(slug) if head.is_reading() => serve(app, peer, head, Some(site), slug).await,
        Some(_) => Answer::Page(pages::method_not_allowed()),
        None => missed(app),
    }
}

/// The slug of a request on the service's own host that is not for the API.
fn own_slug<'a>(app: &App, head: &Head<'a>) -> Option<&'a str> {
    if !head.is_reading() {
        return None;
    }
    let slug = head.path.strip_prefix('/')?;
    (check_slug(slug).is_ok() && !app.reserved_slugs.is_path(slug)).then_some(slug)
}

fn missed(app: &App) -> Answer {
    app.metrics.redirects_missed.increment(1);
    Answer::Page(pages::link_not_found())
}

fn disabled(app: &App) -> Answer {
    app.metrics.redirects_disabled.increment(1);
    Answer::Page(pages::link_disabled())
}

fn failed(app: &App, error: &ApiError) -> Answer {
    app.metrics.redirects_failed.increment(1);
    Answer::Page(pages::unavailable(error))
}

/// Answers a request for a slug. A click is in the log before the answer leaves.
async fn serve(app: &App, peer: IpAddr, head: &Head<'_>, site: Option<Site<'_>>, slug: &str) -> Answer {
    let target = match resolve(app, site, slug).await {
        Ok(Some(target)) if target.is_disabled() => return disabled(app),
        Ok(Some(target)) => target,
        Ok(None) => return missed(app),
        Err(error) => return failed(app, &error),
    };
    if let Some(click) = log_click(app, peer, head, &target)
        && app.click_log.is_strict()
    {
        app.click_log.synced(click).await;
    }
    app.metrics.redirects.increment(1);
    Answer::Redirect(target)
}

/// Logs the click, if it is one, and answers its number.
fn log_click(app: &App, peer: IpAddr, head: &Head<'_>, target: &Target) -> Option<u64> {
    // HEAD asks where a link leads; nobody followed it.
    if head.method != "GET" {
        return None;
    }
    let client = head.client(app, peer);
    let visit = Visit {
        now: app.clock.now(),
        link: target.link(),
        account: target.account(),
        client,
        country: app.geoip.country(client),
        user_agent: head.user_agent,
        referrer: head.referrer,
        accept_language: head.accept_language,
        query: head.query,
        is_prefetch: head.is_prefetch,
    };
    Some(app.click_log.append(&Click::new(&app.visitors, &visit)))
}
