//! Queries on subdomains.

use entity::subdomain;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect, sea_query::OnConflict,
};

use crate::{clock::Millis, ids::AccountId};

/// The account's subdomain.
pub async fn subdomain(db: &impl ConnectionTrait, account: AccountId) -> Result<Option<subdomain::Model>, DbErr> {
    subdomain::Entity::find().filter(subdomain::Column::AccountId.eq(account.0)).one(db).await
}

/// The account's subdomain, locked until the transaction ends.
pub async fn lock_subdomain(tx: &impl ConnectionTrait, account: AccountId) -> Result<Option<subdomain::Model>, DbErr> {
    let subdomain = subdomain::Entity::find().filter(subdomain::Column::AccountId.eq(account.0));
    subdomain.lock_exclusive().one(tx).await
}

/// Stores a claim, if its label is nobody's: the primary key decides. Answers whether it was.
pub async fn insert(tx: &impl ConnectionTrait, claim: subdomain::Model) -> Result<bool, DbErr> {
    let claim = subdomain::ActiveModel::from(claim).reset_all();
    let taken = OnConflict::new().do_nothing().to_owned();
    Ok(subdomain::Entity::insert(claim).on_conflict(taken).exec_without_returning(tx).await? > 0)
}

/// Deletes the label if it was released long enough ago.
pub async fn delete_released(tx: &impl ConnectionTrait, label: &str, before: Millis) -> Result<(), DbErr> {
    let released = subdomain::Entity::delete_by_id(label)
        .filter(subdomain::Column::AccountId.is_null())
        .filter(subdomain::Column::ReleasedAt.lte(before));
    released.exec(tx).await?;
    Ok(())
}

/// Stores the changed subdomain, which must be locked.
pub async fn update(tx: &impl ConnectionTrait, subdomain: subdomain::Model) -> Result<subdomain::Model, DbErr> {
    subdomain::ActiveModel::from(subdomain).reset_all().update(tx).await
}
