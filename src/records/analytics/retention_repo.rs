//! Queries on expired clicks. Those on accounts and links page through all of them.

use entity::{account, link};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, ExprTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::Expr,
};
use uuid::Uuid;

use crate::{
    base::{
        clock::UnixMillis,
        ids::{AccountId, LinkId},
    },
    click_store::stored_repo::delete_some,
    platform::db::Db,
};

/// Accounts by their id. Not scoped to one: the job looks at all.
pub(crate) async fn accounts_after(
    db: &impl ConnectionTrait,
    after: Option<Uuid>,
    limit: u64,
) -> Result<Vec<account::Model>, DbErr> {
    let accounts = account::Entity::find().order_by_asc(account::Column::Id).limit(limit);
    let after = after.map(|after| account::Column::Id.gt(after));
    accounts.filter(sea_orm::Condition::all().add_option(after)).all(db).await
}

/// Links of the account by their id: those that ever had a click which is not deleted.
pub(crate) async fn links_with_clicks(
    db: &impl ConnectionTrait,
    account: AccountId,
    after: Option<Uuid>,
    limit: u64,
) -> Result<Vec<Uuid>, DbErr> {
    let after = after.map(|after| link::Column::Id.gt(after));
    link::Entity::find()
        .select_only()
        .column(link::Column::Id)
        .filter(link::Column::AccountId.eq(account.0))
        .filter(Expr::col(link::Column::ClickCount).gt(Expr::col(link::Column::ExpiredClicks)))
        .filter(sea_orm::Condition::all().add_option(after))
        .order_by_asc(link::Column::Id)
        .limit(limit)
        .into_tuple()
        .all(db)
        .await
}

/// Deletes some of a link's clicks before this time, oldest first, and counts them; answers how many.
pub(crate) async fn expire(
    db: &Db,
    account: AccountId,
    link: LinkId,
    before: UnixMillis,
    limit: u64,
) -> Result<u64, DbErr> {
    let tx = db.begin().await?;
    let deleted = delete_some(&tx, link.0, before, limit).await?;
    let counted = Expr::col(link::Column::ExpiredClicks).add(i64::try_from(deleted).unwrap_or(i64::MAX));
    link::Entity::update_many()
        .col_expr(link::Column::ExpiredClicks, counted)
        .filter(link::Column::AccountId.eq(account.0))
        .filter(link::Column::Id.eq(link.0))
        .exec(&tx)
        .await?;
    tx.commit().await?;
    Ok(deleted)
}
