//! Queries on what clicks add up to. A document's subject is a link that was read for the account, or the account.

use entity::{click_day, click_visitor};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseBackend, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Statement,
    Value, sea_query::ExprTrait,
};
use uuid::Uuid;

use crate::{
    db::filled_up,
    ids::AccountId,
    packed::{self, Packed, packed},
};

/// The first and the last day of which there are documents.
pub async fn known_days(db: &impl ConnectionTrait) -> Result<Option<(i32, i32)>, DbErr> {
    let sql = "SELECT (SELECT min(day) FROM click_days), (SELECT max(day) FROM click_days)";
    let Some(row) = db.query_one_raw(Statement::from_string(db.get_database_backend(), sql)).await? else {
        return Ok(None);
    };
    let days: (Option<i32>, Option<i32>) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
    Ok(days.0.zip(days.1))
}

/// The subject's documents of these days: day, slots and tops; without the tops, these are empty. Each day is looked up in
/// the primary key, which begins with the day.
pub async fn documents(
    db: &impl ConnectionTrait,
    subject: Uuid,
    (first, last): (i32, i32),
    with_tops: bool,
) -> Result<Packed, DbErr> {
    let backend = db.get_database_backend();
    let sql = match backend {
        DatabaseBackend::Postgres => format!(
            "SELECT {} FROM generate_series($1::int, $2::int) AS days(day) CROSS JOIN LATERAL \
             (SELECT d.* FROM click_days AS d WHERE d.day = days.day AND d.subject = $3 LIMIT 1) AS d",
            packed(backend, "d.day", ["d.slots", if with_tops { "d.tops" } else { "''::bytea" }])
        ),
        _ => format!(
            "WITH RECURSIVE days(day) AS (VALUES(?) UNION ALL SELECT day + 1 FROM days WHERE day < ?) \
             SELECT {} FROM days CROSS JOIN click_days AS d WHERE d.day = days.day AND d.subject = ?",
            packed(backend, "d.day", ["d.slots", if with_tops { "d.tops" } else { "x''" }])
        ),
    };
    let values: [Value; 3] = [first.into(), last.into(), subject.into()];
    Packed::query(db, Statement::from_sql_and_values(backend, sql, values)).await
}

/// The documents of several links on these days: day, link and slots. Each day of each link is looked up in the primary key.
/// The links must have been read for the account.
pub async fn slots(db: &impl ConnectionTrait, links: &[Uuid], (first, last): (i32, i32)) -> Result<Packed, DbErr> {
    let backend = db.get_database_backend();
    let found = packed(backend, "d.day", [&*packed::uuid(backend, "d.subject"), "d.slots"]);
    let mut values: Vec<Value> = vec![first.into(), last.into()];
    let sql = match backend {
        DatabaseBackend::Postgres => {
            values.push(links.to_vec().into());
            format!(
                "SELECT {found} FROM generate_series($1::int, $2::int) AS days(day) \
                 CROSS JOIN unnest($3::uuid[]) AS wanted(link) CROSS JOIN LATERAL \
                 (SELECT d.day, d.subject, d.slots FROM click_days AS d \
                 WHERE d.day = days.day AND d.subject = wanted.link LIMIT 1) AS d"
            )
        }
        _ => {
            // In a list of alternatives a link may stand twice.
            let links = filled_up(links.to_vec());
            let marks = vec!["?"; links.len()].join(", ");
            values.extend(links.into_iter().map(Value::from));
            format!(
                "WITH RECURSIVE days(day) AS (VALUES(?) UNION ALL SELECT day + 1 FROM days WHERE day < ?) \
                 SELECT {found} FROM days CROSS JOIN click_days AS d WHERE d.day = days.day AND d.subject IN ({marks})"
            )
        }
    };
    Packed::query(db, Statement::from_sql_and_values(backend, sql, values)).await
}

/// The first day from this one on of which there are documents.
pub async fn next_day(db: &impl ConnectionTrait, from: i32) -> Result<Option<i32>, DbErr> {
    let days = click_day::Entity::find().select_only().column(click_day::Column::Day);
    days.filter(click_day::Column::Day.gte(from))
        .order_by_asc(click_day::Column::Day)
        .limit(1)
        .into_tuple()
        .one(db)
        .await
}

/// Deletes the documents of a day. Not scoped to an account: the subjects are gone.
pub async fn delete(db: &impl ConnectionTrait, day: i32, subjects: &[Uuid]) -> Result<(), DbErr> {
    click_day::Entity::delete_many()
        .filter(click_day::Column::Day.eq(day))
        .filter(click_day::Column::Subject.is_in(subjects.iter().copied()))
        .exec(db)
        .await?;
    Ok(())
}

/// Deletes some of those who visited the account's links on a day; answers how many.
pub async fn delete_visitors(
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
