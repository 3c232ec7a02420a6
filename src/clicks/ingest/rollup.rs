//! Counts clicks into the roll-ups of their days, and visitors once a day.

use std::collections::HashMap;

use entity::click;
use foldhash::fast::RandomState;
use sea_orm::{ConnectionTrait, DatabaseBackend, DbErr, Statement, Value};
use uuid::Uuid;

use super::store::Owners;
use crate::{
    clicks::tally::{Counts, Slots, Tops},
    db::{Db, Transaction, on_rows},
    error::ApiError,
    packed::{Packed, packed},
    usage,
};

/// Days before the newest one on which visitors are still known. Clicks that are ingested later than that may count their
/// visitors anew.
const KNOWN_DAYS: i32 = 7;

/// Counts the clicks, which come in the order of the log, and notes with each whether its visitor is new. Their links
/// exist, and the rows of links and of usage are locked: see the module.
pub(super) async fn roll_up(tx: &Transaction, clicks: &mut [click::Model], owners: &Owners) -> Result<(), ApiError> {
    note_visitors(tx, clicks, owners).await?;
    count(tx, clicks, owners).await
}

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

async fn note_visitors(tx: &Transaction, clicks: &mut [click::Model], owners: &Owners) -> Result<(), DbErr> {
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

/// A document: day and subject.
type Key = (i32, Uuid);

async fn count(tx: &Transaction, clicks: &[click::Model], owners: &Owners) -> Result<(), ApiError> {
    let mut counted: Vec<(Key, bool, &click::Model)> = Vec::with_capacity(clicks.len() * 2);
    for click in clicks {
        let day = usage::day(click.clicked_at);
        counted.push(((day, click.link_id), false, click));
        if let Some(account) = owners.get(&click.link_id) {
            counted.push(((day, *account), true, click));
        }
    }
    counted.sort_by_key(|(key, ..)| *key);
    let groups: Vec<&[(Key, bool, &click::Model)]> = counted.chunk_by(|a, b| a.0 == b.0).collect();
    let found = documents(tx, groups.iter().map(|group| group[0].0)).await?;
    let mut known: Vec<[&[u8]; 2]> = vec![[&[]; 2]; groups.len()];
    for packed in &found {
        for (number, document) in packed.rows()? {
            if let Some(known) = usize::try_from(number).ok().and_then(|number| known.get_mut(number)) {
                *known = document;
            }
        }
    }
    let mut changed = Vec::with_capacity(groups.len());
    for (group, [slots, tops]) in groups.iter().zip(known) {
        let ((day, subject), of_account, _) = group[0];
        let mut slots = Slots::decode(slots).map_err(ApiError::internal)?;
        let mut clicks = Vec::with_capacity(group.len());
        for (.., click) in *group {
            let is_new = if of_account { click.new_to_account } else { click.new_to_link };
            slots.add(click.clicked_at, Counts::one(click.is_bot, is_new.unwrap_or_default()));
            clicks.push(*click);
        }
        let tops = Tops::decode(tops).map_err(ApiError::internal)?.merged(Tops::of(&clicks, of_account));
        let (slots, tops) = (slots.encode(), tops.encode());
        changed.push([
            Value::from(day),
            subject.into(),
            slots.map_err(ApiError::internal)?.into(),
            tops.map_err(ApiError::internal)?.into(),
        ]);
    }
    let sql = |rows: &str| {
        format!(
            "INSERT INTO click_days (day, subject, slots, tops) SELECT * FROM {rows} AS r WHERE true \
             ON CONFLICT (day, subject) DO UPDATE SET slots = excluded.slots, tops = excluded.tops"
        )
    };
    for statement in on_rows(tx.get_database_backend(), ["int", "uuid", "bytea", "bytea"], changed, sql) {
        tx.execute_raw(statement).await?;
    }
    Ok(())
}

/// The documents that exist: their numbers in the list, slots and tops.
async fn documents(tx: &Transaction, keys: impl Iterator<Item = Key>) -> Result<Vec<Packed>, DbErr> {
    let rows = (0_i32..).zip(keys).map(|(number, (day, subject))| [number.into(), day.into(), subject.into()]);
    let backend = tx.get_database_backend();
    let found = packed(backend, "r.column1", ["d.slots", "d.tops"]);
    // A cross join: SQLite takes the tables in this order.
    let sql = |rows: &str| {
        format!(
            "SELECT {found} FROM {rows} AS r CROSS JOIN click_days AS d WHERE d.day = r.column2 AND d.subject = r.column3"
        )
    };
    let mut documents = Vec::new();
    for statement in on_rows(backend, ["int", "int", "uuid"], rows.collect(), sql) {
        documents.push(Packed::query(tx, statement).await?);
    }
    Ok(documents)
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
