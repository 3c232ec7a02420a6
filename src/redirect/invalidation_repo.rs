//! Queries on invalidations.

use entity::invalidation;
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};

use crate::{
    base::clock::UnixMillis,
    platform::db::{Transaction, filled_up},
};

/// Stores what is stale once the transaction commits, and answers the numbers.
pub(crate) async fn insert(tx: &Transaction, what: Vec<String>, now: UnixMillis) -> Result<Vec<i64>, DbErr> {
    let row = |what| invalidation::ActiveModel { id: NotSet, what: Set(what), recorded_at: Set(now) };
    invalidation::Entity::insert_many(what.into_iter().map(row)).exec_with_returning_keys(tx).await
}

/// The newest id, 0 if there is none.
pub(crate) async fn newest(db: &impl ConnectionTrait) -> Result<i64, DbErr> {
    let newest: Option<Option<i64>> = invalidation::Entity::find()
        .select_only()
        .column_as(invalidation::Column::Id.max(), "newest")
        .into_tuple()
        .one(db)
        .await?;
    Ok(newest.flatten().unwrap_or_default())
}

/// Invalidations after this id, and those of the missing ids that have appeared since; the oldest first.
pub(crate) async fn after(
    db: &impl ConnectionTrait,
    after: i64,
    missing: Vec<i64>,
    limit: u64,
) -> Result<Vec<(i64, String)>, DbErr> {
    let mut wanted = Condition::any().add(invalidation::Column::Id.gt(after));
    if !missing.is_empty() {
        wanted = wanted.add(invalidation::Column::Id.is_in(filled_up(missing)));
    }
    invalidation::Entity::find()
        .select_only()
        .columns([invalidation::Column::Id, invalidation::Column::What])
        .filter(wanted)
        .order_by_asc(invalidation::Column::Id)
        .limit(limit)
        .into_tuple()
        .all(db)
        .await
}

/// Changes of these kinds with a higher id than `after`; the oldest first. Reads the table by its key, page by page.
pub(crate) async fn of_kinds(
    db: &impl ConnectionTrait,
    kinds: &[&str],
    after: i64,
    limit: u64,
) -> Result<Vec<(i64, String)>, DbErr> {
    invalidation::Entity::find()
        .select_only()
        .columns([invalidation::Column::Id, invalidation::Column::What])
        .filter(is_of(kinds))
        .filter(invalidation::Column::Id.gt(after))
        .order_by_asc(invalidation::Column::Id)
        .limit(limit)
        .into_tuple()
        .all(db)
        .await
}

/// Deletes the changes before `before`, and those of some kinds only before a time of their own.
pub(crate) async fn delete_before(
    db: &impl ConnectionTrait,
    before: UnixMillis,
    (kinds, kinds_before): (&[&str], UnixMillis),
) -> Result<(), DbErr> {
    let recorded_at = invalidation::Column::RecordedAt;
    let old = Condition::any().add(is_of(kinds).not()).add(recorded_at.lt(kinds_before));
    invalidation::Entity::delete_many().filter(recorded_at.lt(before)).filter(old).exec(db).await.map(drop)
}

/// Whether it is JSON of one of these kinds, as this service writes it.
fn is_of(kinds: &[&str]) -> Condition {
    let is_of = |kind: &&str| invalidation::Column::What.starts_with(format!("{{\"{kind}\":"));
    kinds.iter().fold(Condition::any(), |any, kind| any.add(is_of(kind)))
}
