//! Work to do later: enqueued in the transaction of the change that asks for it, claimed with a lease, tried until it
//! succeeds.

use std::time::Duration;

use entity::job;
use sea_orm::{
    ActiveValue::{Set, Unchanged},
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect,
    sea_query::Expr,
};
use serde::{Serialize, de::DeserializeOwned};
use uuid::Uuid;

use crate::base::{clock::UnixMillis, ids::AccountId};

/// How long a job that can go on later runs before others have their turn. A service that stops waits for no turn to end.
pub(crate) const TURN: Duration = Duration::from_secs(2);

/// A group of jobs with a worker of its own: jobs that wait for a mail server do not delay purges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lane {
    name: &'static str,
    /// Jobs that a node does at once.
    pub(super) width: usize,
}

impl Lane {
    /// A lane in which a node does so many jobs at once.
    pub(crate) const fn new(name: &'static str, width: usize) -> Self {
        Lane { name, width }
    }

    /// Jobs of one account that a node does at once: half of all, so that no account keeps others waiting.
    pub(super) const fn share(self) -> usize {
        if self.width < 2 { 1 } else { self.width / 2 }
    }
}

/// A kind of work, by its payload. It stands where the work is asked for; who does it says so by
/// [`Run`](crate::app::jobs::Run).
pub(crate) trait Job: Serialize + DeserializeOwned + Send + 'static {
    /// Its kind in the table.
    const NAME: &'static str;

    /// The job as the table has it.
    fn stored(&self) -> Result<StoredJob, DbErr> {
        let payload = serde_json::to_string(self).map_err(|error| DbErr::Custom(error.to_string()))?;
        Ok(StoredJob { kind: Self::NAME, payload })
    }
}

/// Kind and payload of a job, as the table has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredJob {
    pub(super) kind: &'static str,
    /// JSON.
    pub(super) payload: String,
}

/// The outcome of a job that did not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    /// The job is done, and is deleted.
    Finished,
    /// The job runs again at this time.
    Again(UnixMillis),
    /// The job is replaced by this one, which runs at this time.
    Next(StoredJob, UnixMillis),
}

/// Reads the payload of a job of this kind.
pub(crate) fn parsed<J: Job>(payload: &str) -> Result<J, DbErr> {
    serde_json::from_str(payload).map_err(|error| DbErr::Custom(error.to_string()))
}

/// Enqueues a job for an account (`None`: for none), to be done from `run_at` on. It exists once the transaction commits.
pub(crate) async fn enqueue(
    tx: &impl ConnectionTrait,
    job: StoredJob,
    account: Option<AccountId>,
    run_at: UnixMillis,
) -> Result<(), DbErr> {
    let row = job::ActiveModel {
        id: Set(Uuid::now_v7()),
        kind: Set(job.kind.to_owned()),
        payload: Set(job.payload),
        account_id: Set(account.map(|account| account.0)),
        run_at: Set(run_at),
        attempts: Set(0),
        leased_until: Set(None),
        created_at: Set(run_at),
    };
    job::Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

/// Moves the time of a waiting job to `run_at`, if it is later. The time of a running job does not change: such a job may have read the
/// next due time before this commits, so it must run again soon.
pub(crate) async fn bring_forward(tx: &impl ConnectionTrait, job: Uuid, run_at: UnixMillis) -> Result<(), DbErr> {
    job::Entity::update_many()
        .col_expr(job::Column::RunAt, Expr::value(run_at))
        .filter(job::Column::Id.eq(job))
        .filter(job::Column::RunAt.gt(run_at))
        .exec(tx)
        .await?;
    Ok(())
}

/// Locks the row of a job until the transaction ends. Returns whether it still has this payload: another worker may have continued the
/// job after the lease of this one ended.
pub(crate) async fn lock_unchanged<J: Job + PartialEq>(
    tx: &impl ConnectionTrait,
    id: Uuid,
    job: &J,
) -> Result<bool, DbErr> {
    let row = job::Entity::find_by_id(id).lock_exclusive().one(tx).await?;
    // A payload may have been written with its fields in another order.
    row.filter(|row| row.kind == J::NAME).map_or(Ok(false), |row| Ok(parsed::<J>(&row.payload)? == *job))
}

/// Stores how far a job is, in the transaction of what it did so far.
pub(crate) async fn note_progress(tx: &impl ConnectionTrait, id: Uuid, job: &impl Job) -> Result<(), DbErr> {
    let progress = job::ActiveModel { id: Unchanged(id), payload: Set(job.stored()?.payload), ..Default::default() };
    job::Entity::update(progress).exec(tx).await.map(drop)
}
