//! Queries on the pages of hosts.

use entity::host_page;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter,
    sea_query::{Expr, ExprTrait},
};

use crate::{base::ids::AccountId, platform::db};

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
    db::replace::<host_page::ActiveModel>(tx, pages).await
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
