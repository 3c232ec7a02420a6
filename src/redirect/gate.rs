//! Gates of links: the page that asks a visitor, and the password that is sent back.

use std::{net::IpAddr, time::Duration};

use axum::{
    body::{Body, to_bytes},
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use hyper::body::Incoming;
use tokio::time::timeout;

use super::{Redirects, head::Head, target::Target};
use crate::{
    base::error::Code,
    platform::http::{
        pages::visitor::{self, Asked, Wording, Wrong},
        shared_password::{Entered, check, of_basic},
    },
};

/// Bytes of the longest form: a password of 200 characters of four bytes, and a referrer, each byte written as `%XX`.
const MAX_FORM: usize = 8 * 1024;
/// How long a form may take to arrive.
const FORM_TIMEOUT: Duration = Duration::from_secs(10);
/// Bytes of the longest referrer that a page keeps for its form.
const MAX_REFERRER: usize = 1_000;

/// Password and referrer that a visitor has sent.
#[derive(Default)]
pub(super) struct Sent {
    password: Option<String>,
    /// The referrer of the visit before the form: that of the form is the page itself.
    pub(super) referrer: Option<String>,
}

/// Reads the form, and the authentication where that has no password.
pub(super) async fn read(head: &Head<'_>, form: &mut Option<Incoming>) -> Sent {
    let mut sent = Sent::default();
    if let Some(form) = form.take()
        && let Ok(Ok(read)) = timeout(FORM_TIMEOUT, to_bytes(Body::new(form), MAX_FORM)).await
    {
        for (name, value) in form_urlencoded::parse(&read) {
            match &*name {
                "password" => sent.password = Some(value.into_owned()),
                "referrer" => sent.referrer = Some(value.into_owned()),
                _ => {}
            }
        }
    }
    sent.password = sent.password.or_else(|| of_basic(head.authorization));
    sent
}

/// Whether the request has a password for Basic authentication.
pub(super) fn has_basic(head: &Head<'_>) -> bool {
    of_basic(head.authorization).is_some()
}

/// Lets a visit through that has what the link asks for. Fails with the page to answer.
pub(super) async fn pass(
    redirects: &Redirects,
    (head, wording): (&Head<'_>, Wording<'_>),
    client: IpAddr,
    target: &Target,
    sent: &Sent,
) -> Result<(), Response> {
    let Some(hash) = target.password_hash() else { return Ok(()) };
    let is_basic = head.is_reading();
    let refused = |status: StatusCode, asked: Asked<'_>| {
        redirects.metrics.redirects_asked.inc();
        visitor::ask(wording, status, asked)
    };
    let referrer = sent.referrer.as_deref().unwrap_or_default();
    let asked = |refusal| Asked { refusal, referrer, ..asked(target) };
    let Some(password) = sent.password.as_deref().filter(|password| !password.is_empty()) else {
        return Err(refused(StatusCode::OK, asked(None)));
    };
    let entered = Entered { of: target.link().0, account: target.account(), client };
    let checked = check((&redirects.limits, &redirects.passwords), entered, hash, password).await;
    let Err(error) = checked else { return Ok(()) };
    Err(match error.code {
        Code::Forbidden => {
            let status = if is_basic { StatusCode::UNAUTHORIZED } else { StatusCode::FORBIDDEN };
            let mut page = refused(status, asked(Some(Wrong::Password)));
            if is_basic {
                let challenge = HeaderValue::from_static("Basic realm=\"This link\", charset=\"UTF-8\"");
                page.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
            }
            page
        }
        Code::RateLimited => {
            let wait = error.retry_after.unwrap_or(1);
            let minutes = u32::try_from(wait.div_ceil(60)).unwrap_or(u32::MAX);
            let mut page = refused(StatusCode::TOO_MANY_REQUESTS, asked(Some(Wrong::TooMany(minutes))));
            page.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait));
            page
        }
        _ => {
            redirects.metrics.redirects_failed.inc();
            visitor::unavailable(wording.language, &error)
        }
    })
}

/// The page that asks the visitors of a link.
pub(super) fn ask(redirects: &Redirects, (head, wording): (&Head<'_>, Wording<'_>), target: &Target) -> Response {
    redirects.metrics.redirects_asked.inc();
    let referrer = std::str::from_utf8(head.referrer).ok().filter(|referrer| referrer.len() <= MAX_REFERRER);
    visitor::ask(wording, StatusCode::OK, Asked { referrer: referrer.unwrap_or_default(), ..asked(target) })
}

fn asked(target: &Target) -> Asked<'_> {
    Asked {
        notice: target.notice(),
        needs_password: target.password_hash().is_some(),
        is_limited: target.is_limited(),
        ..Asked::default()
    }
}
