//! Claims due jobs and runs them.

use std::{sync::Arc, time::Duration};

use entity::job;
use futures_util::future::{BoxFuture, join_all};
use sea_orm::{
    ActiveValue::{Set, Unchanged},
    ColumnTrait, Condition, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::{Expr, LockBehavior, LockType},
};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::work::jobs::{Done, Job, Lane, stored};
use crate::{
    clock::{Clock, HOUR, Millis, SECOND, UnixMillis},
    db::{Db, Polling},
    error::ApiError,
};

/// How long nothing needs to be heard of a worker before another takes its jobs: within a minute of its death.
const LEASE: Millis = 50 * SECOND;
/// How often a worker is heard of: a lease that could not be renewed a few times is still held.
const RENEWAL: Duration = Duration::from_secs(10);
/// How often to look, when nobody says that there is work.
const POLL: Duration = Duration::from_millis(500);

/// The dependencies of a worker.
#[derive(Clone)]
pub(crate) struct Queue {
    pub(crate) db: Db,
    pub(crate) clock: Clock,
    /// Notified when there may be jobs to do.
    pub(crate) due: Arc<Notify>,
    /// Does a job. An error has it tried again later.
    pub(crate) perform: Arc<dyn Fn(Job) -> BoxFuture<'static, Result<Done, ApiError>> + Send + Sync>,
}

/// Runs the jobs of a lane until told to stop.
pub(crate) async fn run(queue: Queue, lane: Lane, stop: CancellationToken) {
    let mut polling = Polling::new(&queue.db, &queue.clock, POLL);
    // When the last lease ends that nobody may give back: one of a process that died, or whose end could not be stored.
    let mut last_stray = queue.clock.now() + LEASE;
    while !stop.is_cancelled() {
        polling.begin();
        let now = queue.clock.now();
        let due = match look(&queue, lane, now).await {
            Ok(Looked::Claimed(jobs)) => {
                let ids = jobs.iter().map(|job| job.id).collect();
                let work = join_all(jobs.into_iter().map(|job| attempt(&queue, job)));
                let are_noted = tokio::select! {
                    noted = work => noted.into_iter().all(|is_noted| is_noted),
                    () = renew(&queue, ids, now + LEASE) => false,
                };
                if !are_noted {
                    last_stray = queue.clock.now() + LEASE;
                }
                continue;
            }
            Ok(Looked::Due(due)) => due.into_iter().chain(Some(last_stray).filter(|end| *end > now)).min(),
            Err(_) => {
                // A claim may have been committed.
                last_stray = now + LEASE;
                Some(now)
            }
        };
        tokio::select! {
            () = stop.cancelled() => {}
            () = queue.due.notified() => {}
            () = polling.wait(due) => {}
        }
    }
}

/// The outcome of a look for jobs.
enum Looked {
    /// Due jobs, leased from the time of the look on.
    Claimed(Vec<job::Model>),
    /// No jobs were claimed; when to expect the next due job. `None`: there is none.
    Due(Option<UnixMillis>),
}

/// Jobs of some kinds that no worker has a lease of, in the order of their times.
fn free(kinds: &[&'static str], now: UnixMillis) -> Select<job::Entity> {
    let free = Condition::any().add(job::Column::LeasedUntil.is_null()).add(job::Column::LeasedUntil.lte(now));
    let of_kinds = job::Entity::find().filter(job::Column::Kind.is_in(kinds.iter().copied()));
    of_kinds.filter(free).order_by_asc(job::Column::RunAt)
}

/// Takes a lease on due jobs. Looks first without writing: an idle service does not disturb SQLite's writer.
async fn look(queue: &Queue, lane: Lane, now: UnixMillis) -> Result<Looked, ApiError> {
    let mut first = None;
    // One query per kind: the index orders jobs by time only within a kind.
    for kind in lane.kinds() {
        let due = free(&[*kind], now).select_only().column(job::Column::RunAt).limit(1);
        first = first.into_iter().chain(due.into_tuple::<UnixMillis>().one(queue.db.read()).await?).min();
    }
    if first.is_none_or(|due| due > now) {
        return Ok(Looked::Due(first));
    }
    let tx = queue.db.begin().await?;
    let due = free(lane.kinds(), now).filter(job::Column::RunAt.lte(now)).limit(lane.width());
    let jobs = due.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked).all(&tx).await?;
    if jobs.is_empty() {
        // Another node was faster.
        return Ok(Looked::Due(Some(now)));
    }
    job::Entity::update_many()
        .col_expr(job::Column::LeasedUntil, Expr::value(now + LEASE))
        .filter(job::Column::Id.is_in(jobs.iter().map(|job| job.id)))
        .exec(&tx)
        .await?;
    tx.commit().await?;
    Ok(Looked::Claimed(jobs))
}

/// Renews the leases that are still held, for ever.
async fn renew(queue: &Queue, jobs: Vec<Uuid>, mut leased_until: UnixMillis) {
    loop {
        tokio::time::sleep(RENEWAL).await;
        let renewed = queue.clock.now() + LEASE;
        // Finished jobs do not match: they have no lease any more, or another worker's.
        let held = job::Entity::update_many()
            .col_expr(job::Column::LeasedUntil, Expr::value(renewed))
            .filter(job::Column::Id.is_in(jobs.iter().copied()))
            .filter(job::Column::LeasedUntil.eq(leased_until));
        match held.exec(queue.db.write()).await {
            Ok(_) => leased_until = renewed,
            Err(error) => tracing::warn!(%error, "Leases of jobs could not be renewed"),
        }
    }
}

/// Performs a job; answers whether its outcome could be stored.
async fn attempt(queue: &Queue, job: job::Model) -> bool {
    let outcome = perform(queue, &job).await;
    let noted = match &outcome {
        Ok(Done::Finished) => job::Entity::delete_by_id(job.id).exec(queue.db.write()).await.map(drop),
        Ok(Done::Again(run_at)) => postpone(queue, &job, *run_at, 0).await,
        Ok(Done::Next(next, run_at)) => replace(queue, &job, next, *run_at).await,
        Err(error) => {
            let wait = backoff(job.attempts);
            tracing::warn!(job.id = %job.id, job.kind, code = error.code.as_str(), wait, "A job failed and will be tried again");
            postpone(queue, &job, queue.clock.now() + wait, job.attempts.saturating_add(1)).await
        }
    };
    if let Err(error) = &noted {
        // The lease ends by itself, and the job is tried again.
        tracing::warn!(job.id = %job.id, %error, "The outcome of a job could not be stored");
    }
    noted.is_ok()
}

async fn postpone(queue: &Queue, job: &job::Model, run_at: UnixMillis, attempts: i32) -> Result<(), DbErr> {
    let change = job::ActiveModel {
        id: Unchanged(job.id),
        run_at: Set(run_at),
        attempts: Set(attempts),
        leased_until: Set(None),
        ..Default::default()
    };
    job::Entity::update(change).exec(queue.db.write()).await.map(drop)
}

async fn replace(queue: &Queue, job: &job::Model, next: &Job, run_at: UnixMillis) -> Result<(), DbErr> {
    let (kind, payload) = stored(next)?;
    let change = job::ActiveModel {
        id: Unchanged(job.id),
        kind: Set(kind),
        payload: Set(payload),
        run_at: Set(run_at),
        attempts: Set(0),
        leased_until: Set(None),
        ..Default::default()
    };
    job::Entity::update(change).exec(queue.db.write()).await.map(drop)
}

async fn perform(queue: &Queue, job: &job::Model) -> Result<Done, ApiError> {
    let payload: serde_json::Value = serde_json::from_str(&job.payload).map_err(ApiError::internal)?;
    let job = serde_json::json!({ "kind": job.kind, "payload": payload });
    (queue.perform)(serde_json::from_value(job).map_err(ApiError::internal)?).await
}

/// 5 s, 10 s, 20 s, … at most an hour.
fn backoff(attempts: i32) -> Millis {
    (5 * SECOND).saturating_mul(1 << attempts.clamp(0, 12)).min(HOUR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::jobs::ExpiryProgress;

    #[test]
    fn every_job_has_a_lane() {
        for job in [
            Job::PasswordResetMail { email: String::new() },
            Job::WebhookDisabledMail { webhook: Uuid::nil(), user: Uuid::nil() },
            Job::PurgeDeliveries { webhooks: Vec::new() },
            Job::CheckDomain { domain: Uuid::nil() },
            Job::ReconcileBilling { account: Uuid::nil(), request_key: Uuid::nil() },
            Job::DeleteCustomer { provider: String::new(), customer: String::new() },
            Job::DeleteUnstoredCustomer {
                provider: String::new(),
                account: Uuid::nil(),
                request_key: Uuid::nil(),
                email: String::new(),
                name: String::new(),
            },
            Job::AnnounceUsedUpLink { account: Uuid::nil(), link: Uuid::nil() },
            Job::AnnounceExpiredLinks { done_until: 0, last: None },
            Job::RunImport { account: Uuid::nil(), import: Uuid::nil() },
            Job::PurgeClicks { links: Vec::new(), account: None },
            Job::ExpireClicks { progress: ExpiryProgress::default() },
        ] {
            let kind = serde_json::to_value(&job).unwrap()["kind"].as_str().unwrap().to_owned();
            assert_eq!(Lane::ALL.iter().filter(|lane| lane.kinds().contains(&&*kind)).count(), 1, "{kind}");
        }
    }

    #[test]
    fn backoff_doubles_up_to_an_hour() {
        assert_eq!((0..4).map(backoff).collect::<Vec<_>>(), [5_000, 10_000, 20_000, 40_000]);
        assert_eq!(backoff(i32::MAX), HOUR);
    }
}
