//! Queries on imports.

use entity::{import, import_error, import_part};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Select,
};
use uuid::Uuid;

use crate::{
    base::{clock::UnixMillis, ids::AccountId, page::PageArgs},
    records::imports::{ImportId, state::State},
};

fn in_account(account: AccountId) -> Select<import::Entity> {
    import::Entity::find().filter(import::Column::AccountId.eq(account.0))
}

pub(crate) async fn import(
    db: &impl ConnectionTrait,
    account: AccountId,
    id: ImportId,
) -> Result<Option<import::Model>, DbErr> {
    in_account(account).filter(import::Column::Id.eq(id.0)).one(db).await
}

/// The import, locked until the transaction ends.
pub(crate) async fn lock_import(
    tx: &impl ConnectionTrait,
    account: AccountId,
    id: ImportId,
) -> Result<Option<import::Model>, DbErr> {
    in_account(account).filter(import::Column::Id.eq(id.0)).lock_exclusive().one(tx).await
}

/// One page of the account's imports, newest first.
pub(crate) async fn page(
    db: &impl ConnectionTrait,
    account: AccountId,
    page: PageArgs,
) -> Result<Vec<import::Model>, DbErr> {
    let imports = in_account(account).order_by_desc(import::Column::Id);
    imports.offset(page.offset()).limit(page.limit()).all(db).await
}

pub(crate) async fn count(db: &impl ConnectionTrait, account: AccountId) -> Result<i64, DbErr> {
    Ok(i64::try_from(in_account(account).count(db).await?).unwrap_or(i64::MAX))
}

/// Whether the account has an import that has not ended.
pub(crate) async fn has_unfinished(tx: &impl ConnectionTrait, account: AccountId) -> Result<bool, DbErr> {
    let unfinished = in_account(account).filter(import::Column::FinishedAt.is_null());
    let first: Option<Uuid> = unfinished.select_only().column(import::Column::Id).limit(1).into_tuple().one(tx).await?;
    Ok(first.is_some())
}

/// Deletes all imports of the account, finished or not, with their files and errors.
pub(crate) async fn delete_all(tx: &impl ConnectionTrait, account: AccountId) -> Result<(), DbErr> {
    import::Entity::delete_many().filter(import::Column::AccountId.eq(account.0)).exec(tx).await.map(drop)
}

/// Deletes the account's oldest imports that have ended, but keeps so many of all.
pub(crate) async fn delete_beyond(tx: &impl ConnectionTrait, account: AccountId, kept: u64) -> Result<(), DbErr> {
    let old = in_account(account).select_only().column(import::Column::Id).order_by_desc(import::Column::Id);
    // SQLite knows an offset only beside a limit. More than one is left only if the bound was lowered.
    let old: Vec<Uuid> = old.offset(kept).limit(100).into_tuple().all(tx).await?;
    if old.is_empty() {
        return Ok(());
    }
    let ended = import::Entity::delete_many().filter(import::Column::Id.is_in(old));
    ended.filter(import::Column::FinishedAt.is_not_null()).exec(tx).await?;
    Ok(())
}

pub(crate) async fn insert(tx: &impl ConnectionTrait, import: import::Model) -> Result<(), DbErr> {
    let row = import::ActiveModel::from(import).reset_all();
    import::Entity::insert(row).exec_without_returning(tx).await.map(drop)
}

/// Stores all of the import.
pub(crate) async fn update(tx: &impl ConnectionTrait, import: &import::Model) -> Result<(), DbErr> {
    let row = import::ActiveModel::from(import.clone()).reset_all();
    import::Entity::update(row).exec(tx).await.map(drop)
}

/// Stores a part.
pub(crate) async fn insert_part(tx: &impl ConnectionTrait, part: import_part::Model) -> Result<(), DbErr> {
    let row = import_part::ActiveModel::from(part).reset_all();
    import_part::Entity::insert(row).exec_without_returning(tx).await.map(drop)
}

pub(crate) async fn part(
    tx: &impl ConnectionTrait,
    id: ImportId,
    number: i32,
) -> Result<Option<import_part::Model>, DbErr> {
    import_part::Entity::find_by_id((id.0, number)).one(tx).await
}

/// The number of the part in which this byte of the file is, and the bytes before that part.
pub(crate) async fn part_at(db: &impl ConnectionTrait, id: ImportId, byte: i64) -> Result<(i32, i64), DbErr> {
    let part = import_part::Entity::find()
        .select_only()
        .columns([import_part::Column::Number, import_part::Column::StartsAt])
        .filter(import_part::Column::ImportId.eq(id.0))
        .filter(import_part::Column::StartsAt.lte(byte))
        .order_by_desc(import_part::Column::Number)
        .limit(1);
    Ok(part.into_tuple().one(db).await?.unwrap_or((1, 0)))
}

/// This part and the ones after it, in their order.
pub(crate) async fn parts_from(
    db: &impl ConnectionTrait,
    id: ImportId,
    number: i32,
    limit: u64,
) -> Result<Vec<import_part::Model>, DbErr> {
    import_part::Entity::find()
        .filter(import_part::Column::ImportId.eq(id.0))
        .filter(import_part::Column::Number.gte(number))
        .order_by_asc(import_part::Column::Number)
        .limit(limit)
        .all(db)
        .await
}

pub(crate) async fn delete_parts(tx: &impl ConnectionTrait, id: ImportId) -> Result<(), DbErr> {
    import_part::Entity::delete_many().filter(import_part::Column::ImportId.eq(id.0)).exec(tx).await.map(drop)
}

/// Stores rows that can't become links.
pub(crate) async fn insert_errors(tx: &impl ConnectionTrait, errors: Vec<import_error::Model>) -> Result<(), DbErr> {
    if errors.is_empty() {
        return Ok(());
    }
    let rows = errors.into_iter().map(|error| import_error::ActiveModel::from(error).reset_all());
    import_error::Entity::insert_many(rows).exec_without_returning(tx).await.map(drop)
}

pub(crate) async fn delete_errors(tx: &impl ConnectionTrait, id: ImportId) -> Result<(), DbErr> {
    import_error::Entity::delete_many().filter(import_error::Column::ImportId.eq(id.0)).exec(tx).await.map(drop)
}

/// One page of the rows that can't become links, in the order of the file. The import is the account's.
pub(crate) async fn errors(
    db: &impl ConnectionTrait,
    id: ImportId,
    page: PageArgs,
) -> Result<Vec<import_error::Model>, DbErr> {
    let errors = import_error::Entity::find().filter(import_error::Column::ImportId.eq(id.0));
    let errors = errors.order_by_asc(import_error::Column::RowNumber);
    errors.offset(page.offset()).limit(page.limit()).all(db).await
}

/// How many rows that can't become links are stored.
pub(crate) async fn count_errors(db: &impl ConnectionTrait, id: ImportId) -> Result<i64, DbErr> {
    let errors = import_error::Entity::find().filter(import_error::Column::ImportId.eq(id.0));
    Ok(i64::try_from(errors.count(db).await?).unwrap_or(i64::MAX))
}

/// Imports of all accounts that have waited for parts since before then.
pub(crate) async fn abandoned(
    db: &impl ConnectionTrait,
    before: UnixMillis,
    limit: u64,
) -> Result<Vec<import::Model>, DbErr> {
    import::Entity::find()
        .filter(import::Column::State.eq(State::Open.as_str()))
        .filter(import::Column::UpdatedAt.lt(before))
        .limit(limit)
        .all(db)
        .await
}

/// Deletes imports of all accounts that ended before then.
pub(crate) async fn delete_ended(db: &impl ConnectionTrait, before: UnixMillis) -> Result<(), DbErr> {
    let ended = import::Column::State.is_in(State::ENDED.map(State::as_str));
    import::Entity::delete_many().filter(ended).filter(import::Column::UpdatedAt.lt(before)).exec(db).await.map(drop)
}
