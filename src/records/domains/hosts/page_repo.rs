//! Queries on the pages of hosts.

use entity::host_page;
use sea_orm::{ActiveModelTrait, ConnectionTrait, DbErr, EntityTrait, Iterable, sea_query::OnConflict};

use crate::base::ids::AccountId;

/// Look and texts that the account has set for a host. `None`: it has set none.
pub(crate) async fn pages(
    db: &impl ConnectionTrait,
    account: AccountId,
    host: &str,
) -> Result<Option<host_page::Model>, DbErr> {
    host_page::Entity::find_by_id((host.to_owned(), account.0)).one(db).await
}

/// Stores look and texts of a host.
pub(crate) async fn store(tx: &impl ConnectionTrait, pages: host_page::Model) -> Result<(), DbErr> {
    use host_page::Column::{AccountId, Host};
    let others = host_page::Column::iter().filter(|column| !matches!(column, Host | AccountId));
    let replace = OnConflict::columns([Host, AccountId]).update_columns(others).to_owned();
    let row = host_page::ActiveModel::from(pages).reset_all();
    host_page::Entity::insert(row).on_conflict(replace).exec_without_returning(tx).await?;
    Ok(())
}
