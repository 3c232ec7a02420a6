//! Queries on invalidations.

use entity::invalidation;
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};

use crate::{
    clock::Millis,
    db::{Transaction, filled_up},
};

/// Stores what is stale once the transaction commits, and answers the numbers.
pub async fn insert(tx: &Transaction, what: Vec<String>, now: Millis) -> Result<Vec<i64>, DbErr> {
    let row = |what| invalidation::ActiveModel { id: NotSet, what: Set(what), recorded_at: Set(now) };
    invalidation::Entity::insert_many(what.into_iter().map(row)).exec_with_returning_keys(tx).await
}

/// The newest id, 0 if there is none.
pub async fn newest(db: &impl ConnectionTrait) -> Result<i64, DbErr> {
    let newest: Option<Option<i64>> = invalidation::Entity::find()
        .select_only()
        .column_as(invalidation::Column::Id.max(), "newest")
        .into_tuple()
        .one(db)
        .await?;
    Ok(newest.flatten().unwrap_or_default())
}

/// Those after this one, and those of the missing that have come since; the oldest first.
pub async fn after(
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

/// Deletes old ones.
pub async fn delete_before(db: &impl ConnectionTrait, before: Millis) -> Result<(), DbErr> {
    let old = invalidation::Column::RecordedAt.lt(before);
    invalidation::Entity::delete_many().filter(old).exec(db).await.map(drop)
}
