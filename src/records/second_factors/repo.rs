//! Queries on second factors.

use entity::{passkey, recovery_code, totp};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter,
    sea_query::Expr,
};

use crate::base::{clock::UnixMillis, ids::UserId};

/// The user's authenticator app, also one that is not confirmed yet.
pub(crate) async fn totp(db: &impl ConnectionTrait, user: UserId) -> Result<Option<totp::Model>, DbErr> {
    totp::Entity::find_by_id(user.0).one(db).await
}

/// A kind of second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Factor {
    Totp,
    Passkey,
}

impl Factor {
    /// As callers see it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Factor::Totp => "TOTP",
            Factor::Passkey => "PASSKEY",
        }
    }
}

/// The second factors of which the user's logins need one. Empty: they need none.
pub(crate) async fn factors(db: &impl ConnectionTrait, user: UserId) -> Result<Vec<Factor>, DbErr> {
    let totp = confirmed(db, user).await?.map(|_| Factor::Totp);
    let passkeys = passkey::Entity::find().filter(passkey::Column::UserId.eq(user.0)).count(db).await?;
    let passkey = (passkeys > 0).then_some(Factor::Passkey);
    Ok(totp.into_iter().chain(passkey).collect())
}

/// The authenticator app of the user, who has shown to have it. `None`: there is none.
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

/// Removes the user's authenticator app.
pub(crate) async fn remove_totp(tx: &impl ConnectionTrait, user: UserId) -> Result<(), DbErr> {
    totp::Entity::delete_by_id(user.0).exec(tx).await?;
    delete_codes_of_none(tx, user).await
}

/// Removes the user's second factors that were set up at this time or later: from 0 on, all. Answers whether there was one.
pub(crate) async fn remove_since(tx: &impl ConnectionTrait, user: UserId, since: UnixMillis) -> Result<bool, DbErr> {
    let app = totp::Entity::delete_by_id(user.0).filter(totp::Column::CreatedAt.gte(since)).exec(tx).await?;
    let passkeys = passkey::Entity::delete_many().filter(passkey::Column::UserId.eq(user.0));
    let passkeys = passkeys.filter(passkey::Column::CreatedAt.gte(since)).exec(tx).await?;
    delete_codes_of_none(tx, user).await?;
    Ok(app.rows_affected + passkeys.rows_affected > 0)
}

/// Deletes the recovery codes of a user without a second factor.
pub(super) async fn delete_codes_of_none(tx: &impl ConnectionTrait, user: UserId) -> Result<(), DbErr> {
    if factors(tx, user).await?.is_empty() { delete_codes(tx, user).await } else { Ok(()) }
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
