//! Queries on publishable keys.

use entity::publishable_key;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Select,
};

use crate::{
    base::{ids::AccountId, page::PageArgs},
    records::apps::PublishableKeyId,
};

fn in_account(account: AccountId) -> Select<publishable_key::Entity> {
    publishable_key::Entity::find().filter(publishable_key::Column::AccountId.eq(account.0))
}

/// One page of the account's keys, newest first.
pub(crate) async fn page(
    db: &impl ConnectionTrait,
    account: AccountId,
    page: PageArgs,
) -> Result<Vec<publishable_key::Model>, DbErr> {
    let keys = in_account(account).order_by_desc(publishable_key::Column::Id);
    keys.offset(page.offset()).limit(page.limit()).all(db).await
}

/// Number of the account's keys.
pub(crate) async fn count(db: &impl ConnectionTrait, account: AccountId) -> Result<i64, DbErr> {
    Ok(i64::try_from(in_account(account).count(db).await?).unwrap_or(i64::MAX))
}

/// The key of this account.
pub(crate) async fn key(
    db: &impl ConnectionTrait,
    account: AccountId,
    id: PublishableKeyId,
) -> Result<Option<publishable_key::Model>, DbErr> {
    in_account(account).filter(publishable_key::Column::Id.eq(id.0)).one(db).await
}

/// Stores a new key.
pub(crate) async fn insert(tx: &impl ConnectionTrait, key: publishable_key::Model) -> Result<(), DbErr> {
    let row = publishable_key::ActiveModel::from(key).reset_all();
    publishable_key::Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

/// Stores a key as it is now.
pub(crate) async fn update(tx: &impl ConnectionTrait, key: publishable_key::Model) -> Result<(), DbErr> {
    publishable_key::ActiveModel::from(key).reset_all().update(tx).await?;
    Ok(())
}

/// Deletes a key. Answers whether it was there.
pub(crate) async fn delete(tx: &impl ConnectionTrait, account: AccountId, id: PublishableKeyId) -> Result<bool, DbErr> {
    let of_account = publishable_key::Column::AccountId.eq(account.0);
    let deleted = publishable_key::Entity::delete_by_id(id.0).filter(of_account).exec(tx).await?;
    Ok(deleted.rows_affected > 0)
}

/// The key with this text, of whichever account.
pub(crate) async fn of_text(db: &impl ConnectionTrait, text: &str) -> Result<Option<publishable_key::Model>, DbErr> {
    publishable_key::Entity::find().filter(publishable_key::Column::Key.eq(text)).one(db).await
}
