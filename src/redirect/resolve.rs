//! Resolves a request's host to an account's, and its slug to a link's target: from memory, or by one indexed query.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    pin::pin,
    task::Poll,
    time::Duration,
};

use entity::{host, host_app, host_page, host_setting, link};
use futures_util::poll;
use sea_orm::{ColumnTrait, DatabaseBackend, DbErr, EntityTrait, QueryFilter, QuerySelect, sea_query::Expr};
use tokio::time::timeout;

use crate::{
    base::{
        error::ApiError,
        validate::{host_name, patterns_of_path, without_emoji_behind},
    },
    redirect::{
        Redirects,
        cache::Site,
        lookups::{Lookup, look_up},
        served_host::{ServedHost, brand},
        target::Target,
    },
};

/// How long a request waits for the lookup of its host: health probes must be answered soon without a database.
const HOST_TIMEOUT: Duration = Duration::from_secs(2);

/// How long a request waits for the lookup of its slug: both lookups take less than 5 seconds.
const LINK_TIMEOUT: Duration = Duration::from_millis(2_500);

/// A link that a path leads to.
pub(super) struct Found<'a> {
    pub(super) target: Target,
    pub(super) slug: Cow<'a, str>,
    /// The part of the path in the place of a pattern's `*`, as it came; empty for any other link.
    pub(super) rest: &'a str,
}

/// The link of the path, whose slug this is, if it names one: that of the slug, or else that of the slug without the emoji behind it, or
/// where the host has patterns, of the longest one. `Ok(None)`: there is no such link. Fails as [`resolve`] does.
pub(super) async fn find<'a>(
    redirects: &Redirects,
    site: Option<Site<'_>>,
    (path, slug): (&'a str, Option<&'a str>),
    has_patterns: bool,
) -> Result<Option<Found<'a>>, ApiError> {
    let exact = slug.into_iter().chain(slug.and_then(without_emoji_behind)).map(|slug| (slug.into(), ""));
    let patterns = has_patterns.then_some(path).into_iter().flat_map(patterns_of_path);
    for (slug, rest) in exact.chain(patterns.map(|(slug, rest)| (Cow::Owned(slug), rest))) {
        if let Some(target) = resolve(redirects, site, &slug).await? {
            return Ok(Some(Found { target, slug, rest }));
        }
    }
    Ok(None)
}

/// The target of a slug on the service's own host (`site` is `None`) or at another site. `Ok(None)`: there is no such link. Fails as
/// unavailable after `LINK_TIMEOUT`.
pub(crate) async fn resolve(
    redirects: &Redirects,
    site: Option<Site<'_>>,
    slug: &str,
) -> Result<Option<Target>, ApiError> {
    let load = async || {
        let (host, account) = site.map_or(("", None), |site| (site.host, Some((site.account, site.former))));
        let ignores_case = site.is_some_and(|site| site.ignores_case);
        let slug_asked = if ignores_case { slug.to_ascii_lowercase() } else { slug.to_owned() };
        let lookup = Lookup { host: host.to_owned(), account, slug: slug_asked, ignores_case };
        let db = redirects.db.clone();
        let target = redirects.lookups.ask(lookup, move |lookups| look_up(db.clone(), lookups)).await?;
        Ok(target.map(|target| if is_forbidden(redirects, site, slug, &target) { target.disabled() } else { target }))
    };
    let mut target = pin!(redirects.cache.get(site, slug, redirects.clock.now(), load));
    // A cached target is ready at once and needs no timer.
    if let Poll::Ready(target) = poll!(target.as_mut()) {
        return target;
    }
    timeout(LINK_TIMEOUT, target).await.unwrap_or_else(|_| Err(ApiError::unavailable()))
}

/// Whether the operator has blocked the link or suspended its account.
fn is_forbidden(redirects: &Redirects, site: Option<Site<'_>>, slug: &str, target: &Target) -> bool {
    let site = site.unwrap_or(Site::own(target.account()));
    redirects.restrictions.is_suspended(target.account()) || redirects.restrictions.blocked_at(site, slug).is_some()
}

/// A host other than the service's own, as it is served now. `None`: it is no account's. The name is in the
/// form that DNS uses (A-labels), and one that [can be served](crate::base::config::Config::can_be_served). Fails as
/// unavailable after `HOST_TIMEOUT`.
pub(crate) async fn host(redirects: &Redirects, name: &str) -> Result<Option<ServedHost>, ApiError> {
    let base_url = &redirects.config.base_url;
    let load = async || {
        // Invalid A-labels are in no row.
        if host_name(name).is_none_or(|known| known != name) {
            return Ok(None);
        }
        let found = host::Entity::find_by_id(name).find_also_related(host_setting::Entity);
        let found = found.find_also_related(host_app::Entity).find_also(host::Entity, host_page::Entity);
        let Some((host, settings, apps, pages)) = found.one(redirects.db.read()).await? else { return Ok(None) };
        let has_patterns = !with_patterns(redirects, &[name]).await?.is_empty();
        Ok::<_, ApiError>(Some(ServedHost::new(
            &host,
            settings,
            apps.as_ref(),
            pages.as_ref().map(|pages| brand(pages, base_url)),
            has_patterns,
        )))
    };
    let host = redirects.hosts.get(name, redirects.clock.now(), load);
    timeout(HOST_TIMEOUT, host).await.unwrap_or_else(|_| Err(ApiError::unavailable()))
}

/// The hosts, of these, on which a link is a pattern. None of them is the service's own.
async fn with_patterns(redirects: &Redirects, hosts: &[impl AsRef<str>]) -> Result<HashSet<String>, DbErr> {
    // As in the index.
    let is_pattern = match redirects.db.backend() {
        DatabaseBackend::Postgres => "links.slug LIKE '%/*'",
        _ => "substr(links.slug, -2) = '/*'",
    };
    let of_hosts = link::Column::Host.is_in(hosts.iter().map(AsRef::as_ref));
    let found = link::Entity::find().select_only().column(link::Column::Host).distinct();
    let found = found.filter(of_hosts).filter(Expr::cust(is_pattern)).into_tuple().all(redirects.db.read()).await?;
    Ok(found.into_iter().collect())
}

/// The same for many hosts, in the order given, by at most two queries.
pub(crate) async fn hosts(redirects: &Redirects, names: &[String]) -> Result<Vec<Option<ServedHost>>, ApiError> {
    let base_url = &redirects.config.base_url;
    let load = async |names: Vec<String>| {
        let found = host::Entity::find().filter(host::Column::Name.is_in(&names));
        let found = found.find_also_related(host_setting::Entity).find_also_related(host_app::Entity);
        let found = found.find_also(host::Entity, host_page::Entity).all(redirects.db.read()).await?;
        let patterns = with_patterns(redirects, &names).await?;
        let found: HashMap<String, ServedHost> = found
            .into_iter()
            .map(|(host, settings, apps, pages)| {
                let has_patterns = patterns.contains(&host.name);
                let served = ServedHost::new(
                    &host,
                    settings,
                    apps.as_ref(),
                    pages.as_ref().map(|pages| brand(pages, base_url)),
                    has_patterns,
                );
                (host.name, served)
            })
            .collect();
        Ok::<_, ApiError>(names.iter().map(|name| found.get(name).cloned()).collect())
    };
    redirects.hosts.get_all(names, redirects.clock.now(), load).await
}
