//! Queries on invitations.

use entity::invitation::{ActiveModel, Column, Entity, Model};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Select, sea_query::Expr,
};
use uuid::Uuid;

use crate::base::{
    clock::UnixMillis,
    ids::{AccountId, InvitationId},
    page::PageArgs,
};

fn live(account: AccountId, now: UnixMillis) -> Select<Entity> {
    Entity::find().filter(Column::AccountId.eq(account.0)).filter(Column::ExpiresAt.gt(now))
}

/// Stores an invitation in place of an earlier one to the address.
pub(crate) async fn replace(tx: &impl ConnectionTrait, new: Model) -> Result<(), DbErr> {
    let earlier = Entity::delete_many().filter(Column::AccountId.eq(new.account_id));
    earlier.filter(Column::Email.eq(&*new.email)).exec(tx).await?;
    Entity::insert(ActiveModel::from(new).reset_all()).exec_without_returning(tx).await.map(drop)
}

/// Sets the token of an invitation, in place of an earlier one. `None`: there is no such invitation any more.
pub(crate) async fn set_token(db: &impl ConnectionTrait, id: Uuid, hash: Vec<u8>) -> Result<Option<Model>, DbErr> {
    Entity::update_many().col_expr(Column::TokenHash, Expr::value(hash)).filter(Column::Id.eq(id)).exec(db).await?;
    Entity::find_by_id(id).one(db).await
}

/// The invitation of a token. `None`: it is unknown, used, revoked or expired.
pub(crate) async fn by_token(
    db: &impl ConnectionTrait,
    hash: Vec<u8>,
    now: UnixMillis,
) -> Result<Option<Model>, DbErr> {
    Entity::find().filter(Column::TokenHash.eq(hash)).filter(Column::ExpiresAt.gt(now)).one(db).await
}

/// The oldest invitation of an address, in lower case. `None`: there is none that has not expired.
pub(crate) async fn by_email(db: &impl ConnectionTrait, email: &str, now: UnixMillis) -> Result<Option<Model>, DbErr> {
    let of_address = Entity::find().filter(Column::Email.eq(email)).filter(Column::ExpiresAt.gt(now));
    of_address.order_by_asc(Column::Id).one(db).await
}

/// One page of the account's invitations that wait, newest first.
pub(crate) async fn page(
    db: &impl ConnectionTrait,
    account: AccountId,
    now: UnixMillis,
    page: PageArgs,
) -> Result<Vec<Model>, DbErr> {
    live(account, now).order_by_desc(Column::Id).offset(page.offset()).limit(page.limit()).all(db).await
}

/// Number of the account's invitations that wait.
pub(crate) async fn count(db: &impl ConnectionTrait, account: AccountId, now: UnixMillis) -> Result<u64, DbErr> {
    live(account, now).count(db).await
}

/// The account's invitation.
pub(crate) async fn invitation(
    tx: &impl ConnectionTrait,
    account: AccountId,
    id: InvitationId,
) -> Result<Option<Model>, DbErr> {
    Entity::find_by_id(id.0).filter(Column::AccountId.eq(account.0)).one(tx).await
}

/// Deletes an invitation. Answers whether it was there: it is accepted once.
pub(crate) async fn delete(tx: &impl ConnectionTrait, id: Uuid) -> Result<bool, DbErr> {
    Ok(Entity::delete_by_id(id).exec(tx).await?.rows_affected > 0)
}

/// Deletes invitations that expired before.
pub(crate) async fn delete_expired(db: &impl ConnectionTrait, before: UnixMillis) -> Result<(), DbErr> {
    Entity::delete_many().filter(Column::ExpiresAt.lt(before)).exec(db).await.map(drop)
}
