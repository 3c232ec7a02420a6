//! Queries on the restrictions that operators have made. They see all accounts.

use entity::{account, blocked_host, blocked_link};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

/// Ids of all suspended accounts.
pub(crate) async fn suspended_accounts(db: &impl ConnectionTrait) -> Result<Vec<Uuid>, DbErr> {
    let suspended = account::Entity::find().filter(account::Column::SuspendedAt.is_not_null());
    suspended.select_only().column(account::Column::Id).into_tuple().all(db).await
}

/// All addresses of blocked links.
pub(crate) async fn blocked_links(db: &impl ConnectionTrait) -> Result<Vec<blocked_link::Model>, DbErr> {
    blocked_link::Entity::find().all(db).await
}

/// All blocked hosts, by name.
pub(crate) async fn blocked_hosts(db: &impl ConnectionTrait) -> Result<Vec<blocked_host::Model>, DbErr> {
    blocked_host::Entity::find().order_by_asc(blocked_host::Column::Name).all(db).await
}
