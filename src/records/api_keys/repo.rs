//! Queries on API keys.

use entity::{account, api_key};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, ExprTrait, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect, Select, sea_query::Expr,
};
use uuid::Uuid;

use crate::base::{
    clock::{MINUTE, UnixMillis},
    ids::{AccountId, ApiKeyId, UserId},
    page::PageArgs,
};

fn in_account(account: AccountId) -> Select<api_key::Entity> {
    api_key::Entity::find().filter(api_key::Column::AccountId.eq(account.0))
}

/// The account's keys that are the user's own. `None`: all of the account.
fn own(account: AccountId, user: Option<UserId>) -> Select<api_key::Entity> {
    let own = user.map(|user| api_key::Column::UserId.eq(user.0).and(api_key::Column::IsPersonal.eq(true)));
    in_account(account).filter(Condition::all().add_option(own))
}

/// The keys with these hashes, and their accounts. Not scoped to an account: this is how the account is found.
pub(crate) async fn by_hashes(
    db: &impl ConnectionTrait,
    hashes: impl IntoIterator<Item = &[u8]>,
) -> Result<Vec<(api_key::Model, Option<account::Model>)>, DbErr> {
    api_key::Entity::find().filter(api_key::Column::Hash.is_in(hashes)).find_also_related(account::Entity).all(db).await
}

/// One page of the account's keys, or of the user's own, newest first.
pub(crate) async fn page(
    db: &impl ConnectionTrait,
    account: AccountId,
    user: Option<UserId>,
    page: PageArgs,
) -> Result<Vec<api_key::Model>, DbErr> {
    own(account, user).order_by_desc(api_key::Column::Id).offset(page.offset()).limit(page.limit()).all(db).await
}

/// Number of the account's keys, or of the user's own, revoked ones included.
pub(crate) async fn count(db: &impl ConnectionTrait, account: AccountId, user: Option<UserId>) -> Result<u64, DbErr> {
    own(account, user).count(db).await
}

/// Neither revoked nor expired.
fn is_live(now: UnixMillis) -> Condition {
    let unexpired = Condition::any().add(api_key::Column::ExpiresAt.is_null()).add(api_key::Column::ExpiresAt.gt(now));
    Condition::all().add(api_key::Column::RevokedAt.is_null()).add(unexpired)
}

/// Number of the account's keys that are live.
pub(crate) async fn count_live(db: &impl ConnectionTrait, account: AccountId, now: UnixMillis) -> Result<u64, DbErr> {
    in_account(account).filter(is_live(now)).count(db).await
}

/// The account's keys, or the user's own in it, that are live, the oldest first, locked until the transaction ends.
pub(crate) async fn lock_live(
    tx: &impl ConnectionTrait,
    account: AccountId,
    user: Option<UserId>,
    now: UnixMillis,
) -> Result<Vec<api_key::Model>, DbErr> {
    let live = own(account, user).filter(is_live(now)).order_by_asc(api_key::Column::Id);
    live.lock_exclusive().all(tx).await
}

/// Revokes these keys of the account.
pub(crate) async fn revoke_all(
    tx: &impl ConnectionTrait,
    account: AccountId,
    ids: impl Iterator<Item = Uuid>,
    now: UnixMillis,
) -> Result<(), DbErr> {
    api_key::Entity::update_many()
        .col_expr(api_key::Column::RevokedAt, Expr::value(now))
        .filter(api_key::Column::AccountId.eq(account.0))
        .filter(api_key::Column::Id.is_in(ids))
        .exec(tx)
        .await?;
    Ok(())
}

/// Gives the account's keys that a user made, and what is left of the user's own, to another member: they outlive the user.
pub(crate) async fn give_to(
    tx: &impl ConnectionTrait,
    account: AccountId,
    from: UserId,
    to: UserId,
) -> Result<(), DbErr> {
    api_key::Entity::update_many()
        .col_expr(api_key::Column::UserId, Expr::value(to.0))
        .filter(api_key::Column::AccountId.eq(account.0))
        .filter(api_key::Column::UserId.eq(from.0))
        .exec(tx)
        .await
        .map(drop)
}

/// The key of this account.
pub(crate) async fn key(
    db: &impl ConnectionTrait,
    account: AccountId,
    id: ApiKeyId,
) -> Result<Option<api_key::Model>, DbErr> {
    in_account(account).filter(api_key::Column::Id.eq(id.0)).one(db).await
}

/// Stores a new key.
pub(crate) async fn insert(tx: &impl ConnectionTrait, key: api_key::Model) -> Result<api_key::Model, DbErr> {
    api_key::ActiveModel::from(key).reset_all().insert(tx).await
}

/// Revokes the key of this account, unless it is revoked. Answers whether this call did it.
pub(crate) async fn revoke(
    tx: &impl ConnectionTrait,
    account: AccountId,
    id: ApiKeyId,
    now: UnixMillis,
) -> Result<bool, DbErr> {
    let revoked = api_key::Entity::update_many()
        .col_expr(api_key::Column::RevokedAt, Expr::value(now))
        .filter(api_key::Column::Id.eq(id.0))
        .filter(api_key::Column::AccountId.eq(account.0))
        .filter(api_key::Column::RevokedAt.is_null())
        .exec(tx)
        .await?;
    Ok(revoked.rows_affected > 0)
}

/// Notes that the key was used, unless that was noted within the last minute.
pub(crate) async fn touch(
    db: &impl ConnectionTrait,
    account: AccountId,
    id: ApiKeyId,
    now: UnixMillis,
) -> Result<(), DbErr> {
    let due =
        Condition::any().add(api_key::Column::LastUsedAt.is_null()).add(api_key::Column::LastUsedAt.lte(now - MINUTE));
    api_key::Entity::update_many()
        .col_expr(api_key::Column::LastUsedAt, Expr::value(now))
        .filter(api_key::Column::Id.eq(id.0))
        .filter(api_key::Column::AccountId.eq(account.0))
        .filter(due)
        .exec(db)
        .await?;
    Ok(())
}
