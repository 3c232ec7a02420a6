//! Queries on the pages of hosts.

use entity::host_page;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, Iterable, QueryFilter,
    sea_query::{Expr, ExprTrait, OnConflict},
};

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

/// Takes the image at this path away from the pages of the account's hosts, and returns these hosts.
pub(crate) async fn remove_logo(
    tx: &impl ConnectionTrait,
    account: AccountId,
    path: &str,
) -> Result<Vec<String>, DbErr> {
    let shown = host_page::Column::AccountId.eq(account.0).and(host_page::Column::Logo.eq(path));
    let pages = host_page::Entity::find().filter(shown.clone()).all(tx).await?;
    if !pages.is_empty() {
        let update = host_page::Entity::update_many().col_expr(host_page::Column::Logo, Expr::value(None::<String>));
        update.filter(shown).exec(tx).await?;
    }
    Ok(pages.into_iter().map(|pages| pages.host).collect())
}
