//! Counts clicks into documents: one for each day, and one for each month whose days have large documents, so that a year is the sum
//! of some seventy documents.
//!
//! A large document is not written anew for each batch: clients can make documents large. Additions of batches are stored in rows of
//! their own, and merged when they are a quarter of the document in all, or the day is over. So each byte is written some five times,
//! whatever the size of batches.

use std::collections::{BTreeSet, HashMap};

use entity::{account, click, click_month};
use sea_orm::{
    ActiveValue::Set, ConnectionTrait, DatabaseBackend, DbErr, EntityTrait, Statement, Value, sea_query::OnConflict,
};
use uuid::Uuid;

use super::{owners::Owners, visitors::note_visitors};
use crate::{
    base::{
        clock::{UnixMillis, day},
        error::ApiError,
        ids::AccountId,
    },
    click_store::lock_link,
    clicks::day_document::{Document, Encoded, days_of_month, month},
    platform::db::{
        Db, Transaction, on_rows,
        packed::{Packed, packed},
    },
    records::{
        analytics::rollup_repo::{self, Columns},
        billing::usage,
    },
};

/// Bytes of a document up to which it is written with each batch: a page of the database, which is written anyway.
const SMALL: u64 = 4_096;
/// Additions are merged when they are more than one part in `WAITING` of the document and that of its month.
const WAITING: u64 = 4;
/// Bytes of a day's totals from which on its month has a document.
const LARGE_DAY: usize = 2_048;

/// First key of the locks that are held while documents of accounts change (`pg_advisory_xact_lock`): "days" in ASCII.
const LOCK: i32 = 0x6461_7973;

/// Counts the clicks, which come in the order of the log, and notes with each whether its visitor is new. Their links exist, and the
/// rows of links and of usage are locked: see the module `store`. `today` is the newest day so far.
pub(super) async fn roll_up(
    tx: &Transaction,
    clicks: &mut [click::Model],
    owners: &Owners,
    today: i32,
) -> Result<(), ApiError> {
    lock_accounts(tx, owners.values().copied()).await?;
    let overtaken = note_visitors(tx, clicks, owners).await?;
    count(tx, clicks, owners, today, &overtaken.by_document()).await
}

/// Locks accounts against other nodes that count their clicks. The locks of rows of usage do not suffice: each is for one day, and
/// the document of a month changes with each of its days.
async fn lock_accounts(tx: &Transaction, accounts: impl Iterator<Item = Uuid>) -> Result<(), DbErr> {
    if tx.get_database_backend() != DatabaseBackend::Postgres {
        return Ok(());
    }
    // The last four bytes of the id are random. Accounts with the same key merely wait for each other.
    let key = |id: Uuid| id.into_bytes().last_chunk().copied().map(i32::from_be_bytes);
    let keys: BTreeSet<i32> = accounts.filter_map(key).collect();
    let keys: Vec<i32> = keys.into_iter().collect();
    let sql = format!("SELECT pg_advisory_xact_lock({LOCK}, key) FROM unnest($1::int[]) AS keys(key)");
    tx.execute_raw(Statement::from_sql_and_values(DatabaseBackend::Postgres, sql, [keys.into()])).await?;
    Ok(())
}

/// A document: day and subject.
type Key = (i32, Uuid);

/// By document, clicks that are no longer the first of their visitors: the time (Unix milliseconds), and whether it was a bot's.
type NotNew = HashMap<Key, Vec<(UnixMillis, bool)>>;

async fn count(
    tx: &Transaction,
    clicks: &[click::Model],
    owners: &Owners,
    today: i32,
    overtaken: &NotNew,
) -> Result<(), ApiError> {
    let mut counted: Vec<(Key, bool, &click::Model)> = Vec::with_capacity(clicks.len() * 2);
    for click in clicks {
        let day = day(click.clicked_at);
        counted.push(((day, click.link_id), false, click));
        if let Some(account) = owners.get(&click.link_id) {
            counted.push(((day, *account), true, click));
        }
    }
    counted.sort_by_key(|(key, ..)| *key);
    let groups: Vec<&[(Key, bool, &click::Model)]> = counted.chunk_by(|a, b| a.0 == b.0).collect();
    let found = documents(tx, groups.iter().map(|group| group[0].0)).await?;
    let mut known: Vec<[&[u8]; 5]> = vec![[&[]; 5]; groups.len()];
    for packed in &found {
        for (number, document) in packed.rows()? {
            if let Some(known) = usize::try_from(number).ok().and_then(|number| known.get_mut(number)) {
                *known = document;
            }
        }
    }
    let (mut changed, mut large) = (Vec::with_capacity(groups.len()), Vec::new());
    let mut new_months = BTreeSet::new();
    for (group, [slots, tops, parts, bytes, bytes_of_month]) in groups.iter().zip(known) {
        let (key, of_account, _) = group[0];
        let clicks: Vec<&click::Model> = group.iter().map(|(.., click)| *click).collect();
        let more = Document::of(&clicks, of_account);
        let number = |text| std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()).unwrap_or_default();
        let (bytes, bytes_of_month): (u64, u64) = (number(bytes), number(bytes_of_month));
        if bytes <= SMALL && bytes_of_month == 0 {
            let mut sum = Document::decode(slots, tops, parts).map_err(ApiError::internal)?.merged(more);
            remove_visitors(&mut sum, overtaken.get(&key));
            let sum = sum.encode();
            if sum.tops.len() > LARGE_DAY {
                new_months.insert((key.1, month(key.0.into())));
            }
            changed.push((key, sum));
        } else {
            large.push((key, more, bytes, bytes_of_month));
        }
    }
    write(tx, changed).await?;
    for (subject, month) in new_months {
        begin_month(tx, subject, month).await?;
    }
    for (key, more, bytes, bytes_of_month) in large {
        let not_new = overtaken.get(&key);
        let may_wait = bytes > 0 && key.0 == today && not_new.is_none();
        if !may_wait || !wait(tx, key, &more, bytes + bytes_of_month).await? {
            merge(tx, key, Some(more), not_new).await?;
        }
    }
    Ok(())
}

fn remove_visitors(document: &mut Document<'_>, not_new: Option<&Vec<(UnixMillis, bool)>>) {
    for (time, is_bot) in not_new.into_iter().flatten() {
        document.slots.remove_visitor(*time, *is_bot);
    }
}

/// The existing documents of `keys`: the index in `keys`, slots, tops, parts, bytes of tops and parts, and bytes of the month's
/// document. Of documents that are not [`SMALL`], slots, tops and parts are empty.
async fn documents(tx: &Transaction, keys: impl Iterator<Item = Key>) -> Result<Vec<Packed>, DbErr> {
    let rows = (0_i32..)
        .zip(keys)
        .map(|(number, (day, subject))| [number.into(), day.into(), subject.into(), month(day.into()).into()]);
    let backend = tx.get_database_backend();
    let bytes = "coalesce(octet_length(d.tops) + octet_length(d.parts), 0)";
    let of_month = "coalesce(octet_length(m.tops), 0)";
    let none = if backend == DatabaseBackend::Postgres { "''::bytea" } else { "x''" };
    let number = |number: &str| match backend {
        DatabaseBackend::Postgres => format!("convert_to(({number})::text, 'UTF8')"),
        _ => format!("CAST({number} AS text)"),
    };
    let small = |column: &str| format!("CASE WHEN {bytes} BETWEEN 1 AND {SMALL} THEN d.{column} ELSE {none} END");
    let columns = [&*small("slots"), &small("tops"), &small("parts"), &number(bytes), &number(of_month)];
    let found = packed(backend, "r.column1", columns);
    let sql = |rows: &str| {
        format!(
            "SELECT {found} FROM {rows} AS r LEFT JOIN click_days AS d ON d.day = r.column2 AND d.subject = r.column3 \
             LEFT JOIN click_months AS m ON m.subject = r.column3 AND m.month = r.column4 \
             WHERE d.day IS NOT NULL OR m.month IS NOT NULL"
        )
    };
    let mut documents = Vec::new();
    for statement in on_rows(backend, ["int", "int", "uuid", "int"], rows.collect(), sql) {
        documents.push(Packed::query(tx, statement).await?);
    }
    Ok(documents)
}

/// Stores an addition to a document of `bytes` bytes in a row of its own. Returns `false`, and stores nothing, if all additions would
/// be too large.
async fn wait(tx: &Transaction, (day, subject): Key, more: &Document<'_>, bytes: u64) -> Result<bool, ApiError> {
    let backend = tx.get_database_backend();
    let sql = |sqlite: &str, postgres: &str| match backend {
        DatabaseBackend::Postgres => postgres.to_owned(),
        _ => sqlite.to_owned(),
    };
    let sum = "SELECT CAST(coalesce(sum(octet_length(tops) + octet_length(parts)), 0) AS bigint), \
               coalesce(max(seq), 0) FROM click_day_deltas WHERE ";
    let text = sql(&format!("{sum} subject = ? AND day = ?"), &format!("{sum} subject = $1 AND day = $2"));
    let key: [Value; 2] = [subject.into(), day.into()];
    let row = tx.query_one_raw(Statement::from_sql_and_values(backend, text, key.clone())).await?;
    let row = row.ok_or_else(|| ApiError::internal(DbErr::RecordNotFound("a sum".to_owned())))?;
    let (waiting, last): (i64, i32) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
    let Encoded { slots, tops, parts } = more.encode();
    if (waiting.unsigned_abs() + (tops.len() + parts.len()) as u64) * WAITING > bytes {
        return Ok(false);
    }
    let text = sql(
        "INSERT INTO click_day_deltas (subject, day, seq, slots, tops, parts) VALUES (?, ?, ?, ?, ?, ?)",
        "INSERT INTO click_day_deltas (subject, day, seq, slots, tops, parts) VALUES ($1, $2, $3, $4, $5, $6)",
    );
    let row = key.into_iter().chain([last.saturating_add(1).into(), slots.into(), tops.into(), parts.into()]);
    tx.execute_raw(Statement::from_sql_and_values(backend, text, row)).await?;
    Ok(true)
}

/// Merges the stored additions and `more` into a document, and into that of its month if there is one.
async fn merge(
    tx: &Transaction,
    key: Key,
    more: Option<Document<'_>>,
    not_new: Option<&Vec<(UnixMillis, bool)>>,
) -> Result<(), ApiError> {
    let (day, subject) = key;
    let waiting = rollup_repo::deltas(tx, subject, (day, day), Columns::All).await?;
    let mut added = more.unwrap_or_default();
    for (_, [slots, tops, parts]) in waiting.rows()? {
        added = added.merged(Document::decode(slots, tops, parts).map_err(ApiError::internal)?);
    }
    let of_month = rollup_repo::months(tx, subject, (month(day.into()), month(day.into()))).await?;
    let has_month = match of_month.rows()?[..] {
        [] => false,
        [(_, [tops]), ..] => {
            let known = Document::decode(&[], tops, &[]).map_err(ApiError::internal)?;
            let sum = known.merged_by_month(added.clone());
            write_month(tx, month(day.into()), subject, sum.encode_month()).await?;
            true
        }
    };
    let known = rollup_repo::merged(tx, subject, (day, day), Columns::All).await?;
    let mut sum = added;
    for (_, [slots, tops, parts]) in known.rows()? {
        sum = Document::decode(slots, tops, parts).map_err(ApiError::internal)?.merged(sum);
    }
    remove_visitors(&mut sum, not_new);
    let sum = sum.encode();
    let is_large = sum.tops.len() > LARGE_DAY;
    write(tx, vec![(key, sum)]).await?;
    rollup_repo::delete_deltas(tx, day, &[subject]).await?;
    if is_large && !has_month {
        begin_month(tx, subject, month(day.into())).await?;
    }
    Ok(())
}

/// Creates the document of a month from those of its days. Stored additions are added when they are merged.
async fn begin_month(tx: &Transaction, subject: Uuid, month: i32) -> Result<(), ApiError> {
    let (first, end) = days_of_month(month);
    let days = (i32::try_from(first).unwrap_or_default(), i32::try_from(end - 1).unwrap_or_default());
    let merged = rollup_repo::merged(tx, subject, days, Columns::Tops).await?;
    let mut sum = Document::default();
    for (_, [_, tops, _]) in merged.rows()? {
        sum = sum.merged_by_month(Document::decode(&[], tops, &[]).map_err(ApiError::internal)?);
    }
    write_month(tx, month, subject, sum.encode_month()).await
}

async fn write_month(tx: &Transaction, month: i32, subject: Uuid, tops: Vec<u8>) -> Result<(), ApiError> {
    let row = click_month::ActiveModel { subject: Set(subject), month: Set(month), tops: Set(tops) };
    let key = OnConflict::columns([click_month::Column::Subject, click_month::Column::Month])
        .update_column(click_month::Column::Tops)
        .to_owned();
    click_month::Entity::insert(row).on_conflict(key).exec_without_returning(tx).await?;
    Ok(())
}

async fn write(tx: &Transaction, documents: Vec<(Key, Encoded)>) -> Result<(), ApiError> {
    let rows = documents.into_iter().map(|((day, subject), Encoded { slots, tops, parts })| {
        [day.into(), subject.into(), slots.into(), tops.into(), parts.into()]
    });
    let sql = |rows: &str| {
        format!(
            "INSERT INTO click_days (day, subject, slots, tops, parts) SELECT * FROM {rows} AS r WHERE true ON CONFLICT \
             (day, subject) DO UPDATE SET slots = excluded.slots, tops = excluded.tops, parts = excluded.parts"
        )
    };
    let types = ["int", "uuid", "bytea", "bytea", "bytea"];
    for statement in on_rows(tx.get_database_backend(), types, rows.collect(), sql) {
        tx.execute_raw(statement).await?;
    }
    Ok(())
}

/// Merges the stored additions to documents of days before `today`.
pub(super) async fn merge_waiting(db: &Db, today: i32) -> Result<(), ApiError> {
    for key in rollup_repo::waiting_before(db.read(), today).await? {
        let tx = db.begin().await?;
        if lock(&tx, key).await? {
            merge(&tx, key, None, None).await?;
        }
        tx.commit().await?;
    }
    Ok(())
}

/// Locks the rows that a batch locks to write this document. Returns whether the link or account still exists: stored additions are
/// deleted with it.
async fn lock(tx: &Transaction, (day, subject): Key) -> Result<bool, DbErr> {
    if lock_link(tx, subject).await? {
        return Ok(true);
    }
    let is_account = account::Entity::find_by_id(subject).one(tx).await?.is_some();
    if is_account {
        usage::repo::add(tx, [((AccountId(subject), day), 0, 0)]).await?;
        lock_accounts(tx, [subject].into_iter()).await?;
    }
    Ok(is_account)
}
