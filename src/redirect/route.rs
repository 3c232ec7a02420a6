//! `GET|HEAD /{slug}`. No span, no JSON, no database on a hit.

use std::{borrow::Cow, net::IpAddr, sync::Arc};

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use hyper::body::Incoming;
use url::Url;

use crate::{
    base::{
        clock::rfc3339,
        error::ApiError,
        validate::{MAX_SEGMENTS, slug_of_path, without_rest},
    },
    clicks::{click::Trigger, texts::user_agent},
    platform::http::pages::{
        self,
        visitor::{self, Language, Preview, Wording},
        well_known,
    },
    redirect::{
        Redirects, app_link,
        cache::Site,
        card, counting, forward,
        gate::{self, Sent},
        head::Head,
        limits::Used,
        logging::{log_click, synced},
        resolve::{Found, find, host, resolve},
        rules::{Led, OWN, led},
        served_host::{OwnAnswers, ServedHost},
        target::{Intent, Target, Verdict},
        visit::RequestVisit,
    },
};

/// `Cache-Control` of redirects: they are not cached, so that the service sees each visit.
pub(crate) const CACHE_CONTROL: HeaderValue = HeaderValue::from_static("private, no-store");

/// Method by which the form of [`visitor::ask`] is sent.
const CONFIRMATION: &str = "POST";

/// A slug with this behind it shows where the link leads: no slug has it.
const PREVIEW: char = '+';

/// The answer to a visitor.
#[derive(Debug)]
pub(crate) enum Answer {
    /// The click is logged: send the visitor there.
    Redirect(Target),
    /// The click is logged: redirect to this URL, of a rule or a split, or with the visit's parameters.
    Forward(Vec<u8>),
    /// Any other response: a page, or a redirect to another URL.
    Page(Response),
}

impl From<Answer> for Response {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Page(page) => page,
            Answer::Redirect(target) => moved(StatusCode::FOUND, target.location()),
            Answer::Forward(location) => moved(StatusCode::FOUND, &location),
        }
    }
}

/// Answers a request that is for a redirect; `form` is its body if it may be the form of [`visitor::ask`]. `None`: it is for the API, and its
/// body is still there.
pub(crate) async fn answer(
    redirects: &Arc<Redirects>,
    peer: IpAddr,
    head: &Head<'_>,
    form: &mut Option<Incoming>,
) -> Option<Answer> {
    let Some(name) = head.foreign_host(&redirects.config, peer) else {
        let slug = own_slug(redirects, head)?;
        return serve(redirects, peer, (head, form), None, Some(&slug)).await;
    };
    let host = match &name {
        Some(name) => host(redirects, name).await,
        None => Ok(None),
    };
    match (name, host) {
        (Some(name), Ok(Some(host))) => {
            Some(serve_all(redirects, peer, (head, form), At { name: &name, host: &host }).await)
        }
        // A host of no account, such as the machine's address in a probe: it has no links, but serves the API.
        (_, Ok(_)) => own_slug(redirects, head).filter(|_| head.is_reading()).map(|_| missed(redirects, head, None)),
        (_, Err(error)) => {
            own_slug(redirects, head).filter(|_| head.is_reading()).map(|_| failed(redirects, head, &error))
        }
    }
}

/// An account's host, at which a request has come.
#[derive(Clone, Copy)]
struct At<'a> {
    name: &'a str,
    host: &'a ServedHost,
}

impl<'a> At<'a> {
    fn site(self) -> Site<'a> {
        self.host.site(self.name)
    }

    /// One of the host's own answers. `None`: it is not set, or the operator has suspended the account.
    fn own(self, redirects: &Redirects, of: impl FnOnce(&OwnAnswers) -> &Option<Box<str>>) -> Option<&'a str> {
        self.host.own(of).filter(|_| !redirects.restrictions.is_suspended(self.host.account))
    }

    /// The redirect to one of the host's URLs. `None`: as for [`At::own`], or the operator has blocked the URL's host.
    fn url(self, redirects: &Redirects, of: impl FnOnce(&OwnAnswers) -> &Option<Box<str>>) -> Option<Response> {
        let url = self.own(redirects, of)?;
        let is_blocked = |url: &Url| url.host().is_none_or(|host| redirects.restrictions.is_blocked(&host));
        Url::parse(url).is_ok_and(|url| !is_blocked(&url)).then(|| moved(StatusCode::FOUND, url.as_bytes()))
    }
}

/// The words and the look of pages for this visitor, on an account's host (`at`) or the service's own.
fn wording<'a>(redirects: &Redirects, head: &Head<'a>, at: Option<At<'a>>) -> Wording<'a> {
    let at = at.filter(|at| !redirects.restrictions.is_suspended(at.host.account));
    let brand = at.and_then(|at| at.host.brand());
    Wording { language: head.language(), accept_language: head.accept_language, brand }
}

/// Everything on an account's host: there is no API, since any slug may be a link, `links` and `health` too.
async fn serve_all(
    redirects: &Arc<Redirects>,
    peer: IpAddr,
    (head, form): (&Head<'_>, &mut Option<Incoming>),
    at: At<'_>,
) -> Answer {
    if head.path == "/"
        && head.is_reading()
        && let Some(root) = at.url(redirects, |own| &own.root)
    {
        redirects.metrics.redirects_to_root.inc();
        return Answer::Page(root);
    }
    let slug = slug_of_path(head.path, MAX_SEGMENTS);
    if slug.is_none() {
        let file = Some(head).filter(|head| head.is_reading()).and_then(|head| fixed_file(redirects, at, head.path));
        if file.is_some() || !at.host.has_patterns {
            return file.map_or_else(|| nowhere(redirects, head, Some(at)), Answer::Page);
        }
    }
    let answer = match head.is_reading() || head.method == CONFIRMATION {
        true => serve(redirects, peer, (head, form), Some(at), slug.as_deref()).await,
        false => None,
    };
    answer.unwrap_or_else(|| Answer::Page(pages::method_not_allowed()))
}

/// A file that an account's host has at a fixed path, its own or the usual one. `None`: it has none.
fn fixed_file(redirects: &Redirects, at: At<'_>, path: &str) -> Option<Response> {
    match path {
        well_known::ROBOTS => {
            let robots = at.own(redirects, |own| &own.robots).unwrap_or(well_known::LINKS_ROBOTS);
            Some(well_known::text(robots.to_owned()))
        }
        well_known::FAVICON => at.url(redirects, |own| &own.favicon),
        well_known::SECURITY => {
            let own = at.own(redirects, |own| &own.security_contact);
            let contact = own.or(redirects.config.security_contact.as_deref())?;
            Some(well_known::security_text(contact, None, redirects.clock.now()))
        }
        well_known::APPLE_APPS => at.own(redirects, |own| &own.apple_apps).map(well_known::json),
        well_known::ANDROID_APPS => at.own(redirects, |own| &own.android_apps).map(well_known::json),
        _ => None,
    }
}

/// The slug of a request on the service's own host that is not for the API.
fn own_slug<'a>(redirects: &Redirects, head: &Head<'a>) -> Option<Cow<'a, str>> {
    if !head.is_reading() && head.method != CONFIRMATION {
        return None;
    }
    slug_of_path(head.path, 1).filter(|slug| !redirects.reserved_slugs.is_path(slug))
}

fn missed(redirects: &Redirects, head: &Head<'_>, at: Option<At<'_>>) -> Answer {
    redirects.metrics.redirects_missed.inc();
    Answer::Page(visitor::link_not_found(wording(redirects, head, at)))
}

/// The response where there is no link, or none that has begun: a redirect to the host's URL for that, or else a page.
fn nowhere(redirects: &Redirects, head: &Head<'_>, at: Option<At<'_>>) -> Answer {
    let url = at.filter(|_| head.is_reading()).and_then(|at| at.url(redirects, |own| &own.not_found));
    match url {
        Some(url) => {
            redirects.metrics.redirects_missed.inc();
            Answer::Page(url)
        }
        None => missed(redirects, head, at),
    }
}

fn failed(redirects: &Redirects, head: &Head<'_>, error: &ApiError) -> Answer {
    redirects.metrics.redirects_failed.inc();
    Answer::Page(visitor::unavailable(head.language(), error))
}

/// The answer for a link after its end: its own URL for that, or else its host's, or else a page.
fn ended(redirects: &Redirects, head: &Head<'_>, at: Option<At<'_>>, target: &Target) -> Answer {
    redirects.metrics.redirects_expired.inc();
    Answer::Page(match target.expired_location() {
        [] => at
            .and_then(|at| at.url(redirects, |own| &own.expired))
            .unwrap_or_else(|| visitor::link_expired(wording(redirects, head, at))),
        location => moved(StatusCode::FOUND, location),
    })
}

fn moved(status: StatusCode, location: &[u8]) -> Response {
    // A target has only what a field may hold.
    match HeaderValue::from_bytes(location) {
        Ok(location) => {
            (status, [(header::LOCATION, location), (header::CACHE_CONTROL, CACHE_CONTROL)]).into_response()
        }
        Err(_) => visitor::unavailable(Language::of(&[]), &ApiError::internal("a destination is no header")),
    }
}

/// Answers a request for a link, whose path names this slug, or may match a pattern. The click is in the log before the
/// answer is sent. `None`: the confirmation form was posted for a link that has none, or for a path without a link.
async fn serve(
    redirects: &Arc<Redirects>,
    peer: IpAddr,
    (head, form): (&Head<'_>, &mut Option<Incoming>),
    at: Option<At<'_>>,
    slug: Option<&str>,
) -> Option<Answer> {
    let is_confirmation = head.method == CONFIRMATION;
    let mut referrer = None;
    let has_patterns = at.is_some_and(|at| at.host.has_patterns);
    let Found { target, slug, rest } = match find(redirects, at.map(At::site), (head.path, slug), has_patterns).await {
        Ok(Some(found)) => found,
        Ok(None) => return (!is_confirmation).then(|| nowhere(redirects, head, at)),
        Err(error) => return Some(failed(redirects, head, &error)),
    };
    if head.path.ends_with(PREVIEW) && rest.is_empty() && !is_confirmation {
        return Some(preview(redirects, head, at, without_rest(&slug), &target));
    }
    let target = if target.is_plain() && !is_confirmation {
        target
    } else {
        match follow(redirects, peer, (head, form), at, &slug, target).await? {
            Ok((target, sent)) => {
                referrer = sent;
                target
            }
            Err(answer) => return Some(answer),
        }
    };
    let asked;
    let head = match &referrer {
        Some(referrer) => {
            asked = head.with_referrer(referrer.as_bytes());
            &asked
        }
        None => head,
    };
    let led = led(&target, || RequestVisit::new(redirects, head, peer));
    let trigger = if forward::is_scan(head.query) { Trigger::Qr } else { Trigger::Link };
    synced(redirects, log_click(redirects, peer, head, &target, (trigger, led))).await;
    redirects.metrics.redirects.inc();
    let forwards = || target.forwards_query().unwrap_or_else(|| at.is_some_and(|at| at.host.forwards_query));
    let continued = forward::continued(led.location, rest);
    let location = continued.as_deref().unwrap_or(led.location);
    let forwarded = match head.query.is_empty() || !forwards() {
        true => None,
        false => forward::forwarded(location, head.query),
    };
    // A rule that leads a visit elsewhere knows better.
    let opening = || {
        let location = forwarded.as_deref().unwrap_or(location);
        let (wording, host) = (|| wording(redirects, head, at), at.map(|at| at.name));
        app_link::answer(redirects, (head, wording), host, without_rest(&slug), &target, location)
    };
    if led.rule == 0
        && let Some(opening) = opening()
    {
        redirects.metrics.redirects_into_apps.inc();
        let status = if is_confirmation { StatusCode::SEE_OTHER } else { StatusCode::FOUND };
        return Some(Answer::Page(opening.map_or_else(|page| page, |uri| moved(status, uri.as_bytes()))));
    }
    Some(match (is_confirmation, forwarded.or(continued)) {
        // The destination is fetched by GET.
        (true, forwarded) => Answer::Page(moved(StatusCode::SEE_OTHER, forwarded.as_deref().unwrap_or(led.location))),
        (false, Some(location)) => Answer::Forward(location),
        (false, None) if led.destination == OWN => Answer::Redirect(target),
        (false, None) => Answer::Forward(led.location.to_vec()),
    })
}

/// Shows where a link leads, as far as whoever follows it is told without being asked.
fn preview(redirects: &Redirects, head: &Head<'_>, at: Option<At<'_>>, slug: &str, target: &Target) -> Answer {
    let page = match target.judge(redirects.clock.now(), || Intent::Look) {
        Verdict::NotBegun => return nowhere(redirects, head, at),
        Verdict::Disabled => visitor::link_disabled(head.language()),
        Verdict::Ended => visitor::link_expired(wording(redirects, head, at)),
        Verdict::Redirect | Verdict::Count | Verdict::Ask => {
            let is_told = target.password_hash().is_none() && !target.is_limited();
            let since = rfc3339(target.link().made_at());
            visitor::preview(
                wording(redirects, head, at),
                Preview {
                    slug,
                    destination: std::str::from_utf8(target.location()).ok().filter(|_| is_told),
                    has_rules: target.program().is_some(),
                    since: since.split('T').next().unwrap_or_default(),
                    contact: redirects.config.security_contact.as_deref(),
                },
            )
        }
    };
    Answer::Page(page)
}

/// Decides a request for a link with limits, times or a gate, or with the confirmation form. Returns the target to redirect to, with
/// the referrer that the form sent back, or else the response. `None`: the form was posted for a link that has none.
async fn follow(
    redirects: &Arc<Redirects>,
    peer: IpAddr,
    (head, form): (&Head<'_>, &mut Option<Incoming>),
    at: Option<At<'_>>,
    slug: &str,
    mut target: Target,
) -> Option<Result<(Target, Option<String>), Answer>> {
    let (is_confirmation, site) = (head.method == CONFIRMATION, at.map(At::site));
    let mut sent = Sent::default();
    if is_confirmation && (target.is_gated() || target.is_limited()) {
        sent = gate::read(head, form).await;
    }
    // A second time if the cached link has a limit that is no longer stored.
    for _ in 0..2 {
        let verdict = target.judge(redirects.clock.now(), || intent(redirects, head, &target));
        if matches!(verdict, Verdict::Redirect | Verdict::Count | Verdict::Ask)
            && let Some(card) = card::answer(redirects, head, at.map(|at| at.name), slug, &target)
        {
            let led = Led { location: &[], destination: OWN, rule: 0 };
            synced(redirects, log_click(redirects, peer, head, &target, (Trigger::Card, led))).await;
            return Some(Err(Answer::Page(card)));
        }
        if matches!(verdict, Verdict::Redirect | Verdict::Count) && target.password_hash().is_some() {
            if !is_confirmation {
                sent = gate::read(head, form).await;
            }
            let client = head.client(&redirects.config, peer);
            // Boxed, so that other redirects need no memory for it.
            if let Err(page) =
                Box::pin(gate::pass(redirects, (head, wording(redirects, head, at)), client, &target, &sent)).await
            {
                return Some(Err(Answer::Page(page)));
            }
        }
        let answer = match verdict {
            Verdict::Redirect => {
                return (!is_confirmation || target.is_gated()).then_some(Ok((target, sent.referrer)));
            }
            Verdict::Count => match counting::count(redirects, (target.link(), target.account()), site, slug).await {
                Ok(Used::Granted) => return Some(Ok((target, sent.referrer))),
                Ok(Used::Refused) => ended(redirects, head, at, &target),
                Ok(Used::Unlimited) => {
                    target = match resolve(redirects, site, slug).await {
                        Ok(Some(target)) => target,
                        Ok(None) => return Some(Err(nowhere(redirects, head, at))),
                        Err(error) => return Some(Err(failed(redirects, head, &error))),
                    };
                    continue;
                }
                Err(error) => failed(redirects, head, &error),
            },
            Verdict::Ask => Answer::Page(gate::ask(redirects, (head, wording(redirects, head, at)), &target)),
            Verdict::NotBegun => nowhere(redirects, head, at),
            Verdict::Ended => ended(redirects, head, at, &target),
            Verdict::Disabled => {
                redirects.metrics.redirects_disabled.inc();
                Answer::Page(visitor::link_disabled(head.language()))
            }
        };
        return Some(Err(answer));
    }
    Some(Err(failed(redirects, head, &ApiError::unavailable())))
}

/// The visitor's intent, as far as the request shows it.
fn intent(redirects: &Redirects, head: &Head<'_>, target: &Target) -> Intent {
    let is_look = || {
        head.method == "HEAD" || head.is_prefetch || redirects.clicks.agents.read(&user_agent(head.user_agent)).is_bot
    };
    match head.method {
        CONFIRMATION => Intent::Confirm,
        // A client without a browser, which may count as a bot.
        "GET" if !head.is_prefetch && target.password_hash().is_some() && gate::has_basic(head) => Intent::Confirm,
        _ if is_look() => Intent::Look,
        _ => Intent::Follow,
    }
}
