//! Visitors are counted once a day: who was seen, and who is new.

use std::collections::HashMap;

use entity::click;
use foldhash::fast::RandomState;
use sea_orm::{ConnectionTrait, DatabaseBackend, DbErr, Statement, Value};
use uuid::Uuid;

use super::store::Owners;
use crate::{
    db::{Db, Transaction, on_rows},
    packed::{Packed, packed},
    usage,
};

/// Days before the newest one on which visitors are still known. Clicks that are ingested later than that may count their
/// visitors anew.
const KNOWN_DAYS: i32 = 7;

/// Day, account, visitor and link.
type Visit = (i32, Uuid, [u8; 16], Uuid);

fn visit(click: &click::Model, owners: &Owners) -> Visit {
    let mut visitor = [0; 16];
    visitor.iter_mut().zip(&click.visitor).for_each(|(to, from)| *to = *from);
    // Who clicks as a bot and as a person is two visitors: else a summary without bots could not leave out one of them.
    visitor[15] = visitor[15] & !1 | u8::from(click.is_bot);
    (usage::day(click.clicked_at), owners.get(&click.link_id).copied().unwrap_or_default(), visitor, click.link_id)
}

fn row((day, account, visitor, link): Visit) -> [Value; 4] {
    [day.into(), account.into(), visitor.to_vec().into(), link.into()]
}

/// Notes with each click whether its visitor is new.
pub(super) async fn note_visitors(tx: &Transaction, clicks: &mut [click::Model], owners: &Owners) -> Result<(), DbErr> {
    // The first click of each in this batch.
    let mut of_links: HashMap<Visit, usize, RandomState> = HashMap::default();
    let mut of_accounts: HashMap<(i32, Uuid, [u8; 16]), usize, RandomState> = HashMap::default();
    for (at, click) in clicks.iter_mut().enumerate() {
        let visit = visit(click, owners);
        (click.new_to_link, click.new_to_account) = (Some(false), Some(false));
        of_links.entry(visit).or_insert(at);
        of_accounts.entry((visit.0, visit.1, visit.2)).or_insert(at);
    }
    let mut visits: Vec<Visit> = of_links.keys().copied().collect();
    visits.sort_unstable();
    let rows = (0_i32..).zip(&visits).map(|(number, visit)| {
        let [day, account, visitor, link] = row(*visit);
        [number.into(), day, account, visitor, link]
    });
    // Subqueries with one answer are looked up in the index for each row, whatever the planner believes of the table.
    let seen = "SELECT 1 FROM click_visitors AS v WHERE v.day = r.column2 AND v.account_id = r.column3 \
                AND v.visitor = r.column4";
    let backend = tx.get_database_backend();
    // Of the visits, which are numbered: odd when it is a visit of the link too.
    let found = packed(backend, "(number * 2 + coalesce(on_link, 0))", []);
    let sql = |rows: &str| {
        format!(
            "SELECT {found} FROM (SELECT r.column1 AS number, ({seen} LIMIT 1) AS on_account, \
             ({seen} AND v.link_id = r.column5 LIMIT 1) AS on_link FROM {rows} AS r) AS seen WHERE on_account = 1"
        )
    };
    let mut known = vec![false; visits.len()];
    for statement in on_rows(backend, ["int", "int", "uuid", "bytea", "uuid"], rows.collect(), sql) {
        for (found, []) in Packed::query(tx, statement).await?.rows()? {
            let number = usize::try_from(found / 2).unwrap_or_default();
            if let (Some((day, account, visitor, _)), Some(known)) = (visits.get(number), known.get_mut(number)) {
                of_accounts.remove(&(*day, *account, *visitor));
                *known = found % 2 == 1;
            }
        }
    }
    let mut new = Vec::new();
    for (visit, known) in visits.into_iter().zip(known) {
        if !known {
            if let Some(first) = of_links.get(&visit).and_then(|at| clicks.get_mut(*at)) {
                first.new_to_link = Some(true);
            }
            new.push(row(visit));
        }
    }
    for at in of_accounts.into_values() {
        if let Some(first) = clicks.get_mut(at) {
            first.new_to_account = Some(true);
        }
    }
    let sql = |rows: &str| {
        format!("INSERT INTO click_visitors (day, account_id, visitor, link_id) SELECT * FROM {rows} AS r")
    };
    for statement in on_rows(backend, ["int", "uuid", "bytea", "uuid"], new, sql) {
        tx.execute_raw(statement).await?;
    }
    Ok(())
}

/// Forgets some of the visitors of days that are no longer recent. Answers whether there may be more.
pub async fn forget_visitors(db: &Db, most: u64) -> Result<bool, DbErr> {
    let backend = db.backend();
    let ask = |sql: &str| Statement::from_string(backend, sql);
    let range = "SELECT (SELECT min(day) FROM click_visitors), (SELECT max(day) FROM click_visitors)";
    let Some(row) = db.read().query_one_raw(ask(range)).await? else { return Ok(false) };
    let (Some(oldest), Some(newest)) =
        (row.try_get_by_index::<Option<i32>>(0)?, row.try_get_by_index::<Option<i32>>(1)?)
    else {
        return Ok(false);
    };
    if oldest >= newest.saturating_sub(KNOWN_DAYS) {
        return Ok(false);
    }
    // Older days are still being counted.
    if super::backfill::is_pending(db).await? {
        return Ok(false);
    }
    let before = newest - KNOWN_DAYS;
    let key = "day, account_id, visitor, link_id";
    let nth = format!("SELECT {key} FROM click_visitors WHERE day < {before} ORDER BY {key} LIMIT 1 OFFSET {most}");
    let sql = match db.read().query_one_raw(ask(&nth)).await? {
        None => ask(&format!("DELETE FROM click_visitors WHERE day < {before}")),
        Some(row) => {
            let visitor: Vec<u8> = row.try_get_by_index(2)?;
            let (day, account, link) =
                (row.try_get_by_index::<i32>(0)?, row.try_get_by_index::<Uuid>(1)?, row.try_get_by_index::<Uuid>(3)?);
            let values: [Value; 4] = [day.into(), account.into(), visitor.into(), link.into()];
            let sql = match backend {
                DatabaseBackend::Postgres => "($1, $2, $3, $4)",
                _ => "(?, ?, ?, ?)",
            };
            Statement::from_sql_and_values(backend, format!("DELETE FROM click_visitors WHERE ({key}) < {sql}"), values)
        }
    };
    Ok(db.write().execute_raw(sql).await?.rows_affected() > 0)
}
