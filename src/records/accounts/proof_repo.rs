//! Queries on the tokens that prove e-mail addresses, and that operators make to log users in.

use entity::{
    email_proof::{ActiveModel, Column, Entity, Model},
    user,
};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QuerySelect,
    Select, sea_query::Expr,
};
use uuid::Uuid;

use crate::base::{clock::UnixMillis, ids::UserId};

/// The effect of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The address becomes the user's proved one.
    Verify,
    /// The address was the user's, and becomes it again.
    Undo,
    /// The user is logged in: an operator made it.
    LogIn,
}

impl Purpose {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Purpose::Verify => "verify",
            Purpose::Undo => "undo",
            Purpose::LogIn => "log_in",
        }
    }
}

pub(crate) async fn insert(tx: &impl ConnectionTrait, proof: Model) -> Result<(), DbErr> {
    Entity::insert(ActiveModel::from(proof).reset_all()).exec_without_returning(tx).await.map(drop)
}

/// Sets the token of a proof, in place of an earlier one. `None`: there is no such proof any more.
pub(crate) async fn set_token(
    db: &impl ConnectionTrait,
    id: Uuid,
    token_hash: Vec<u8>,
) -> Result<Option<Model>, DbErr> {
    Entity::update_many()
        .col_expr(Column::TokenHash, Expr::value(token_hash))
        .filter(Column::Id.eq(id))
        .exec(db)
        .await?;
    Entity::find_by_id(id).one(db).await
}

fn live(purpose: Purpose, now: UnixMillis) -> Select<Entity> {
    Entity::find().filter(Column::Purpose.eq(purpose.as_str())).filter(Column::ExpiresAt.gt(now))
}

/// The proof of this token. `None`: it is unknown, used or expired.
pub(crate) async fn by_token(
    db: &impl ConnectionTrait,
    purpose: Purpose,
    token_hash: Vec<u8>,
    now: UnixMillis,
) -> Result<Option<Model>, DbErr> {
    live(purpose, now).filter(Column::TokenHash.eq(token_hash)).one(db).await
}

/// Deletes a proof, which succeeds once, and returns its user, locked. `None`: it was used meanwhile.
pub(crate) async fn take(tx: &impl ConnectionTrait, proof: &Model) -> Result<Option<user::Model>, DbErr> {
    // The user's row first: the order of locks is the same everywhere.
    let user = user::Entity::find_by_id(proof.user_id).lock_exclusive().one(tx).await?;
    let taken = Entity::delete_by_id(proof.id).exec(tx).await?;
    Ok(user.filter(|_| taken.rows_affected > 0))
}

/// Whether the address was another user's who can still get it back.
pub(crate) async fn is_kept(db: &impl ConnectionTrait, email: &str, now: UnixMillis) -> Result<bool, DbErr> {
    Ok(live(Purpose::Undo, now).filter(Column::Email.eq(email)).count(db).await? > 0)
}

/// Deletes what would prove an address of the user.
pub(crate) async fn delete_verifications(tx: &impl ConnectionTrait, user: UserId) -> Result<(), DbErr> {
    let of_user = Entity::delete_many().filter(Column::UserId.eq(user.0));
    of_user.filter(Column::Purpose.eq(Purpose::Verify.as_str())).exec(tx).await.map(drop)
}

/// Deletes what would undo changes of the user's address from this time on.
pub(crate) async fn delete_undos(tx: &impl ConnectionTrait, user: UserId, from: UnixMillis) -> Result<(), DbErr> {
    let of_user = Entity::delete_many().filter(Column::UserId.eq(user.0)).filter(Column::CreatedAt.gte(from));
    of_user.filter(Column::Purpose.eq(Purpose::Undo.as_str())).exec(tx).await.map(drop)
}

/// Deletes proofs that expired before.
pub(crate) async fn delete_expired(db: &impl ConnectionTrait, before: UnixMillis) -> Result<(), DbErr> {
    Entity::delete_many().filter(Column::ExpiresAt.lt(before)).exec(db).await.map(drop)
}
