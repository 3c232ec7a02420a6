//! Log → database, exactly once: the position in the log moves in the transaction that stores the clicks. The database
//! may be away for hours; the log waits.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs::{self, File},
    io,
    sync::Arc,
    time::Duration,
};

use anyhow::anyhow;
use entity::{click, click_log_position, link};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait,
    QueryFilter, Statement, sea_query::OnConflict,
};
use tokio_util::sync::CancellationToken;
use uuid::{ContextV7, Timestamp, Uuid};

use super::{
    click::Click,
    log::{ClickLog, Position},
    segment::{self, Records},
};
use crate::{
    analytics::event::clicked as clicked_event,
    app::App,
    db::{Db, ROWS_PER_STATEMENT, value_rows},
    delivery::repo::accounts_that_listen,
    error::ApiError,
    events::EventKind,
    ids::AccountId,
    outbox::{self, Event},
    usage::{self, AccountDay},
};

/// Bytes read at once.
const BATCH_BYTES: usize = 1 << 20;
/// Clicks stored at once: enough to share a commit, few enough that other writers wait some 20 ms at most.
const BATCH_CLICKS: usize = 2_000;
/// How often to look whether there is something new.
const POLL: Duration = Duration::from_millis(100);
/// How long to wait after a failure, at first and at most.
const RETRY: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));

/// How far the log is ingested.
pub async fn position(db: &Db, log: Uuid) -> Result<Position, DbErr> {
    let stored = click_log_position::Entity::find_by_id(log).one(db.read()).await?;
    Ok(stored.map_or_else(Position::default, |stored| Position {
        segment: stored.segment.unsigned_abs(),
        offset: stored.position.unsigned_abs(),
    }))
}

/// Ingests until told to stop; then what is left, if the database takes it at once.
pub async fn run(app: Arc<App>, mut position: Position, stop: CancellationToken) {
    let mut wait = RETRY.0;
    loop {
        match step(&app, position).await {
            Ok(next) if next != position => {
                (position, wait) = (next, RETRY.0);
                continue;
            }
            Ok(_) if stop.is_cancelled() => return,
            Ok(_) => wait = RETRY.0,
            Err(error) => {
                tracing::warn!(error = format!("{error:#}"), "Clicks could not be ingested; the log keeps them");
                if stop.is_cancelled() {
                    return;
                }
                wait = (wait * 2).min(RETRY.1);
            }
        }
        let pause = if wait == RETRY.0 { POLL } else { wait };
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// One batch. Answers where the next begins: the same place when there is nothing to do.
async fn step(app: &Arc<App>, from: Position) -> anyhow::Result<Position> {
    let reader = Arc::clone(app);
    let batch = tokio::task::spawn_blocking(move || read(&reader, from)).await??;
    app.metrics.click_log_lag.set(batch.lag as f64);
    if batch.clicks.is_empty() && batch.next == from {
        return Ok(from);
    }
    let ingested = batch.clicks.len() as u64;
    store(app, &batch).await.map_err(|error| anyhow!("the database did not take them: {}", error.code.as_str()))?;
    app.live.publish(&batch.clicks);
    app.metrics.clicks_ingested.increment(ingested);
    let (log, next) = (Arc::clone(&app.click_log), batch.next);
    tokio::task::spawn_blocking(move || delete_ingested(&log, next)).await??;
    Ok(batch.next)
}

struct Batch {
    /// Enriched here, off the threads that redirect and before the writer is held.
    clicks: Vec<click::Model>,
    next: Position,
    /// Bytes of this and later segments that are not in the batch.
    lag: u64,
}

fn read(app: &App, from: Position) -> io::Result<Batch> {
    let log = &app.click_log;
    let end = log.end();
    let context = ContextV7::new();
    let mut batch = Batch { clicks: Vec::new(), next: from, lag: 0 };
    let segments: Vec<u64> = segment::list(log.folder())?;
    for number in segments.into_iter().filter(|number| (from.segment..=end.segment).contains(number)) {
        let path = segment::path(log.folder(), number);
        let length = if number == end.segment { end.offset } else { fs::metadata(&path)?.len() };
        let start = if number == from.segment { from.offset } else { 0 };
        if !batch.clicks.is_empty() {
            batch.lag += length - start.min(length);
            continue;
        }
        let rest = length.saturating_sub(start);
        let bytes = segment::read_at(
            &File::open(&path)?,
            start,
            usize::try_from(rest).unwrap_or(BATCH_BYTES).min(BATCH_BYTES),
        )?;
        let mut records = Records::new(&bytes);
        for record in records.by_ref().take(BATCH_CLICKS) {
            match Click::decode(record) {
                Some(click) => batch.clicks.push(enriched(app, click, &context)),
                None => tracing::error!(segment = number, "The click log holds a record that is no click"),
            }
        }
        batch.next = Position { segment: number, offset: start + records.read() as u64 };
        // Cut off at the batch's end is normal; cut off at the end of a finished segment is not.
        let stuck = records.read() == 0 && !bytes.is_empty();
        if records.damaged() || (stuck && number != end.segment) {
            tracing::error!(
                segment = number,
                offset = batch.next.offset,
                lost = length - batch.next.offset,
                "The click log is damaged: the rest of the segment is skipped"
            );
            batch.next.offset = length;
        }
        batch.lag += length - batch.next.offset;
        if batch.next.offset == length && number < end.segment {
            batch.next = Position { segment: number + 1, offset: 0 };
        }
    }
    Ok(batch)
}

async fn store(app: &App, batch: &Batch) -> Result<(), ApiError> {
    let tx = app.db.begin().await?;
    if !batch.clicks.is_empty() {
        let owners = count_clicks(&tx, &batch.clicks).await?;
        count_usage(&tx, &batch.clicks, &owners).await?;
        record_events(app, &tx, &batch.clicks, &owners).await?;
        for clicks in batch.clicks.chunks(ROWS_PER_STATEMENT) {
            // Clicks of a link deleted since they were logged go with it.
            let rows: Vec<_> = clicks
                .iter()
                .filter(|click| owners.contains_key(&click.link_id))
                .map(|click| click::ActiveModel::from(click.clone()).reset_all())
                .collect();
            if !rows.is_empty() {
                click::Entity::insert_many(rows).exec_without_returning(&tx).await?;
            }
        }
    }
    move_position(&tx, app.click_log.id(), batch.next).await?;
    Ok(tx.commit().await?)
}

/// Records an event for each click of an account that listens for them.
async fn record_events(
    app: &App,
    tx: &DatabaseTransaction,
    clicks: &[click::Model],
    owners: &HashMap<Uuid, Uuid>,
) -> Result<(), ApiError> {
    let accounts: HashSet<Uuid> = owners.values().copied().collect();
    let listening = accounts_that_listen(tx, EventKind::LinkClicked, accounts).await?;
    if listening.is_empty() {
        return Ok(());
    }
    let clicked: Vec<Uuid> =
        owners.iter().filter(|(_, account)| listening.contains(account)).map(|(link, _)| *link).collect();
    let mut links = HashMap::new();
    for clicked in clicked.chunks(ROWS_PER_STATEMENT) {
        let found = link::Entity::find().filter(link::Column::Id.is_in(clicked.iter().copied())).all(tx).await?;
        links.extend(found.into_iter().map(|link| (link.id, link)));
    }
    let mut events: HashMap<Uuid, Vec<Event>> = HashMap::new();
    for click in clicks {
        if let Some(link) = links.get(&click.link_id) {
            events.entry(link.account_id).or_default().push(clicked_event(click, link, &app.config)?);
        }
    }
    for (account, events) in events {
        outbox::record(tx, AccountId(account), events, app.clock.now()).await?;
    }
    Ok(())
}

/// Adds to the links' counts in one statement, and answers which of them exist, with their accounts.
async fn count_clicks(tx: &DatabaseTransaction, clicks: &[click::Model]) -> Result<HashMap<Uuid, Uuid>, DbErr> {
    let mut counts: BTreeMap<Uuid, i64> = BTreeMap::new();
    for click in clicks {
        *counts.entry(click.link_id).or_default() += 1;
    }
    let counts: Vec<_> = counts.into_iter().collect();
    let backend = tx.get_database_backend();
    let mut existing = HashMap::new();
    for counts in counts.chunks(ROWS_PER_STATEMENT) {
        let sql = format!(
            "UPDATE links SET click_count = click_count + clicked.column2 FROM (VALUES {}) AS clicked \
             WHERE links.id = clicked.column1 RETURNING links.id, links.account_id",
            value_rows(backend, counts.len(), &["uuid", "bigint"])
        );
        let values =
            counts.iter().flat_map(|(link, count)| [sea_orm::Value::from(*link), sea_orm::Value::from(*count)]);
        for row in tx.query_all_raw(Statement::from_sql_and_values(backend, sql, values)).await? {
            existing.insert(row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        }
    }
    Ok(existing)
}

/// Adds to what the accounts used.
async fn count_usage(
    tx: &DatabaseTransaction,
    clicks: &[click::Model],
    owners: &HashMap<Uuid, Uuid>,
) -> Result<(), DbErr> {
    let mut counts: HashMap<AccountDay, i64> = HashMap::new();
    for click in clicks {
        if let Some(account) = owners.get(&click.link_id) {
            *counts.entry((AccountId(*account), usage::day(click.clicked_at))).or_default() += 1;
        }
    }
    usage::repo::add(tx, counts.into_iter().map(|(key, clicks)| (key, clicks, 0))).await
}

/// The click with what its user agent says.
fn enriched(app: &App, click: Click, context: &ContextV7) -> click::Model {
    let agent = app.agents.read(&click.user_agent);
    let known = |text: String| (!text.is_empty()).then_some(text);
    let millis = click.clicked_at.unsigned_abs();
    let nanos = u32::try_from(millis % 1_000).unwrap_or_default() * 1_000_000;
    click::Model {
        id: Uuid::new_v7(Timestamp::from_unix(context, millis / 1_000, nanos)),
        link_id: click.link,
        clicked_at: click.clicked_at,
        visitor: click.visitor.to_vec(),
        is_bot: agent.is_bot || click.is_prefetch,
        browser: agent.browser,
        os: agent.os,
        device: agent.device,
        referrer_host: known(click.referrer_host),
        country: known(click.country),
        language: known(click.language),
        utm_source: known(click.utm_source),
        utm_medium: known(click.utm_medium),
        utm_campaign: known(click.utm_campaign),
    }
}

async fn move_position(tx: &DatabaseTransaction, log: Uuid, to: Position) -> Result<(), DbErr> {
    let moved = click_log_position::ActiveModel {
        log_id: Set(log),
        segment: Set(i64::try_from(to.segment).unwrap_or(i64::MAX)),
        position: Set(i64::try_from(to.offset).unwrap_or(i64::MAX)),
    };
    let replace = OnConflict::column(click_log_position::Column::LogId)
        .update_columns([click_log_position::Column::Segment, click_log_position::Column::Position])
        .to_owned();
    click_log_position::Entity::insert(moved).on_conflict(replace).exec_without_returning(tx).await?;
    Ok(())
}

fn delete_ingested(log: &ClickLog, position: Position) -> io::Result<()> {
    for number in segment::list(log.folder())?.into_iter().filter(|number| *number < position.segment) {
        fs::remove_file(segment::path(log.folder(), number))?;
    }
    Ok(())
}
