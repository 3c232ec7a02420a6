//! What browsers, crawlers and researchers ask every host for by a fixed path.

use std::sync::Arc;

use axum::{
    Router,
    body::Bytes,
    http::header,
    response::{IntoResponse, Redirect, Response},
    routing::get,
};

use super::{application, document::Document};
use crate::{
    base::{
        clock::{Clock, DAY, UnixMillis, rfc3339},
        config::Config,
        error::{ApiError, Code},
    },
    platform::http::refusal::Refusal,
};

/// Rules for crawlers (RFC 9309).
pub(crate) const ROBOTS: &str = "/robots.txt";
pub(crate) const FAVICON: &str = "/favicon.ico";
/// Whom to tell of a vulnerability (RFC 9116).
pub(crate) const SECURITY: &str = "/.well-known/security.txt";
/// Apps that open the host's links on Apple's systems (<https://developer.apple.com/documentation/xcode/supporting-associated-domains>).
pub(crate) const APPLE_APPS: &str = "/.well-known/apple-app-site-association";
/// Apps that open the host's links on Android (<https://developer.android.com/training/app-links/configure-assetlinks>).
pub(crate) const ANDROID_APPS: &str = "/.well-known/assetlinks.json";
/// Where a password manager sends people to change a password (<https://w3c.github.io/webappsec-change-password-url/>).
const CHANGE_PASSWORD: &str = "/.well-known/change-password";

const TEXT: &str = "text/plain; charset=utf-8";
/// The service's own host has pages and an API that are no content; short links lead to what is worth an index.
const OWN_ROBOTS: &str = "User-agent: *\nDisallow: /api/\nDisallow: /app\nDisallow: /graphiql\nDisallow: /graphql\n";
/// An account's host has nothing but short links.
pub(crate) const LINKS_ROBOTS: &str = "User-agent: *\nDisallow:\n";
/// How long a contact is to be believed, from the day on which the file is asked for. RFC 9116 §2.5.5 recommends less than a year; whoever asks again gets a later date.
const CONTACT_LIFETIME: UnixMillis = 180 * DAY;
/// Crawlers and browsers ask again after an hour.
const CACHE_CONTROL: &str = "public, max-age=3600";

/// The routes on the service's own host.
pub(super) fn router(config: &Config, clock: &Clock) -> Router {
    let icon = include_bytes!("favicon.ico");
    let contact: Option<Arc<str>> = config.security_contact.as_deref().map(Into::into);
    let canonical = format!("{}{SECURITY}", config.base_url.as_str());
    let clock = clock.clone();
    let security = async move || match &contact {
        Some(contact) => security_text(contact, Some(&canonical), clock.now()),
        None => Refusal(ApiError::new(Code::NotFound, "The operator names no contact.")).into_response(),
    };
    Router::new()
        .route(ROBOTS, get(async || text(OWN_ROBOTS.to_owned())))
        .route(
            FAVICON,
            Document::new("image/x-icon", Bytes::from_static(icon)).with_cache_control(CACHE_CONTROL).route(),
        )
        .route(SECURITY, get(security))
        .route(CHANGE_PASSWORD, get(async || Redirect::to(&format!("{}/settings", application::PATH))))
}

/// The contact for reports of vulnerabilities, an `https:` or `mailto:` URI. `canonical`: the address of the file.
pub(crate) fn security_text(contact: &str, canonical: Option<&str>, now: UnixMillis) -> Response {
    let expires = rfc3339(now / DAY * DAY + CONTACT_LIFETIME);
    let canonical = canonical.map(|url| format!("Canonical: {url}\n")).unwrap_or_default();
    text(format!("Contact: {contact}\nExpires: {expires}\n{canonical}"))
}

/// JSON that may be kept for an hour.
pub(crate) fn json(content: &str) -> Response {
    kept("application/json", content.to_owned())
}

/// A text that may be kept for an hour.
pub(crate) fn text(content: String) -> Response {
    kept(TEXT, content)
}

fn kept(content_type: &'static str, content: String) -> Response {
    ([(header::CONTENT_TYPE, content_type), (header::CACHE_CONTROL, CACHE_CONTROL)], content).into_response()
}
