//! Which link a request means, and where it leads.

use std::sync::Arc;

use axum::http::HeaderValue;
use entity::link;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};

use crate::{
    app::App,
    error::ApiError,
    ids::{AccountId, LinkId},
    redirect::cache::{Known, MISS_LIFETIME, Target},
};

/// Where the slug leads on the host: an empty host is the service's own. From memory, or by one indexed query.
pub async fn resolve(app: &App, host: &str, slug: &str) -> Result<Option<Arc<Target>>, ApiError> {
    let now = app.clock.now();
    let load = async || {
        let link = link::Entity::find()
            .filter(link::Column::Host.eq(host))
            .filter(link::Column::Slug.eq(slug))
            .filter(link::Column::IsActive.eq(true))
            .one(app.db.read())
            .await?;
        let Some(link) = link else { return Ok(Known::Nothing { until: now + MISS_LIFETIME }) };
        let location = HeaderValue::try_from(link.destination_url).map_err(ApiError::internal)?;
        let target = Target { location, link: LinkId(link.id), account: AccountId(link.account_id) };
        Ok::<_, ApiError>(Known::Target(Arc::new(target)))
    };
    match app.redirects.get(host, slug, now, load).await? {
        Known::Target(target) => Ok(Some(target)),
        Known::Nothing { .. } => Ok(None),
    }
}
