//! Whose host a request is for, which link it means, and where that leads. From memory, or by one indexed query.

use std::{collections::HashMap, sync::Arc, time::Duration};

use axum::http::HeaderValue;
use entity::{host, link};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};

use crate::{
    app::App,
    error::ApiError,
    ids::{AccountId, LinkId},
    redirect::cache::{Site, Target},
};

/// How long a request waits to know whose host it is for: without a database, a probe must not wait for one.
const HOST_TIMEOUT: Duration = Duration::from_secs(2);

/// Where the slug leads on the service's own host (none), or at another site.
pub async fn resolve(app: &App, site: Option<Site<'_>>, slug: &str) -> Result<Option<Arc<Target>>, ApiError> {
    let load = async || {
        let mut links = link::Entity::find()
            .filter(link::Column::Host.eq(site.map_or("", |site| site.host)))
            .filter(link::Column::Slug.eq(slug))
            .filter(link::Column::IsActive.eq(true));
        if let Some(site) = site {
            links = links.filter(link::Column::AccountId.eq(site.account.0));
        }
        let Some(link) = links.one(app.db.read()).await? else { return Ok(None) };
        let location = HeaderValue::try_from(link.destination_url).map_err(ApiError::internal)?;
        Ok::<_, ApiError>(Some(Target { location, link: LinkId(link.id), account: AccountId(link.account_id) }))
    };
    app.redirects.get(site, slug, app.clock.now(), load).await
}

/// Whose links a host, as DNS has its name, serves now, if it is not the service's own.
pub async fn owner(app: &App, name: &str) -> Result<Option<AccountId>, ApiError> {
    let load = async || {
        let found = host::Entity::find_by_id(name).one(app.db.read()).await?;
        Ok::<_, ApiError>(found.map(|host| AccountId(host.account_id)))
    };
    let owner = app.hosts.get(name, app.clock.now(), load);
    tokio::time::timeout(HOST_TIMEOUT, owner).await.unwrap_or_else(|_| Err(ApiError::unavailable()))
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
