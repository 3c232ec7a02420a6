//! Queries on second factors.

use entity::{recovery_code, totp};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter,
    sea_query::Expr,
};

use crate::base::{clock::UnixMillis, ids::UserId};

/// The user's authenticator app, also one that is not confirmed yet.
pub(crate) async fn totp(db: &impl ConnectionTrait, user: UserId) -> Result<Option<totp::Model>, DbErr> {
    totp::Entity::find_by_id(user.0).one(db).await
}

/// The authenticator app that the user's logins need. `None`: they need none.
pub(crate) async fn confirmed(db: &impl ConnectionTrait, user: UserId) -> Result<Option<totp::Model>, DbErr> {
    Ok(totp(db, user).await?.filter(|totp| totp.confirmed_at.is_some()))
}

/// Stores an authenticator app in place of one that was not confirmed.
pub(crate) async fn replace_unconfirmed(tx: &impl ConnectionTrait, new: totp::Model) -> Result<(), DbErr> {
    let earlier = totp::Entity::delete_by_id(new.user_id).filter(totp::Column::ConfirmedAt.is_null());
    earlier.exec(tx).await?;
    totp::Entity::insert(new.into_active_model().reset_all()).exec_without_returning(tx).await.map(drop)
}

/// From now on logins need the app with this secret, whose code of this step is used. Answers whether it waited to be confirmed.
pub(crate) async fn confirm(
    tx: &impl ConnectionTrait,
    app: &totp::Model,
    step: i64,
    now: UnixMillis,
) -> Result<bool, DbErr> {
    let confirmed = totp::Entity::update_many()
        .col_expr(totp::Column::ConfirmedAt, Expr::value(now))
        .col_expr(totp::Column::LastStep, Expr::value(step))
        .filter(totp::Column::UserId.eq(app.user_id))
        .filter(totp::Column::Secret.eq(app.secret.clone()))
        .filter(totp::Column::ConfirmedAt.is_null())
        .exec(tx)
        .await?;
    Ok(confirmed.rows_affected > 0)
}

/// Notes that the code of this step is used. Answers whether neither it nor a later one was used before.
pub(crate) async fn take_step(tx: &impl ConnectionTrait, user: UserId, step: i64) -> Result<bool, DbErr> {
    let taken = totp::Entity::update_many()
        .col_expr(totp::Column::LastStep, Expr::value(step))
        .filter(totp::Column::UserId.eq(user.0))
        .filter(totp::Column::ConfirmedAt.is_not_null())
        .filter(totp::Column::LastStep.lt(step))
        .exec(tx)
        .await?;
    Ok(taken.rows_affected > 0)
}

/// Removes the user's second factor. Answers whether there was one.
pub(crate) async fn remove(tx: &impl ConnectionTrait, user: UserId) -> Result<bool, DbErr> {
    let removed = totp::Entity::delete_by_id(user.0).exec(tx).await?;
    delete_codes(tx, user).await?;
    Ok(removed.rows_affected > 0)
}

/// Removes the user's second factor if it was set up at this time or later.
pub(crate) async fn remove_since(tx: &impl ConnectionTrait, user: UserId, since: UnixMillis) -> Result<(), DbErr> {
    let later = totp::Entity::delete_by_id(user.0).filter(totp::Column::CreatedAt.gte(since)).exec(tx).await?;
    if later.rows_affected > 0 { delete_codes(tx, user).await } else { Ok(()) }
}

async fn delete_codes(tx: &impl ConnectionTrait, user: UserId) -> Result<(), DbErr> {
    let codes = recovery_code::Entity::delete_many().filter(recovery_code::Column::UserId.eq(user.0));
    codes.exec(tx).await.map(drop)
}

/// Stores recovery codes in place of those before.
pub(crate) async fn replace_codes(tx: &impl ConnectionTrait, user: UserId, hashes: Vec<Vec<u8>>) -> Result<(), DbErr> {
    delete_codes(tx, user).await?;
    let rows =
        hashes.into_iter().map(|code_hash| recovery_code::Model { user_id: user.0, code_hash }.into_active_model());
    recovery_code::Entity::insert_many(rows.map(|row| row.reset_all())).exec_without_returning(tx).await.map(drop)
}

/// Whether the user has this recovery code.
pub(crate) async fn has_code(db: &impl ConnectionTrait, user: UserId, hash: &[u8]) -> Result<bool, DbErr> {
    Ok(recovery_code::Entity::find_by_id((user.0, hash.to_vec())).count(db).await? > 0)
}

/// Uses a recovery code up. Answers whether the user had it.
pub(crate) async fn take_code(tx: &impl ConnectionTrait, user: UserId, hash: &[u8]) -> Result<bool, DbErr> {
    Ok(recovery_code::Entity::delete_by_id((user.0, hash.to_vec())).exec(tx).await?.rows_affected > 0)
}

/// Number of the user's recovery codes that are left.
pub(crate) async fn count_codes(db: &impl ConnectionTrait, user: UserId) -> Result<u64, DbErr> {
    recovery_code::Entity::find().filter(recovery_code::Column::UserId.eq(user.0)).count(db).await
}
