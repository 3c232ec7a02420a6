//! Claims due jobs and runs them.

use std::{pin::pin, sync::Arc, time::Duration};

use entity::job;
use futures_util::{
    future::BoxFuture,
    stream::{FuturesUnordered, StreamExt},
};
use parking_lot::Mutex;
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::{Expr, LockBehavior, LockType},
};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    base::{
        clock::{Clock, HOUR, Millis, SECOND, UnixMillis},
        error::ApiError,
    },
    platform::{
        db::{Db, Polling, filled_up},
        work::{
            jobs::{Done, Lane},
            places::Places,
        },
    },
};

/// How long a job is leased, in milliseconds: another worker takes over the jobs of a crashed one within a minute.
const LEASE: Millis = 50 * SECOND;
/// How often leases are renewed. A lease outlasts a few failed renewals.
const RENEWAL: Duration = Duration::from_secs(10);
/// How often to look for due jobs without a notification.
const POLL: Duration = Duration::from_millis(500);

/// A function that runs the job of this id, kind and payload. A job has the same id each time.
pub(crate) type Perform = dyn Fn(Uuid, &str, &str) -> BoxFuture<'static, Result<Done, ApiError>> + Send + Sync;

/// The dependencies of a worker.
#[derive(Clone)]
pub(crate) struct Queue {
    pub(crate) db: Db,
    pub(crate) clock: Clock,
    pub(crate) lane: Lane,
    /// The kinds of the lane's jobs.
    pub(crate) kinds: Vec<&'static str>,
    /// Notified when there may be jobs to do.
    pub(crate) due: Arc<Notify>,
    /// Runs a job. After an error the job is retried later.
    pub(crate) perform: Arc<Perform>,
}

/// Runs the jobs of a lane until told to stop. A job is claimed when a place is free for it, however long others take.
pub(crate) async fn run(queue: Queue, stop: CancellationToken) {
    let mut polling = Polling::new(&queue.db, &queue.clock, POLL);
    // When the last lease ends that may not be released before: of a process that crashed, or of a job whose outcome could not be stored.
    let mut last_stray = queue.clock.now() + LEASE;
    let (mut places, mut work) = (Places::new(queue.lane), FuturesUnordered::new());
    while !stop.is_cancelled() {
        polling.begin();
        let now = queue.clock.now();
        // Work goes on meanwhile: the database may not answer for seconds.
        let mut ended: Vec<Ended> = Vec::new();
        let looked = {
            let mut looking = pin!(look(&queue, &places, now));
            loop {
                tokio::select! {
                    looked = &mut looking => break looked,
                    Some(end) = work.next() => ended.push(end),
                }
            }
        };
        let has_claimed = matches!(looked, Ok(Looked::Claimed(_)));
        let due = match looked {
            Ok(Looked::Claimed(jobs)) => {
                for job in jobs {
                    places.begin(job.account_id);
                    work.push(attempt(&queue, job, Lease::until(now + LEASE)));
                }
                Some(now)
            }
            Ok(Looked::Full) => None,
            Ok(Looked::Due(due)) => {
                if due.is_none_or(|due| due > now) {
                    places.rest();
                }
                due.into_iter().chain(Some(last_stray).filter(|end| *end > now)).min()
            }
            Err(_) => {
                // A claim may have been committed.
                last_stray = now + LEASE;
                Some(now)
            }
        };
        if ended.is_empty() && !has_claimed {
            tokio::select! {
                () = stop.cancelled() => {}
                Some(end) = work.next() => ended.push(end),
                () = queue.due.notified() => {}
                () = polling.wait(due) => {}
            }
        }
        for Ended { account, is_noted } in ended {
            places.end(account);
            if !is_noted {
                last_stray = queue.clock.now() + LEASE;
            }
        }
    }
    // A service that stops waits for them as long as it waits for anything.
    while work.next().await.is_some() {}
}

/// The outcome of a look for jobs.
enum Looked {
    /// Due jobs, leased from the time of the look on.
    Claimed(Vec<job::Model>),
    /// All places are taken.
    Full,
    /// No jobs were claimed; when to expect the next due job of an account that may have a place. `None`: there is none.
    Due(Option<UnixMillis>),
}

/// Jobs of a kind that no worker has a lease of, in the order of their times, but those of some accounts.
fn unleased(kind: &'static str, passed_over: &[Uuid], now: UnixMillis) -> Select<job::Entity> {
    let is_free = Condition::any().add(job::Column::LeasedUntil.is_null()).add(job::Column::LeasedUntil.lte(now));
    let of_kind = job::Entity::find().filter(job::Column::Kind.eq(kind)).filter(is_free);
    let of_others = match passed_over {
        [] => of_kind,
        // Repetitions keep the number of different statements small.
        accounts => {
            let has_turn = job::Column::AccountId.is_not_in(filled_up(accounts.to_vec()));
            of_kind.filter(Condition::any().add(job::Column::AccountId.is_null()).add(has_turn))
        }
    };
    of_others.order_by_asc(job::Column::RunAt)
}

/// Takes a lease on due jobs, as many as there are places: first of accounts that were not served lately. Looks first without writing: an
/// idle service does not disturb SQLite's writer.
async fn look(queue: &Queue, places: &Places, now: UnixMillis) -> Result<Looked, ApiError> {
    if places.free() == 0 {
        return Ok(Looked::Full);
    }
    let mut first = None;
    for passed_over in places.passed_over() {
        first = None;
        // One query per kind: the index orders jobs by time only within a kind.
        for kind in &queue.kinds {
            let due = unleased(kind, &passed_over, now).select_only().column(job::Column::RunAt).limit(1);
            let due: Option<UnixMillis> = due.into_tuple().one(queue.db.read()).await?;
            first = first.into_iter().chain(due.map(|due| (due, *kind))).min();
        }
        if let Some((due, kind)) = first
            && due <= now
        {
            let jobs = claim(queue, places, kind, &passed_over, now).await?;
            // None: another node has claimed them.
            return Ok(if jobs.is_empty() { Looked::Due(Some(now)) } else { Looked::Claimed(jobs) });
        }
    }
    Ok(Looked::Due(first.map(|(due, _)| due)))
}

/// Takes a lease on jobs of a kind that are due. No account gets more of them than it may have places.
async fn claim(
    queue: &Queue,
    places: &Places,
    kind: &'static str,
    passed_over: &[Uuid],
    now: UnixMillis,
) -> Result<Vec<job::Model>, ApiError> {
    let tx = queue.db.begin().await?;
    let due = unleased(kind, passed_over, now).filter(job::Column::RunAt.lte(now)).limit(places.free() as u64);
    let due = due.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked).all(&tx).await?;
    let (mut with_these, mut jobs) = (places.clone(), Vec::new());
    for job in due {
        if with_these.may_begin(job.account_id) {
            with_these.begin(job.account_id);
            jobs.push(job);
        }
    }
    if jobs.is_empty() {
        return Ok(jobs);
    }
    job::Entity::update_many()
        .col_expr(job::Column::LeasedUntil, Expr::value(now + LEASE))
        .filter(job::Column::Id.is_in(jobs.iter().map(|job| job.id)))
        .exec(&tx)
        .await?;
    tx.commit().await?;
    Ok(jobs)
}

/// The lease of a job, identified by its end. A job whose stored end is another was claimed by
/// another worker; a job without an end is free.
struct Lease {
    /// The end that is stored; several after renewals that failed, each of which may have been stored.
    ends: Mutex<Vec<UnixMillis>>,
}

impl Lease {
    fn until(end: UnixMillis) -> Self {
        Self { ends: Mutex::new(vec![end]) }
    }

    fn ends(&self) -> Vec<UnixMillis> {
        self.ends.lock().clone()
    }
}

/// Renews the lease while it is held, for ever.
async fn renew(queue: &Queue, job: Uuid, lease: &Lease) {
    loop {
        tokio::time::sleep(RENEWAL).await;
        let renewed = queue.clock.now() + LEASE;
        let held = job::Entity::update_many()
            .col_expr(job::Column::LeasedUntil, Expr::value(renewed))
            .filter(job::Column::Id.eq(job))
            .filter(job::Column::LeasedUntil.is_in(lease.ends()));
        lease.ends.lock().push(renewed);
        match held.exec(queue.db.write()).await {
            Ok(_) => *lease.ends.lock() = vec![renewed],
            Err(error) => tracing::warn!(%error, "The lease of a job could not be renewed"),
        }
    }
}

/// A job that has ended.
struct Ended {
    account: Option<Uuid>,
    /// Whether its outcome was stored.
    is_noted: bool,
}

/// Performs a job and stores its outcome, and renews its lease meanwhile.
async fn attempt(queue: &Queue, job: job::Model, lease: Lease) -> Ended {
    let (id, account) = (job.id, job.account_id);
    let is_noted = tokio::select! {
        is_noted = complete(queue, job, &lease) => is_noted,
        () = renew(queue, id, &lease) => false,
    };
    Ended { account, is_noted }
}

/// Performs a job and stores its outcome. Returns `false` if storing it failed. When the lease has ended and another worker has the job,
/// nothing is stored: the other worker stores the outcome.
async fn complete(queue: &Queue, job: job::Model, lease: &Lease) -> bool {
    let noted = match (queue.perform)(job.id, &job.kind, &job.payload).await {
        Ok(Done::Finished) => store(queue, &job, lease, None).await,
        Ok(Done::Again(run_at)) => store(queue, &job, lease, Some(free(run_at, 0))).await,
        Ok(Done::Next(next, run_at)) => {
            let (kind, payload) = (Set(next.kind.to_owned()), Set(next.payload));
            store(queue, &job, lease, Some(job::ActiveModel { kind, payload, ..free(run_at, 0) })).await
        }
        Err(error) => {
            let wait = backoff(job.attempts);
            tracing::warn!(job.id = %job.id, job.kind, code = error.code.as_str(), wait, "A job failed and will be tried again");
            let again = free(queue.clock.now() + wait, job.attempts.saturating_add(1));
            store(queue, &job, lease, Some(again)).await
        }
    };
    match &noted {
        Ok(true) => {}
        Ok(false) => tracing::warn!(job.id = %job.id, job.kind, "The lease of a job ended, and another worker has it"),
        // The lease ends by itself, and the job is tried again.
        Err(error) => tracing::warn!(job.id = %job.id, %error, "The outcome of a job could not be stored"),
    }
    noted.is_ok()
}

/// A job that any worker may claim from this time on.
fn free(run_at: UnixMillis, attempts: i32) -> job::ActiveModel {
    job::ActiveModel { run_at: Set(run_at), attempts: Set(attempts), leased_until: Set(None), ..Default::default() }
}

/// Changes the job, or deletes it. `false`: another worker has it, and nothing was changed.
async fn store(
    queue: &Queue,
    job: &job::Model,
    lease: &Lease,
    change: Option<job::ActiveModel>,
) -> Result<bool, DbErr> {
    loop {
        let ends = lease.ends();
        let is_held =
            Condition::all().add(job::Column::Id.eq(job.id)).add(job::Column::LeasedUntil.is_in(ends.iter().copied()));
        let rows = match change.clone() {
            Some(change) => {
                job::Entity::update_many().set(change).filter(is_held).exec(queue.db.write()).await?.rows_affected
            }
            None => job::Entity::delete_many().filter(is_held).exec(queue.db.write()).await?.rows_affected,
        };
        if rows > 0 {
            return Ok(true);
        }
        // Unless the lease was renewed meanwhile.
        if lease.ends() == ends {
            return Ok(false);
        }
    }
}

/// The wait before a failed job is retried, in milliseconds: 5 s, 10 s, 20 s, … at most an hour.
fn backoff(attempts: i32) -> Millis {
    (5 * SECOND).saturating_mul(1 << attempts.clamp(0, 12)).min(HOUR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backoff_doubles_up_to_an_hour() {
        assert_eq!((0..4).map(backoff).collect::<Vec<_>>(), [5_000, 10_000, 20_000, 40_000]);
        assert_eq!(backoff(i32::MAX), HOUR);
    }
}
