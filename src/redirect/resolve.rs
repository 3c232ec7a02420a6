//! Resolves a request's host to an account's, and its slug to a link's target: from memory, or by one indexed query.

use std::{collections::HashMap, pin::pin, task::Poll, time::Duration};

use entity::{host, host_app, host_setting};
use futures_util::poll;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
use tokio::time::timeout;

use crate::{
    base::{error::ApiError, validate::host_name},
    redirect::{
        Redirects,
        cache::Site,
        lookups::{Lookup, look_up},
        served_host::ServedHost,
        target::Target,
    },
};

/// How long a request waits for the lookup of its host: health probes must be answered soon without a database.
const HOST_TIMEOUT: Duration = Duration::from_secs(2);

/// How long a request waits for the lookup of its slug: both lookups take less than 5 seconds.
const LINK_TIMEOUT: Duration = Duration::from_millis(2_500);

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
    let load = async || {
        // Invalid A-labels are in no row.
        if host_name(name).is_none_or(|known| known != name) {
            return Ok(None);
        }
        let found = host::Entity::find_by_id(name).find_also_related(host_setting::Entity);
        let found = found.find_also_related(host_app::Entity).one(redirects.db.read()).await?;
        Ok::<_, ApiError>(found.map(|(host, settings, apps)| ServedHost::new(&host, settings, apps.as_ref())))
    };
    let host = redirects.hosts.get(name, redirects.clock.now(), load);
    timeout(HOST_TIMEOUT, host).await.unwrap_or_else(|_| Err(ApiError::unavailable()))
}

/// The same for many hosts, in the order given, by at most one query.
pub(crate) async fn hosts(redirects: &Redirects, names: &[String]) -> Result<Vec<Option<ServedHost>>, ApiError> {
    let load = async |names: Vec<String>| {
        let found = host::Entity::find().filter(host::Column::Name.is_in(&names));
        let found = found.find_also_related(host_setting::Entity).find_also_related(host_app::Entity);
        let found = found.all(redirects.db.read()).await?;
        let found: HashMap<String, ServedHost> = found
            .into_iter()
            .map(|(host, settings, apps)| {
                let served = ServedHost::new(&host, settings, apps.as_ref());
                (host.name, served)
            })
            .collect();
        Ok::<_, ApiError>(names.iter().map(|name| found.get(name).cloned()).collect())
    };
    redirects.hosts.get_all(names, redirects.clock.now(), load).await
}
