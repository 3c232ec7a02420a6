//! Queries on the apps of hosts.

use entity::host_app;
use sea_orm::{ConnectionTrait, DbErr, EntityTrait};

use crate::{base::ids::AccountId, platform::db};

/// The apps that the account has set for a host. `None`: it has set none.
pub(crate) async fn apps(
    db: &impl ConnectionTrait,
    account: AccountId,
    host: &str,
) -> Result<Option<host_app::Model>, DbErr> {
    host_app::Entity::find_by_id((host.to_owned(), account.0)).one(db).await
}

/// Stores the apps of a host.
pub(crate) async fn store(tx: &impl ConnectionTrait, apps: host_app::Model) -> Result<(), DbErr> {
    db::replace::<host_app::ActiveModel>(tx, apps).await
}
