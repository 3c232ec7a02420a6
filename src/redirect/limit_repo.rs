//! Queries on limits of clicks.

use entity::link_limit;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Value};
use uuid::Uuid;

use crate::platform::db::on_rows;

/// The limits of these links, as far as they have one, locked until the transaction ends. They are locked in the order of their
/// links, so that two transactions do not wait for each other.
pub(crate) async fn lock(tx: &impl ConnectionTrait, links: Vec<Uuid>) -> Result<Vec<link_limit::Model>, DbErr> {
    let limits = link_limit::Entity::find().filter(link_limit::Column::LinkId.is_in(links));
    limits.order_by_asc(link_limit::Column::LinkId).lock_exclusive().all(tx).await
}

/// Adds redirects to those that were answered, by link.
pub(crate) async fn add(tx: &impl ConnectionTrait, granted: Vec<(Uuid, i64)>) -> Result<(), DbErr> {
    let rows = granted.into_iter().map(|(link, clicks)| [Value::from(link), clicks.into()]).collect();
    let sql = |rows: &str| {
        format!(
            "UPDATE link_limits SET used_clicks = used_clicks + granted.column2 FROM {rows} AS granted \
             WHERE link_limits.link_id = granted.column1"
        )
    };
    for statement in on_rows(tx.get_database_backend(), ["uuid", "bigint"], rows, sql) {
        tx.execute_raw(statement).await?;
    }
    Ok(())
}
