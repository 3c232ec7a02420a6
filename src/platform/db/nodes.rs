//! The nodes on one database. Each tells its base URL, which is the issuer of its tokens: nodes refuse the tokens of another issuer.

use entity::node;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, sea_query::OnConflict};
use uuid::Uuid;

use super::Db;
use crate::base::clock::{HOUR, Millis, UnixMillis};

/// How long a node counts as serving after it has said so, which it does each hour.
const KEPT: Millis = 3 * HOUR;

/// Says that this node serves, and warns of others with another base URL.
pub(crate) async fn tell(db: &Db, own: node::Model) -> Result<(), DbErr> {
    let (log, base_url, now) = (own.log_id, own.base_url.clone(), own.seen_at);
    let replace = OnConflict::column(node::Column::LogId)
        .update_columns([node::Column::BaseUrl, node::Column::SeenAt])
        .to_owned();
    let gone = node::Entity::delete_many().filter(node::Column::SeenAt.lt(now - KEPT));
    gone.exec(db.write()).await?;
    // Before others are looked for: of two that start at once, at least the second finds the first.
    node::Entity::insert(node::ActiveModel::from(own)).on_conflict(replace).exec_without_returning(db.write()).await?;
    if db.is_shared()
        && let Some(doubt) = doubt(&serving(db.write(), now).await?, Some(log), &base_url)
    {
        tracing::warn!("{doubt}");
    }
    Ok(())
}

/// The nodes that serve.
pub(super) async fn serving(db: &impl ConnectionTrait, now: UnixMillis) -> Result<Vec<node::Model>, DbErr> {
    node::Entity::find().filter(node::Column::SeenAt.gte(now - KEPT)).all(db).await
}

/// The warning that nodes with other click logs have other base URLs. `None`: all have this one.
pub(crate) fn doubt(nodes: &[node::Model], log: Option<Uuid>, base_url: &str) -> Option<String> {
    let is_other = |node: &&node::Model| Some(node.log_id) != log && node.base_url != base_url;
    let mut others: Vec<&str> = nodes.iter().filter(is_other).map(|node| &*node.base_url).collect();
    others.sort_unstable();
    others.dedup();
    let others = others.join(" and ");
    (!others.is_empty()).then(|| {
        format!(
            "LINKGRAPH_BASE_URL: it is {base_url}, and {others} at other nodes on this database: they refuse each other's tokens"
        )
    })
}
