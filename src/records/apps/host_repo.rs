//! Queries on the apps of hosts.

use entity::host_app;
use sea_orm::{ActiveModelTrait, ConnectionTrait, DbErr, EntityTrait, Iterable, sea_query::OnConflict};

use crate::base::ids::AccountId;

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
    use host_app::Column::{AccountId, Host};
    let others = host_app::Column::iter().filter(|column| !matches!(column, Host | AccountId));
    let replace = OnConflict::columns([Host, AccountId]).update_columns(others).to_owned();
    let row = host_app::ActiveModel::from(apps).reset_all();
    host_app::Entity::insert(row).on_conflict(replace).exec_without_returning(tx).await?;
    Ok(())
}
