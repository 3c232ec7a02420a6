//! Queries on what accounts use.

use entity::daily_usage;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect, sea_query::ExprTrait};

use super::AccountDay;
use crate::{
    base::ids::AccountId,
    platform::db::{Db, on_rows},
};

/// Adds clicks and calls to accounts' days. In the order of the keys, so that two that add at once don't wait for each
/// other.
pub(crate) async fn add(
    tx: &impl ConnectionTrait,
    counts: impl IntoIterator<Item = (AccountDay, i64, i64)>,
) -> Result<(), DbErr> {
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_unstable_by_key(|(key, ..)| *key);
    let rows = counts
        .into_iter()
        .map(|((account, day), clicks, calls)| [account.0.into(), day.into(), clicks.into(), calls.into()])
        .collect();
    let sql = |rows: &str| {
        format!(
            "INSERT INTO daily_usage (account_id, day, clicks, api_calls) SELECT * FROM {rows} AS used WHERE true \
             ON CONFLICT (account_id, day) DO UPDATE SET \
             clicks = daily_usage.clicks + excluded.clicks, api_calls = daily_usage.api_calls + excluded.api_calls"
        )
    };
    for statement in on_rows(tx.get_database_backend(), ["uuid", "int", "bigint", "bigint"], rows, sql) {
        tx.execute_raw(statement).await?;
    }
    Ok(())
}

/// Clicks and calls of the account on the days from `first` to `last`.
pub(crate) async fn sum(
    db: &impl ConnectionTrait,
    account: AccountId,
    first: i32,
    last: i32,
) -> Result<(i64, i64), DbErr> {
    // The sum of bigints is a numeric on PostgreSQL.
    let sum = |column: daily_usage::Column| column.sum().cast_as("bigint");
    let found: Option<(Option<i64>, Option<i64>)> = daily_usage::Entity::find()
        .select_only()
        .column_as(sum(daily_usage::Column::Clicks), "clicks")
        .column_as(sum(daily_usage::Column::ApiCalls), "api_calls")
        .filter(daily_usage::Column::AccountId.eq(account.0))
        .filter(daily_usage::Column::Day.between(first, last))
        .into_tuple()
        .one(db)
        .await?;
    let (clicks, calls) = found.unwrap_or_default();
    Ok((clicks.unwrap_or_default(), calls.unwrap_or_default()))
}

/// Deletes what the account used.
pub(crate) async fn delete_account(tx: &impl ConnectionTrait, account: AccountId) -> Result<(), DbErr> {
    daily_usage::Entity::delete_many().filter(daily_usage::Column::AccountId.eq(account.0)).exec(tx).await?;
    Ok(())
}

pub(crate) async fn delete_before(db: &Db, day: i32) -> Result<(), DbErr> {
    daily_usage::Entity::delete_many().filter(daily_usage::Column::Day.lt(day)).exec(db.write()).await?;
    Ok(())
}
