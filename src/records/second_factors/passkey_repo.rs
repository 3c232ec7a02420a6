//! Queries on passkeys.

use entity::{
    passkey::{ActiveModel, Column, Entity, Model},
    used_challenge,
};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect,
    sea_query::{Expr, OnConflict},
};
use uuid::Uuid;

use super::repo::delete_codes_of_none;
use crate::base::{clock::UnixMillis, ids::UserId};

/// Passkeys of a user at most: all are listed at once.
pub(crate) const MAX_PASSKEYS: u64 = 20;

/// The user's passkeys, the oldest first.
pub(crate) async fn of_user(db: &impl ConnectionTrait, user: UserId) -> Result<Vec<Model>, DbErr> {
    let of_user = Entity::find().filter(Column::UserId.eq(user.0));
    of_user.order_by_asc(Column::Id).limit(MAX_PASSKEYS).all(db).await
}

/// Number of the user's passkeys.
pub(crate) async fn count(db: &impl ConnectionTrait, user: UserId) -> Result<u64, DbErr> {
    Entity::find().filter(Column::UserId.eq(user.0)).count(db).await
}

/// The passkey that an authenticator calls so.
pub(crate) async fn by_credential(db: &impl ConnectionTrait, credential_id: &[u8]) -> Result<Option<Model>, DbErr> {
    Entity::find().filter(Column::CredentialId.eq(credential_id)).one(db).await
}

/// Stores a passkey. Fails with a violation of a unique constraint when somebody has it already.
pub(crate) async fn insert(tx: &impl ConnectionTrait, new: Model) -> Result<(), DbErr> {
    Entity::insert(ActiveModel::from(new).reset_all()).exec_without_returning(tx).await.map(drop)
}

/// Stores a use. Answers whether the passkey still was as `read`: neither removed nor used meanwhile with its counter.
pub(crate) async fn use_once(
    tx: &impl ConnectionTrait,
    read: &Model,
    credential: String,
    now: UnixMillis,
) -> Result<bool, DbErr> {
    let used = Entity::update_many()
        .col_expr(Column::Credential, Expr::value(credential))
        .col_expr(Column::LastUsedAt, Expr::value(now))
        .filter(Column::Id.eq(read.id))
        .filter(Column::Credential.eq(read.credential.as_str()))
        .exec(tx)
        .await?;
    Ok(used.rows_affected > 0)
}

/// Deletes a passkey of the user. `None`: the user has none with this id.
pub(crate) async fn delete(tx: &impl ConnectionTrait, user: UserId, id: Uuid) -> Result<Option<Model>, DbErr> {
    let found = Entity::find_by_id(id).filter(Column::UserId.eq(user.0)).one(tx).await?;
    if found.is_some() {
        Entity::delete_by_id(id).exec(tx).await?;
        delete_codes_of_none(tx, user).await?;
    }
    Ok(found)
}

/// Notes that a challenge is used. Answers whether it was not before.
pub(crate) async fn take_challenge(tx: &impl ConnectionTrait, id: Uuid, expires_at: UnixMillis) -> Result<bool, DbErr> {
    let row = used_challenge::Model { id, expires_at }.into_active_model().reset_all();
    let known = OnConflict::new().do_nothing().to_owned();
    Ok(used_challenge::Entity::insert(row).on_conflict(known).exec_without_returning(tx).await? > 0)
}

/// Deletes the challenges that are refused for their age.
pub(crate) async fn delete_expired(db: &impl ConnectionTrait, now: UnixMillis) -> Result<(), DbErr> {
    let expired = used_challenge::Entity::delete_many().filter(used_challenge::Column::ExpiresAt.lt(now));
    expired.exec(db).await.map(drop)
}
