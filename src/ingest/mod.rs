//! Moves clicks from the log to the database, exactly once: the position in the log is stored in the transaction that stores the
//! clicks. While the database is unavailable, the log keeps the clicks.

mod backfill;
mod owners;
mod pace;
mod read;
mod rollup;
mod size;
mod store;
mod visitors;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{anyhow, bail};
use sea_orm::DatabaseBackend;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use self::{
    pace::{LOOK, Pace},
    read::Batch,
    size::Size,
    store::Store,
};
use crate::{
    app::App,
    base::{
        clock::day,
        error::{ApiError, in_one_line},
        machine,
    },
    click_store::Months,
    clicks::{kept_damage, position::Position, position_repo::position, records::Damage, segment},
    platform::db::{Checkpoint, TURN, write_cache},
};

pub(crate) use self::visitors::delete_visitors;

/// Clicks that one transaction of the backfill counts.
const BACKFILL: usize = 1_000;
/// How long a batch may take while others wait to write: the next one is larger or smaller accordingly.
const BATCH_BESIDE_WRITERS: Duration = Duration::from_millis(80);
/// How long a batch may take while nobody waits to write.
const BATCH: Duration = Duration::from_millis(200);
/// How long a transaction goes on to take batches when nobody else writes.
const TRANSACTION: Duration = Duration::from_secs(1);
/// The same while more than [`MUCH`] bytes of the log are left: the more clicks a transaction stores, the more of them change the
/// same pages, each of which is written once. The numbers are late then anyway.
const TRANSACTION_OF_BACKLOG: Duration = Duration::from_secs(30);
const MUCH: u64 = 16 << 20;
/// Clicks of the first transaction at most.
const FIRST: u64 = 25_000;
/// Clicks of a transaction at most after one that failed.
const CAUTIOUS: u64 = 1_000;
/// Bytes of pages that each click of a long transaction changes, measured on 10,000 links with equal numbers of clicks
/// (`scripts/load-clicks`). It bounds a transaction so that the changed pages fit into the writer's cache.
const CHANGED: u64 = 440;
/// How long a commit may take, since other writers wait for it: after a longer one, the next transaction stores at most half as many
/// clicks.
const COMMIT: Duration = Duration::from_secs(1);
/// When two transactions within this time kept other writers waiting, transactions stay short for as long, since long ones take longer
/// to commit. A single waiting writer only ends the transaction: readiness probes write every few seconds, too.
const CONSIDERATE: Duration = Duration::from_secs(2);
/// Visitors deleted at once.
const DELETE_VISITORS: u64 = 16_000;
/// How often to look whether there is something new.
const POLL: Duration = Duration::from_millis(100);
/// How long to wait after a first failure; twice as long after each further one.
const RETRY: Duration = Duration::from_millis(100);
/// How long to wait after a failure at most.
const RETRY_MOST: Duration = Duration::from_secs(2);
/// Places of damage that are logged for each transaction; all are counted.
const LOGGED: usize = 10;

/// Ingests until `stop` is cancelled, and then the rest of the log, unless the database fails.
pub(crate) async fn run(app: Arc<App>, position: Position, stop: CancellationToken) {
    let mut ingest = Ingest::new(position, stop.clone());
    let mut pace = Pace::new(machine::cores(), Instant::now(), app.clicks.log.taken());
    let mut wait = RETRY;
    let mut took = BATCH_BESIDE_WRITERS;
    loop {
        let rested = Instant::now() + Pace::rest(took);
        loop {
            ingest.is_rush = pace.is_rush(Instant::now(), app.clicks.log.taken());
            if !ingest.is_rush || Instant::now() >= rested || stop.is_cancelled() {
                break;
            }
            stop.run_until_cancelled(sleep(LOOK)).await;
        }
        let started = Instant::now();
        let pause = match ingest.step(&app, &mut pace).await {
            Ok(true) => {
                (wait, took) = (RETRY, started.elapsed());
                if app.db.is_waited_for_beside() {
                    sleep(TURN).await;
                }
                continue;
            }
            Ok(false) if stop.is_cancelled() => return,
            Ok(false) => {
                wait = RETRY;
                POLL
            }
            Err(error) => {
                tracing::warn!(error = in_one_line(&error), "Clicks could not be ingested; the log keeps them");
                if stop.is_cancelled() {
                    return;
                }
                wait = (wait * 2).min(RETRY_MOST);
                wait
            }
        };
        stop.run_until_cancelled(sleep(pause)).await;
    }
}

/// Ingests what is in the log, and answers how many clicks that were. Fails when the database does not take them.
pub(crate) async fn drain(app: &Arc<App>, position: Position) -> anyhow::Result<u64> {
    let mut ingest = Ingest::new(position, CancellationToken::new());
    let mut pace = Pace::new(1, Instant::now(), app.clicks.log.taken());
    loop {
        let was_small = ingest.most == 1;
        match ingest.step(app, &mut pace).await {
            Ok(true) => {}
            Ok(false) => return Ok(ingest.ingested),
            Err(error) if was_small => return Err(error),
            Err(_) => {}
        }
    }
}

struct Ingest {
    position: Position,
    /// Whether the stored position may be another: a commit that failed may have succeeded.
    is_unsure: bool,
    /// Clicks so far.
    ingested: u64,
    /// The next batch, read while the database stored the one before.
    ahead: Option<Batch>,
    size: Size,
    /// Clicks of the next transaction at most.
    most: u64,
    /// Whether a transaction has failed since the log was empty.
    is_cautious: bool,
    /// When the last transaction ended that kept another writer waiting.
    waited_for: Option<Instant>,
    /// When the last transaction ended that did so within [`CONSIDERATE`] after another.
    often_waited_for: Option<Instant>,
    stop: CancellationToken,
    /// Whether visitors come faster than their clicks could be ingested.
    is_rush: bool,
    /// Whether the roll-ups count all stored clicks.
    is_counted: bool,
    months: Months,
    /// The newest UTC day of the clicks so far; days in the future count as today.
    newest_day: i32,
    /// Whether a new day has begun, so that visitors of old days may have to be deleted.
    has_old_visitors: bool,
    /// Whether a new day has begun, so that additions to documents of earlier days may have to be merged.
    merges: bool,
}

impl Ingest {
    fn new(position: Position, stop: CancellationToken) -> Self {
        Ingest {
            position,
            stop,
            is_unsure: false,
            ingested: 0,
            ahead: None,
            size: Size::new(),
            most: FIRST,
            is_cautious: false,
            waited_for: None,
            often_waited_for: None,
            is_rush: false,
            is_counted: false,
            months: Months::default(),
            newest_day: i32::MIN,
            has_old_visitors: false,
            merges: false,
        }
    }

    /// Executes one transaction. Returns whether there was anything to store.
    ///
    /// After a failure, transactions are small until the log is empty, and SQLite's write-ahead log is checkpointed after each: a
    /// disk that is nearly full has room for that, and deleting ingested segments frees more.
    async fn step(&mut self, app: &Arc<App>, pace: &mut Pace) -> anyhow::Result<bool> {
        let stored = self.store(app, pace).await;
        match stored {
            Ok(true) if self.is_cautious => app.db.checkpoint(Checkpoint::Passive).await?,
            Ok(_) => {}
            Err(_) => (self.is_cautious, self.most, self.size) = (true, 1, Size::new()),
        }
        stored
    }

    async fn store(&mut self, app: &Arc<App>, pace: &mut Pace) -> anyhow::Result<bool> {
        if !self.is_counted {
            self.is_counted = !backfill::step(app, BACKFILL).await.map_err(|error| refused(&error))?;
            return Ok(true);
        }
        if self.is_unsure {
            self.position = position(&app.db, app.clicks.log.id()).await?;
            self.is_unsure = false;
        }
        if self.ahead.is_none() && self.position == app.clicks.log.end() {
            app.metrics.click_log_lag.set(0);
            app.clicks.log.note_ingested(self.position);
            if self.most > FIRST {
                app.db.shrink_write_cache().await?;
            }
            (self.is_cautious, self.most) = (false, FIRST);
            return Ok(false);
        }
        let mut batch = match self.ahead.take() {
            Some(batch) if !self.is_rush => batch,
            _ => self.read(app, self.position).await??,
        };
        app.metrics.click_log_lag.set(i64::try_from(batch.lag).unwrap_or(i64::MAX));
        if batch.next == self.position {
            return Ok(false);
        }
        // Restored when these clicks are stored: after a failure the partitions are read again.
        let mut months = std::mem::take(&mut self.months);
        months.cover(&app.db, batch.clicks.iter().map(|click| click.clicked_at)).await?;
        let (mut stored, mut damage) = (0, Vec::new());
        let mut store = Store::begin(app).await.map_err(|error| refused(&error))?;
        let started = Instant::now();
        let (next, ahead) = loop {
            let (next, clicks) = (batch.next, batch.clicks.len());
            // A click dated in the future comes from a wrong clock.
            let today = day(app.clock.now());
            if let Some(day) = batch.clicks.iter().map(|click| day(click.clicked_at).min(today)).max()
                && day > self.newest_day
            {
                (self.newest_day, self.has_old_visitors, self.merges) = (day, true, true);
            }
            self.size.grow(batch.lag, self.is_rush);
            let ahead = (batch.lag > 0 && !self.is_rush).then(|| self.read(app, next));
            let began = Instant::now();
            store.add(batch.clicks, self.newest_day).await.map_err(|error| refused(&error))?;
            let limit = if app.db.is_waited_for() { BATCH_BESIDE_WRITERS } else { BATCH };
            self.size.learn(clicks, began.elapsed(), limit);
            stored += clicks as u64;
            damage.extend(batch.damage);
            // A failed read is retried, and its error reported, once these clicks are stored.
            let ahead = match ahead {
                Some(ahead) => ahead.await?.ok(),
                None => None,
            };
            match ahead {
                Some(more) if more.next != next && self.may_go_on(app, pace, (started, stored), more.lag) => {
                    batch = more
                }
                ahead => break (next, ahead),
            }
        };
        if app.db.is_waited_for() {
            let now = Instant::now();
            if is_recent(self.waited_for) {
                self.often_waited_for = Some(now);
            }
            self.waited_for = Some(now);
        }
        self.is_unsure = true;
        let began = Instant::now();
        if !store.commit(self.position, next).await.map_err(|error| refused(&error))? {
            bail!("another process ingests a copy of this log");
        }
        self.is_unsure = false;
        if began.elapsed() > COMMIT {
            self.most = (stored / 2).max(1);
        } else if stored >= self.most {
            let limit = if self.is_cautious { CAUTIOUS } else { write_cache() / CHANGED };
            self.most = (self.most * 2).min(limit);
        }
        (self.position, self.ahead, self.months) = (next, ahead, months);
        self.ingested += stored;
        app.metrics.clicks_ingested.inc_by(stored);
        app.clicks.log.note_ingested(next);
        report(app, &damage);
        if let Err(error) = delete_ingested(app, next).await {
            (self.is_unsure, self.ahead) = (true, None);
            return Err(error);
        }
        if self.merges {
            rollup::merge_waiting(&app.db, self.newest_day).await.map_err(|error| refused(&error))?;
            self.merges = false;
        }
        let mut deleted = 0;
        while self.has_old_visitors && deleted < stored * 2 {
            self.has_old_visitors = delete_visitors(&app.db, app.clock.now(), DELETE_VISITORS).await?;
            deleted += DELETE_VISITORS;
        }
        Ok(true)
    }

    fn read(&self, app: &Arc<App>, from: Position) -> tokio::task::JoinHandle<std::io::Result<Batch>> {
        let (app, most) = (Arc::clone(app), self.size.get(self.is_rush));
        tokio::task::spawn_blocking(move || read::read(&app, from, most))
    }

    /// Whether a transaction that began at `began` and has stored `stored` clicks may store another batch, after which `lag` bytes of
    /// the log are left.
    fn may_go_on(&self, app: &App, pace: &mut Pace, (began, stored): (Instant, u64), lag: u64) -> bool {
        let time = if lag > MUCH { TRANSACTION_OF_BACKLOG } else { TRANSACTION };
        // Several nodes write to PostgreSQL: each transaction locks rows in one order, which a second batch would break.
        app.db.backend() == DatabaseBackend::Sqlite
            && began.elapsed() < time
            && stored < self.most
            && !app.db.is_waited_for()
            && !is_recent(self.often_waited_for)
            && !self.stop.is_cancelled()
            && !pace.is_rush(Instant::now(), app.clicks.log.taken())
    }
}

fn is_recent(waited_for: Option<Instant>) -> bool {
    waited_for.is_some_and(|waited| waited.elapsed() < CONSIDERATE)
}

/// Deletes the segments before a committed position, which is first read again on another connection than the writer's: a commit that
/// was reported but not stored must not lose clicks.
async fn delete_ingested(app: &Arc<App>, committed: Position) -> anyhow::Result<()> {
    let log = Arc::clone(&app.clicks.log);
    if !tokio::task::spawn_blocking(move || read::has_before(&log, committed)).await?? {
        return Ok(());
    }
    let stored = position(&app.db, app.clicks.log.id()).await?;
    let log = Arc::clone(&app.clicks.log);
    tokio::task::spawn_blocking(move || read::delete_before(&log, stored.min(committed))).await??;
    if stored < committed {
        bail!("the database has ingested the log up to {stored:?}, though it committed {committed:?}");
    }
    Ok(())
}

/// Counts and names damage of the log, once all clicks before it are stored.
fn report(app: &App, damage: &[Damage]) {
    let log = app.clicks.log.folder();
    for place in damage.iter().take(LOGGED) {
        tracing::error!(
            segment = %segment::path(log, place.at.segment).display(),
            offset = place.at.offset,
            bytes = place.bytes,
            clicks = place.clicks,
            kept = %segment::path(&kept_damage::folder(log), place.at.segment).display(),
            "The click log is damaged: these clicks are lost, and no others"
        );
    }
    if damage.len() > LOGGED {
        tracing::error!(places = damage.len() - LOGGED, "The click log is damaged at more places");
    }
    for place in damage {
        app.metrics.clicks_damaged.inc_by(place.clicks);
        app.metrics.click_log_damaged.inc_by(place.bytes);
    }
}

fn refused(error: &ApiError) -> anyhow::Error {
    anyhow!("the database did not take them: {}", error.code.as_str())
}
