//! Addresses of links.

use entity::link;
use serde_json::json;

use crate::{
    app::App,
    base::{
        config::Config,
        error::{ApiError, Code},
        ids::AccountId,
        validate::is_pattern,
    },
    redirect::{cache::Site, stale::Stale},
};

/// Host and address of a short link.
pub(crate) fn address(link: &link::Model, config: &Config) -> (String, String) {
    (shown_host(&link.host, config).to_owned(), config.short_url(&link.host, &link.slug))
}

/// The name of a host as it is stored.
pub(crate) fn shown_host<'a>(host: &'a str, config: &'a Config) -> &'a str {
    if host.is_empty() { config.base_url.host() } else { host }
}

/// The site at which the link is looked up by its slug as it is written.
pub(crate) fn site(link: &link::Model) -> Site<'_> {
    Site::exact(&link.host, AccountId(link.account_id))
}

/// Fails with CONFLICT if the address is blocked: no other link gets it, and its own link keeps it.
pub(crate) fn check(app: &App, site: Site<'_>, slug: &str) -> Result<(), ApiError> {
    match app.redirects.restrictions.blocked_at(site, slug) {
        Some(_) => Err(ApiError::conflict("slug", "The short link is blocked by the operator of the service.")),
        None => Ok(()),
    }
}

/// The invalidation of the link in redirect caches.
pub(crate) fn stale(link: &link::Model) -> Stale {
    Stale::link(site(link), &link.slug)
}

/// The invalidation of the link's host, which knows whether a link of it is a pattern. `None`: the link is none.
pub(crate) fn stale_host(link: &link::Model) -> Option<Stale> {
    is_pattern(&link.slug).then(|| Stale::Host(link.host.clone()))
}

/// Another link of the account has the id of another system.
pub(crate) fn external_id_taken() -> ApiError {
    ApiError::conflict("externalId", "Another link of the account has this external id.")
}

/// The account has no links on the domain.
pub(crate) fn unknown_domain() -> ApiError {
    ApiError::new(Code::NotFound, "The account has no such domain.").with_details(json!({ "path": "domain" }))
}

/// Another link has the slug.
pub(crate) fn slug_taken() -> ApiError {
    ApiError::conflict("slug", "The slug is taken on this domain.")
}
