//! Queries on idempotency keys.

use entity::{idempotency_bytes, idempotency_key};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, DatabaseBackend, DbErr, EntityTrait, QueryFilter, QuerySelect, QueryTrait, Statement,
    sea_query::{Expr, ExprTrait, OnConflict},
};

use super::once::Once;
use crate::base::{clock::UnixMillis, ids::AccountId};

/// The key's row, if it was stored after `since`.
pub(crate) async fn find(
    db: &impl ConnectionTrait,
    once: &Once,
    since: UnixMillis,
) -> Result<Option<idempotency_key::Model>, DbErr> {
    let of_key = idempotency_key::Entity::find_by_id((once.account.0, once.hash.to_vec()));
    of_key.filter(idempotency_key::Column::CreatedAt.gt(since)).one(db).await
}

/// Whether the key has a row that was stored after `since`.
pub(crate) async fn is_stored(tx: &impl ConnectionTrait, once: &Once, since: UnixMillis) -> Result<bool, DbErr> {
    let of_key = idempotency_key::Entity::find_by_id((once.account.0, once.hash.to_vec()));
    let stored: Option<UnixMillis> =
        of_key.select_only().column(idempotency_key::Column::CreatedAt).into_tuple().one(tx).await?;
    Ok(stored.is_some_and(|stored| stored > since))
}

/// Tries to lock the key until the transaction ends, without waiting. Returns `false` if another transaction has it. SQLite needs no
/// lock, since its changes are executed one after the other.
pub(crate) async fn try_lock(tx: &impl ConnectionTrait, once: &Once) -> Result<bool, DbErr> {
    if tx.get_database_backend() != DatabaseBackend::Postgres {
        return Ok(true);
    }
    let number = i64::from_be_bytes(std::array::from_fn(|place| once.hash[place]));
    let sql = "SELECT pg_try_advisory_xact_lock($1)";
    let statement = Statement::from_sql_and_values(DatabaseBackend::Postgres, sql, [number.into()]);
    tx.query_one_raw(statement).await?.map_or(Ok(false), |row| row.try_get_by_index(0))
}

/// Stores a key with its answer, and replaces one that was not stored after `since`. Returns `false`, and stores nothing, if there is
/// a newer one.
pub(crate) async fn insert(
    tx: &impl ConnectionTrait,
    key: idempotency_key::Model,
    since: UnixMillis,
) -> Result<bool, DbErr> {
    use idempotency_key::Column;
    let old = OnConflict::columns([Column::AccountId, Column::Key])
        .update_columns([Column::Fingerprint, Column::Answer, Column::CreatedAt])
        .action_and_where(Expr::col((idempotency_key::Entity, Column::CreatedAt)).lte(since))
        .to_owned();
    let row = idempotency_key::ActiveModel::from(key).reset_all();
    Ok(idempotency_key::Entity::insert(row).on_conflict(old).exec_without_returning(tx).await? > 0)
}

/// Adds to the bytes that were stored for the account in an hour.
pub(crate) async fn add_bytes(
    tx: &impl ConnectionTrait,
    account: AccountId,
    hour: i32,
    bytes: i64,
) -> Result<(), DbErr> {
    use idempotency_bytes::{ActiveModel, Column, Entity};
    let row = ActiveModel { account_id: Set(account.0), hour: Set(hour), bytes: Set(bytes) };
    let sum = Expr::col((Entity, Column::Bytes)).add(Expr::cust("excluded.bytes"));
    let more = OnConflict::columns([Column::AccountId, Column::Hour]).value(Column::Bytes, sum).to_owned();
    Entity::insert(row).on_conflict(more).exec_without_returning(tx).await?;
    Ok(())
}

/// Hours from `first` on, with the bytes that were stored in them for the account: the oldest first.
pub(crate) async fn hours(db: &impl ConnectionTrait, account: AccountId, first: i32) -> Result<Vec<(i32, i64)>, DbErr> {
    use idempotency_bytes::{Column, Entity};
    use sea_orm::QueryOrder;
    let of_account = Entity::find().filter(Column::AccountId.eq(account.0)).filter(Column::Hour.gte(first));
    of_account
        .select_only()
        .columns([Column::Hour, Column::Bytes])
        .order_by_asc(Column::Hour)
        .into_tuple()
        .all(db)
        .await
}

/// Deletes at most so many keys that were not stored after `since`. Answers whether there may be more.
pub(crate) async fn delete_keys(db: &impl ConnectionTrait, since: UnixMillis, limit: u64) -> Result<bool, DbErr> {
    use idempotency_key::{Column, Entity};
    let oldest = Entity::find().select_only().columns([Column::AccountId, Column::Key]);
    let oldest = oldest.filter(Column::CreatedAt.lte(since)).limit(limit).into_query();
    let these = Expr::tuple([Expr::col(Column::AccountId), Expr::col(Column::Key)]).in_subquery(oldest);
    Ok(Entity::delete_many().filter(these).exec(db).await?.rows_affected >= limit)
}

/// Deletes the numbers of bytes for hours before `first`.
pub(crate) async fn delete_hours(db: &impl ConnectionTrait, first: i32) -> Result<(), DbErr> {
    use idempotency_bytes::{Column, Entity};
    Entity::delete_many().filter(Column::Hour.lt(first)).exec(db).await.map(drop)
}
