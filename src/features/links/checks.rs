//! Checks of what callers write: hosts, slugs and destinations of links.

use std::{borrow::Cow, collections::HashSet};

use crate::{
    app::App,
    base::{
        error::ApiError,
        ids::AccountId,
        validate::{check_destination_url, check_segment, check_slug, host_name, without_port},
    },
    records::domains::hosts,
    redirect::resolve,
};

/// The host of links on a domain, as it is stored: empty for the service's own. `None`: the domain is no valid host name.
pub(crate) fn stored_host(app: &App, domain: &str) -> Option<String> {
    let domain = without_port(domain);
    if app.config.base_url.is_own_host(domain) { Some(String::new()) } else { host_name(domain) }
}

/// Hosts that new links name, as far as the database has them.
pub(crate) struct Known {
    /// Custom hosts that the account may use.
    pub(crate) usable: HashSet<String>,
    /// Hosts of destinations that links are served on.
    pub(crate) served: HashSet<String>,
}

/// Selects the domains that are custom hosts of the account.
pub(crate) async fn usable(
    app: &App,
    account: AccountId,
    domains: impl Iterator<Item = &str>,
) -> Result<HashSet<String>, ApiError> {
    let custom = domains.filter(|domain| !app.config.base_url.is_own_host(without_port(domain)));
    let names: HashSet<String> = custom.filter_map(|domain| host_name(without_port(domain))).collect();
    if names.is_empty() {
        return Ok(names);
    }
    Ok(hosts::repo::of_account(app.db.read(), account, names).await?.into_iter().collect())
}

/// The host names of the destinations. Invalid URLs and addresses are left out.
pub(crate) fn hosts_of<'a>(destinations: impl Iterator<Item = &'a str>) -> HashSet<String> {
    let urls = destinations.filter_map(|text| check_destination_url(text).ok());
    urls.filter_map(|url| url.domain().and_then(host_name)).collect()
}

/// The hosts of these destinations that links of any account are served on.
pub(crate) async fn served<'a>(
    app: &App,
    destinations: impl Iterator<Item = &'a str>,
) -> Result<HashSet<String>, ApiError> {
    let names: Vec<String> = hosts_of(destinations).into_iter().filter(|name| app.config.can_be_served(name)).collect();
    let hosts = resolve::hosts(&app.redirects, &names).await?;
    Ok(names.into_iter().zip(hosts).filter(|(_, host)| host.is_some()).map(|(name, _)| name).collect())
}

/// Checks a slug on the service's own host or on an account's, and returns it as it is stored.
pub(crate) fn slug(on_own_host: bool, text: &str) -> Result<Cow<'_, str>, &'static str> {
    if on_own_host { check_segment(text) } else { check_slug(text) }
}

/// Checks a chosen slug, and returns it as it is stored.
pub(crate) fn chosen_slug(app: &App, on_own_host: bool, text: &str) -> Result<String, &'static str> {
    let slug = slug(on_own_host, text)?;
    if is_reserved(app, on_own_host, &slug) { Err("is reserved for the service") } else { Ok(slug.into_owned()) }
}

/// Whether no new link gets the slug. Slugs are reserved on the service's own host only.
pub(crate) fn is_reserved(app: &App, on_own_host: bool, slug: &str) -> bool {
    on_own_host && app.redirects.reserved_slugs.contains(slug)
}

/// Parses a destination. It must not be on a host of this service, which could be a redirect loop. The port makes no difference: a
/// proxy may forward any port to this service.
pub(crate) fn destination(app: &App, text: &str, served: &HashSet<String>) -> Result<String, &'static str> {
    let url = check_destination_url(text)?;
    if url.host().is_some_and(|host| app.redirects.restrictions.is_blocked(&host)) {
        return Err("leads to a host that the operator of the service has blocked");
    }
    let on_this_service = url.host_str().is_some_and(|host| {
        let name = host.strip_suffix('.').unwrap_or(host);
        app.config.base_url.is_own_host(host)
            || name == app.config.subdomain_host
            || app.config.label_of(name).is_some()
            || served.contains(name)
    });
    if on_this_service { Err("must not lead back to this service") } else { Ok(url.into()) }
}
