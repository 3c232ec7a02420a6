//! Queries on roll-ups of clicks. The subject of a document is an account, or a link that was read for the account before.

use entity::{click_day, click_day_delta, click_month, click_visitor};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseBackend, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Statement,
    Value, sea_query::ExprTrait,
};
use uuid::Uuid;

use crate::{
    base::ids::AccountId,
    platform::db::{
        filled_up,
        packed::{self, Packed, packed},
    },
};

/// The first and the last day of which there are documents.
pub(crate) async fn known_days(db: &impl ConnectionTrait) -> Result<Option<(i32, i32)>, DbErr> {
    let sql = "SELECT (SELECT min(day) FROM click_days), (SELECT max(day) FROM click_days)";
    let Some(row) = db.query_one_raw(Statement::from_string(db.get_database_backend(), sql)).await? else {
        return Ok(None);
    };
    let days: (Option<i32>, Option<i32>) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
    Ok(days.0.zip(days.1))
}

/// Columns of documents that are read; the others are empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Columns {
    /// Clicks by slot.
    Slots,
    /// Values with their clicks of the whole day.
    Tops,
    All,
}

impl Columns {
    fn of(self, backend: DatabaseBackend) -> String {
        let none = if backend == DatabaseBackend::Postgres { "''::bytea" } else { "x''" };
        match self {
            Columns::Slots => format!("d.day, d.slots, {none} AS tops, {none} AS parts"),
            Columns::Tops => format!("d.day, {none} AS slots, d.tops, {none} AS parts"),
            Columns::All => "d.day, d.slots, d.tops, d.parts".to_owned(),
        }
    }
}

/// The documents of some days that are read: merged ones, additions that wait, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    Merged,
    Deltas,
    Both,
}

/// The subject's documents of these days, in no order: day, slots, tops and parts. A day has several that add up while
/// some are not merged yet.
pub(crate) async fn documents(
    db: &impl ConnectionTrait,
    subject: Uuid,
    days: (i32, i32),
    columns: Columns,
) -> Result<Packed, DbErr> {
    find(db, subject, days, columns, Which::Both).await
}

/// Merged documents of these days: one of each.
pub(crate) async fn merged(
    db: &impl ConnectionTrait,
    subject: Uuid,
    days: (i32, i32),
    columns: Columns,
) -> Result<Packed, DbErr> {
    find(db, subject, days, columns, Which::Merged).await
}

/// Additions to documents of these days that wait to be merged.
pub(crate) async fn deltas(
    db: &impl ConnectionTrait,
    subject: Uuid,
    days: (i32, i32),
    columns: Columns,
) -> Result<Packed, DbErr> {
    find(db, subject, days, columns, Which::Deltas).await
}

/// Each day is looked up in the index of the key, which begins with the day.
async fn find(
    db: &impl ConnectionTrait,
    subject: Uuid,
    (first, last): (i32, i32),
    columns: Columns,
    which: Which,
) -> Result<Packed, DbErr> {
    let backend = db.get_database_backend();
    let columns = columns.of(backend);
    let (merged, deltas, days) = match backend {
        DatabaseBackend::Postgres => (
            format!(
                "SELECT d.* FROM generate_series($1::int, $2::int) AS days(day) CROSS JOIN LATERAL \
                 (SELECT {columns} FROM click_days AS d WHERE d.day = days.day AND d.subject = $3 LIMIT 1) AS d"
            ),
            format!("SELECT {columns} FROM click_day_deltas AS d WHERE d.subject = $3 AND d.day BETWEEN $1 AND $2"),
            "",
        ),
        // Numbered, as PostgreSQL's.
        _ => (
            format!("SELECT {columns} FROM days CROSS JOIN click_days AS d WHERE d.day = days.day AND d.subject = ?3"),
            format!("SELECT {columns} FROM click_day_deltas AS d WHERE d.subject = ?3 AND d.day BETWEEN ?1 AND ?2"),
            "WITH RECURSIVE days(day) AS (VALUES(?1) UNION ALL SELECT day + 1 FROM days WHERE day < ?2)",
        ),
    };
    let found = match which {
        Which::Merged => merged,
        Which::Deltas => deltas,
        Which::Both => format!("{merged} UNION ALL {deltas}"),
    };
    let sql = format!("{days} SELECT {} FROM ({found}) AS d", packed(backend, "day", ["slots", "tops", "parts"]));
    let values: [Value; 3] = [first.into(), last.into(), subject.into()];
    Packed::query(db, Statement::from_sql_and_values(backend, sql, values)).await
}

/// The subject's documents of these months, the first and the last, as far as there are: month and tops.
pub(crate) async fn months(
    db: &impl ConnectionTrait,
    subject: Uuid,
    (first, last): (i32, i32),
) -> Result<Packed, DbErr> {
    let backend = db.get_database_backend();
    let of_subject = match backend {
        DatabaseBackend::Postgres => "subject = $3 AND month BETWEEN $1 AND $2",
        _ => "subject = ?3 AND month BETWEEN ?1 AND ?2",
    };
    let sql = format!("SELECT {} FROM click_months WHERE {of_subject}", packed(backend, "month", ["tops"]));
    let values: [Value; 3] = [first.into(), last.into(), subject.into()];
    Packed::query(db, Statement::from_sql_and_values(backend, sql, values)).await
}

/// The documents of several links on these days, in no order: day, link and slots; a day of a link has several that add up
/// while some are not merged yet. Each day of each link is looked up in the index of the key. The links must have been read
/// for the account.
pub(crate) async fn slots(
    db: &impl ConnectionTrait,
    links: &[Uuid],
    (first, last): (i32, i32),
) -> Result<Packed, DbErr> {
    let backend = db.get_database_backend();
    let found = packed(backend, "day", [&*packed::uuid(backend, "subject"), "slots"]);
    let mut values: Vec<Value> = vec![first.into(), last.into()];
    let sql = match backend {
        DatabaseBackend::Postgres => {
            values.push(links.to_vec().into());
            format!(
                "SELECT {found} FROM (SELECT d.* FROM generate_series($1::int, $2::int) AS days(day) \
                 CROSS JOIN unnest($3::uuid[]) AS wanted(link) CROSS JOIN LATERAL \
                 (SELECT d.day, d.subject, d.slots FROM click_days AS d \
                 WHERE d.day = days.day AND d.subject = wanted.link LIMIT 1) AS d \
                 UNION ALL SELECT d.day, d.subject, d.slots FROM click_day_deltas AS d \
                 WHERE d.subject = ANY($3::uuid[]) AND d.day BETWEEN $1 AND $2) AS d"
            )
        }
        _ => {
            // Repeated ids in `IN (…)` do not matter.
            let links: Vec<Value> = filled_up(links.to_vec()).into_iter().map(Value::from).collect();
            let marks = vec!["?"; links.len()].join(", ");
            values.extend(links.iter().cloned());
            values.extend(links);
            values.extend([first.into(), last.into()]);
            format!(
                "WITH RECURSIVE days(day) AS (VALUES(?) UNION ALL SELECT day + 1 FROM days WHERE day < ?) \
                 SELECT {found} FROM (SELECT d.day, d.subject, d.slots FROM days CROSS JOIN click_days AS d \
                 WHERE d.day = days.day AND d.subject IN ({marks}) \
                 UNION ALL SELECT d.day, d.subject, d.slots FROM click_day_deltas AS d \
                 WHERE d.subject IN ({marks}) AND d.day BETWEEN ? AND ?)"
            )
        }
    };
    Packed::query(db, Statement::from_sql_and_values(backend, sql, values)).await
}

/// The first day from this one on of which there are documents.
pub(crate) async fn next_day(db: &impl ConnectionTrait, from: i32) -> Result<Option<i32>, DbErr> {
    let days = click_day::Entity::find().select_only().column(click_day::Column::Day);
    days.filter(click_day::Column::Day.gte(from))
        .order_by_asc(click_day::Column::Day)
        .limit(1)
        .into_tuple()
        .one(db)
        .await
}

/// Days and subjects, before this day, whose documents have unmerged additions. Not scoped to an account: ingest merges all.
pub(crate) async fn waiting_before(db: &impl ConnectionTrait, day: i32) -> Result<Vec<(i32, Uuid)>, DbErr> {
    click_day_delta::Entity::find()
        .select_only()
        .columns([click_day_delta::Column::Day, click_day_delta::Column::Subject])
        .distinct()
        .filter(click_day_delta::Column::Day.lt(day))
        .into_tuple()
        .all(db)
        .await
}

/// Deletes the unmerged additions to these documents of a day.
pub(crate) async fn delete_deltas(db: &impl ConnectionTrait, day: i32, subjects: &[Uuid]) -> Result<(), DbErr> {
    click_day_delta::Entity::delete_many()
        .filter(click_day_delta::Column::Subject.is_in(subjects.iter().copied()))
        .filter(click_day_delta::Column::Day.eq(day))
        .exec(db)
        .await?;
    Ok(())
}

/// Deletes the documents of months. Not scoped to an account: the subjects are gone.
pub(crate) async fn delete_months(db: &impl ConnectionTrait, subjects: &[Uuid]) -> Result<(), DbErr> {
    let of_them = click_month::Column::Subject.is_in(subjects.iter().copied());
    click_month::Entity::delete_many().filter(of_them).exec(db).await?;
    Ok(())
}

/// Deletes the documents of a day. Not scoped to an account: the subjects are gone.
pub(crate) async fn delete(db: &impl ConnectionTrait, day: i32, subjects: &[Uuid]) -> Result<(), DbErr> {
    delete_deltas(db, day, subjects).await?;
    click_day::Entity::delete_many()
        .filter(click_day::Column::Day.eq(day))
        .filter(click_day::Column::Subject.is_in(subjects.iter().copied()))
        .exec(db)
        .await?;
    Ok(())
}

/// Deletes some of the visitors of the account's links on a day, and returns their number.
pub(crate) async fn delete_visitors(
    db: &impl ConnectionTrait,
    account: AccountId,
    day: i32,
    limit: u64,
) -> Result<u64, DbErr> {
    let of_day = click_visitor::Column::Day.eq(day).and(click_visitor::Column::AccountId.eq(account.0));
    let last: Option<Vec<u8>> = click_visitor::Entity::find()
        .select_only()
        .column(click_visitor::Column::Visitor)
        .filter(of_day.clone())
        .order_by_asc(click_visitor::Column::Visitor)
        .offset(limit)
        .limit(1)
        .into_tuple()
        .one(db)
        .await?;
    let mut some = click_visitor::Entity::delete_many().filter(of_day);
    if let Some(last) = last {
        some = some.filter(click_visitor::Column::Visitor.lte(last));
    }
    Ok(some.exec(db).await?.rows_affected)
}
