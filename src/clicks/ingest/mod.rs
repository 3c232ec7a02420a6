//! Log → database, exactly once: the position in the log moves in the transaction that stores the clicks. The database
//! may be away for hours; the log waits.

mod backfill;
mod pace;
mod read;
mod rollup;
mod store;

use std::{
    sync::Arc,
    thread::available_parallelism,
    time::{Duration, Instant},
};

use anyhow::anyhow;
use entity::click_log_position;
use sea_orm::{DbErr, EntityTrait};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use self::{
    pace::{LOOK, Pace},
    read::Batch,
};
use super::log::Position;
use crate::{app::App, db::Db, error::ApiError};

pub use self::{backfill::is_pending, rollup::forget_visitors};

/// Clicks stored at once, at first and at most.
const BATCH_CLICKS: (usize, usize) = (1_000, 16_000);
/// How long a batch's transaction may take while others wait to write: the next batch is larger or smaller accordingly.
const TRANSACTION: Duration = Duration::from_millis(80);
/// And while nobody does: the larger a batch, the more of its clicks change the same pages.
const TRANSACTION_ALONE: Duration = Duration::from_millis(300);
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
pub async fn run(app: Arc<App>, position: Position, stop: CancellationToken) {
    let cores = available_parallelism().map_or(1, |cores| u32::try_from(cores.get()).unwrap_or(u32::MAX));
    let mut ingest = Ingest { position, ahead: None, most: BATCH_CLICKS.0, is_counted: false };
    let mut pace = Pace::new(cores, Instant::now(), app.click_log.taken());
    let mut wait = RETRY.0;
    let mut took = TRANSACTION;
    loop {
        let rested = Instant::now() + Pace::rest(took);
        while pace.is_rush(Instant::now(), app.click_log.taken()) && Instant::now() < rested && !stop.is_cancelled() {
            tokio::select! {
                () = stop.cancelled() => {}
                () = tokio::time::sleep(LOOK) => {}
            }
        }
        let started = Instant::now();
        let pause = match ingest.step(&app).await {
            Ok(true) => {
                (wait, took) = (RETRY.0, started.elapsed());
                continue;
            }
            Ok(false) if stop.is_cancelled() => return,
            Ok(false) => {
                wait = RETRY.0;
                POLL
            }
            Err(error) => {
                tracing::warn!(error = format!("{error:#}"), "Clicks could not be ingested; the log keeps them");
                if stop.is_cancelled() {
                    return;
                }
                wait = (wait * 2).min(RETRY.1);
                wait
            }
        };
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}

struct Ingest {
    position: Position,
    /// Read while the database took the batch before.
    ahead: Option<Batch>,
    /// Clicks of the next batch.
    most: usize,
    /// Whether the roll-ups count all stored clicks.
    is_counted: bool,
}

impl Ingest {
    /// One batch. Answers whether there was one.
    async fn step(&mut self, app: &Arc<App>) -> anyhow::Result<bool> {
        if !self.is_counted {
            self.is_counted = !backfill::step(app, BATCH_CLICKS.0).await.map_err(|error| refused(&error))?;
            return Ok(true);
        }
        let batch = match self.ahead.take() {
            Some(batch) => batch,
            None => self.read(app, self.position).await??,
        };
        app.metrics.click_log_lag.set(batch.lag as f64);
        if batch.next == self.position {
            return Ok(false);
        }
        let (next, clicks, rest) = (batch.next, batch.clicks.len(), batch.lag);
        let ahead = (rest > 0).then(|| self.read(app, next));
        let started = Instant::now();
        store::store(app, batch).await.map_err(|error| refused(&error))?;
        let limit = if app.db.is_waited_for() { TRANSACTION } else { TRANSACTION_ALONE };
        self.resize(clicks, started.elapsed(), limit);
        self.position = next;
        app.metrics.clicks_ingested.increment(clicks as u64);
        let log = Arc::clone(&app.click_log);
        tokio::task::spawn_blocking(move || read::delete_ingested(&log, next)).await??;
        if clicks > 0 {
            forget_visitors(&app.db, clicks as u64 * 2).await?;
        }
        if let Some(ahead) = ahead {
            self.ahead = Some(ahead.await??);
        }
        Ok(true)
    }

    fn read(&self, app: &Arc<App>, from: Position) -> tokio::task::JoinHandle<std::io::Result<Batch>> {
        let (app, most) = (Arc::clone(app), self.most);
        tokio::task::spawn_blocking(move || read::read(&app, from, most))
    }

    /// Learns from a batch how many clicks the database takes in the time that there is.
    fn resize(&mut self, clicks: usize, took: Duration, limit: Duration) {
        if clicks >= self.most || took > limit {
            let factor = limit.as_secs_f64() / took.as_secs_f64().max(0.001);
            self.most = ((clicks as f64 * factor.clamp(0.5, 2.0)) as usize).clamp(100, BATCH_CLICKS.1);
        }
    }
}

fn refused(error: &ApiError) -> anyhow::Error {
    anyhow!("the database did not take them: {}", error.code.as_str())
}
