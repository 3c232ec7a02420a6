//! Queries on subdomains.

use entity::{host_setting, subdomain, subdomain_claim};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect, sea_query::OnConflict,
};

use crate::base::{clock::UnixMillis, ids::AccountId};

/// A subdomain as the API shows it.
#[derive(Clone, Debug)]
pub(crate) struct ShownSubdomain {
    pub(crate) subdomain: subdomain::Model,
    /// The account's settings for its host. `None`: the account has set nothing.
    pub(crate) settings: Option<host_setting::Model>,
}

pub(crate) async fn subdomain(
    db: &impl ConnectionTrait,
    account: AccountId,
) -> Result<Option<subdomain::Model>, DbErr> {
    subdomain::Entity::find().filter(subdomain::Column::AccountId.eq(account.0)).one(db).await
}

/// The account's subdomain, locked until the transaction ends.
pub(crate) async fn lock_subdomain(
    tx: &impl ConnectionTrait,
    account: AccountId,
) -> Result<Option<subdomain::Model>, DbErr> {
    let subdomain = subdomain::Entity::find().filter(subdomain::Column::AccountId.eq(account.0));
    subdomain.lock_exclusive().one(tx).await
}

/// Stores a claim, unless its label is taken (the primary key). Returns whether it was stored.
pub(crate) async fn insert(tx: &impl ConnectionTrait, claim: subdomain::Model) -> Result<bool, DbErr> {
    let claim = subdomain::ActiveModel::from(claim).reset_all();
    let taken = OnConflict::new().do_nothing().to_owned();
    Ok(subdomain::Entity::insert(claim).on_conflict(taken).exec_without_returning(tx).await? > 0)
}

/// Deletes the label if it was released long enough ago.
pub(crate) async fn delete_released(tx: &impl ConnectionTrait, label: &str, before: UnixMillis) -> Result<(), DbErr> {
    let released = subdomain::Entity::delete_by_id(label)
        .filter(subdomain::Column::AccountId.is_null())
        .filter(subdomain::Column::ReleasedAt.lte(before));
    released.exec(tx).await?;
    Ok(())
}

/// Deletes the account's subdomain: its label is free at once.
pub(crate) async fn delete(tx: &impl ConnectionTrait, account: AccountId) -> Result<(), DbErr> {
    subdomain::Entity::delete_many().filter(subdomain::Column::AccountId.eq(account.0)).exec(tx).await?;
    Ok(())
}

/// Times of the account's claims that are kept, oldest first.
pub(crate) async fn claims(tx: &impl ConnectionTrait, account: AccountId) -> Result<Vec<UnixMillis>, DbErr> {
    let claims = subdomain_claim::Entity::find()
        .select_only()
        .column(subdomain_claim::Column::ClaimedAt)
        .filter(subdomain_claim::Column::AccountId.eq(account.0))
        .order_by_asc(subdomain_claim::Column::ClaimedAt);
    claims.into_tuple().all(tx).await
}

/// Notes that the account made the claim. Its row must be locked, so that claims are counted one after the other.
pub(crate) async fn insert_claim(
    tx: &impl ConnectionTrait,
    account: AccountId,
    claim: &subdomain::Model,
) -> Result<(), DbErr> {
    let claim = subdomain_claim::ActiveModel {
        id: Set(claim.id),
        account_id: Set(account.0),
        claimed_at: Set(claim.claimed_at),
    };
    subdomain_claim::Entity::insert(claim).exec_without_returning(tx).await?;
    Ok(())
}

/// Deletes the account's claims up to this time.
pub(crate) async fn delete_claims_before(
    tx: &impl ConnectionTrait,
    account: AccountId,
    until: UnixMillis,
) -> Result<(), DbErr> {
    let old = subdomain_claim::Entity::delete_many()
        .filter(subdomain_claim::Column::AccountId.eq(account.0))
        .filter(subdomain_claim::Column::ClaimedAt.lte(until));
    old.exec(tx).await?;
    Ok(())
}

/// Stores the changed subdomain, which must be locked.
pub(crate) async fn update(tx: &impl ConnectionTrait, subdomain: subdomain::Model) -> Result<subdomain::Model, DbErr> {
    subdomain::ActiveModel::from(subdomain).reset_all().update(tx).await
}
