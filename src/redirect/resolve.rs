//! Whose host a request is for, which link it means, and where that leads. From memory, or by one indexed query.

use std::{collections::HashMap, pin::pin, sync::Arc, task::Poll, time::Duration};

use entity::{host, link};
use futures_util::poll;
use sea_orm::{ColumnTrait, DbErr, EntityTrait, QueryFilter};
use tokio::time::timeout;

use crate::{
    app::App,
    batch::Batches,
    db::{Db, filled_up, on_rows},
    error::ApiError,
    ids::{AccountId, LinkId},
    redirect::cache::{Site, Target},
    text::host_name,
};

/// How long a request waits to know whose host it is for: without a database, a probe must not wait for one.
const HOST_TIMEOUT: Duration = Duration::from_secs(2);

/// How long it waits to know where a slug leads: together they are less than 5 seconds.
const LINK_TIMEOUT: Duration = Duration::from_millis(2_500);

/// Slugs looked up by one statement.
const MAX_LOOKUPS: usize = 64;

/// A slug that the cache does not know.
pub struct Lookup {
    host: String,
    account: Option<AccountId>,
    slug: String,
}

/// Lookups on their way. One statement at a time answers all who wait: whoever tries slugs out costs the database as
/// little as visitors of links that are not known yet.
pub type Lookups = Batches<Lookup, Option<Target>>;

/// None under way.
pub fn lookups() -> Arc<Lookups> {
    Batches::new(MAX_LOOKUPS)
}

/// Where the slug leads on the service's own host (none), or at another site.
pub async fn resolve(app: &App, site: Option<Site<'_>>, slug: &str) -> Result<Option<Target>, ApiError> {
    let load = async || {
        let (host, account) = site.map_or(("", None), |site| (site.host, Some(site.account)));
        let lookup = Lookup { host: host.to_owned(), account, slug: slug.to_owned() };
        let db = app.db.clone();
        let target = app.lookups.ask(lookup, move |lookups| look_up(db.clone(), lookups)).await?;
        Ok(target.map(|target| if is_forbidden(app, site, slug, &target) { target.disabled() } else { target }))
    };
    let mut target = pin!(app.redirects.get(site, slug, app.clock.now(), load));
    // What is known takes no timer.
    if let Poll::Ready(target) = poll!(target.as_mut()) {
        return target;
    }
    timeout(LINK_TIMEOUT, target).await.unwrap_or_else(|_| Err(ApiError::unavailable()))
}

/// Whether the operator has blocked the link or suspended its account.
fn is_forbidden(app: &App, site: Option<Site<'_>>, slug: &str, target: &Target) -> bool {
    let site = site.unwrap_or(Site { host: "", account: target.account() });
    app.restrictions.is_suspended(target.account()) || app.restrictions.blocked_at(site, slug).is_some()
}

async fn look_up(db: Db, lookups: Vec<Lookup>) -> Result<Vec<Option<Target>>, ApiError> {
    let found = links(&db, &lookups).await?;
    let mut by_key: HashMap<(&str, &str), Vec<&link::Model>> = HashMap::new();
    for link in &found {
        by_key.entry((&link.host, &link.slug)).or_default().push(link);
    }
    let of = |lookup: &Lookup| {
        let links = by_key.get(&(&*lookup.host, &*lookup.slug))?;
        let owned = |link: &&&link::Model| lookup.account.is_none_or(|account| account.0 == link.account_id);
        links.iter().find(owned).map(|link| Target::from(*link))
    };
    Ok(lookups.iter().map(of).collect())
}

/// The active links at these places: beyond the service's own host, of any account.
async fn links(db: &Db, lookups: &[Lookup]) -> Result<Vec<link::Model>, DbErr> {
    let rows: Vec<_> = lookups.iter().map(|lookup| [(&*lookup.host).into(), (&*lookup.slug).into()]).collect();
    let statements = on_rows(db.backend(), ["text", "text"], filled_up(rows), |wanted| {
        format!(
            "SELECT links.* FROM {wanted} AS wanted JOIN links ON links.host = wanted.column1 \
             AND links.slug = wanted.column2 WHERE links.is_active"
        )
    });
    let mut found = Vec::new();
    for statement in statements {
        found.extend(link::Entity::find().from_raw_sql(statement).all(db.read()).await?);
    }
    Ok(found)
}

impl From<&link::Model> for Target {
    fn from(link: &link::Model) -> Self {
        Target::new(LinkId(link.id), AccountId(link.account_id), &link.destination_url)
    }
}

/// Whose links a host, as DNS has its name, serves now, if it is not the service's own. The name is one that
/// [can be served](crate::config::Config::can_be_served).
pub async fn owner(app: &App, name: &str) -> Result<Option<AccountId>, ApiError> {
    let load = async || {
        // A-labels that no text has are in no row.
        if host_name(name).is_none_or(|known| known != name) {
            return Ok(None);
        }
        let found = host::Entity::find_by_id(name).one(app.db.read()).await?;
        Ok::<_, ApiError>(found.map(|host| AccountId(host.account_id)))
    };
    let owner = app.hosts.get(name, app.clock.now(), load);
    timeout(HOST_TIMEOUT, owner).await.unwrap_or_else(|_| Err(ApiError::unavailable()))
}

/// The same for many hosts, in the order given, by at most one query.
pub async fn owners(app: &App, names: &[String]) -> Result<Vec<Option<AccountId>>, ApiError> {
    let load = async |names: Vec<String>| {
        let found = host::Entity::find().filter(host::Column::Name.is_in(&names)).all(app.db.read()).await?;
        let found: HashMap<String, AccountId> =
            found.into_iter().map(|host| (host.name, AccountId(host.account_id))).collect();
        Ok::<_, ApiError>(names.iter().map(|name| found.get(name).copied()).collect())
    };
    app.hosts.get_all(names, app.clock.now(), load).await
}
