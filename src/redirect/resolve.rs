//! Which link a request means, and where it leads.

use std::{net::IpAddr, sync::Arc};

use axum::http::HeaderValue;
use entity::link;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};

use crate::{
    app::App,
    config::BaseUrl,
    error::ApiError,
    ids::{AccountId, LinkId},
    redirect::cache::{Known, MISS_LIFETIME, Target},
};

/// Whether the name, without a port, is the service's own host. Loopback names always are, so that a machine reaches
/// its own service under any of them.
pub fn own_host(base_url: &BaseUrl, host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    host.eq_ignore_ascii_case(base_url.host())
        || host.eq_ignore_ascii_case("localhost")
        || host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The host of a `Host` header, without its port.
pub fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_cut_off() {
        for (authority, host) in [
            ("a.example", "a.example"),
            ("a.example:80", "a.example"),
            ("[::1]:8080", "[::1]"),
            ("[::1]", "[::1]"),
            ("a.example:", "a.example:"),
        ] {
            assert_eq!(without_port(authority), host);
        }
    }
}
