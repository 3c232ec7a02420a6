//! A change: a transaction with a list of the cached data that its commit makes stale, and of what is to be done after it.

use std::ops::Deref;

use async_trait::async_trait;
use parking_lot::Mutex;
use sea_orm::{ConnectionTrait, DatabaseBackend, DbErr, ExecResult, QueryResult, Statement};
use uuid::Uuid;

use crate::{
    app::App,
    base::{clock::UnixMillis, error::ApiError, ids::AccountId},
    platform::{
        db::Transaction,
        idempotency::{once::forgotten, repo},
        work::{
            audit::{self, Act, By, Fact},
            jobs::{self, StoredJob},
        },
    },
    redirect::{invalidation, stale::Stale},
};

/// A transaction of the service, rolled back when it is dropped. See [`Transaction`] for what ends it.
pub(crate) struct Change<'a> {
    app: &'a App,
    tx: Transaction,
    by: By,
    effects: Mutex<Effects<'a>>,
}

/// Effects of a commit on the memory of nodes and on waiting workers.
#[derive(Default)]
struct Effects<'a> {
    stale: Vec<Stale>,
    after: Vec<Box<dyn FnOnce() + Send + 'a>>,
    has_jobs: bool,
    has_deliveries: bool,
    facts: Vec<Fact>,
}

impl App {
    /// Begins a change. Waits for the writer of SQLite.
    pub(crate) async fn begin(&self, by: impl Into<By>) -> Result<Change<'_>, DbErr> {
        let by = by.into();
        Ok(Change { app: self, tx: self.db.begin().await?, by, effects: Mutex::default() })
    }

    /// Begins the change of a request that may have an idempotency key. Fails with CONFLICT while the request is executed by
    /// another caller or node, and after it was: [`execute`](crate::app::idempotent::execute) then looks for its answer.
    pub(crate) async fn begin_once(&self, act: &Act) -> Result<Change<'_>, ApiError> {
        let change = self.begin(act).await?;
        if let Some(once) = &act.once {
            let is_first = repo::try_lock(&change, once).await?;
            if !is_first || repo::is_stored(&change, once, forgotten(self.clock.now())).await? {
                return Err(once.in_progress());
            }
        }
        Ok(change)
    }
}

impl<'a> Change<'a> {
    /// Notes cached data and tokens that no node may use once this is committed.
    pub(crate) fn evict(&self, stale: impl IntoIterator<Item = Stale>) {
        self.effects.lock().stale.extend(stale);
    }

    /// Enqueues a job for an account (`None`: for none), to be done from `run_at` on. It exists once this is committed.
    pub(crate) async fn enqueue(
        &self,
        job: StoredJob,
        account: impl Into<Option<AccountId>> + Send,
        run_at: UnixMillis,
    ) -> Result<(), DbErr> {
        jobs::enqueue(&self.tx, job, account.into(), run_at).await?;
        self.effects.lock().has_jobs = true;
        Ok(())
    }

    /// Moves a waiting job to this time, if it is due later.
    pub(crate) async fn bring_forward(&self, job: Uuid, run_at: UnixMillis) -> Result<(), DbErr> {
        jobs::bring_forward(&self.tx, job, run_at).await?;
        self.effects.lock().has_jobs = true;
        Ok(())
    }

    /// Notes that deliveries may be due once this is committed.
    pub(crate) fn deliver(&self) {
        self.effects.lock().has_deliveries = true;
    }

    /// Runs this after the commit, before the caller of [`commit`](Self::commit) continues.
    pub(crate) fn after(&self, effect: impl FnOnce() + Send + 'a) {
        self.effects.lock().after.push(Box::new(effect));
    }

    /// Adds the outcome, for a caller that commits the change, and what the change does.
    pub(crate) fn with<T>(self, value: T, facts: impl IntoIterator<Item = Fact>) -> Pending<'a, T> {
        self.effects.lock().facts.extend(facts);
        Pending { value, change: Some(self) }
    }

    /// Commits the transaction, which did this (`None`: nothing that the audit log takes). All nodes then evict what is stale, this one
    /// before this returns; then effects run, and workers are woken. After an error the change may be stored nevertheless: only the
    /// answer may be missing.
    pub(crate) async fn commit(self, facts: impl IntoIterator<Item = Fact>) -> Result<(), DbErr> {
        self.with((), facts).commit().await
    }

    async fn conclude(self) -> Result<(), DbErr> {
        let Change { app, tx, by, effects } = self;
        let effects = effects.into_inner();
        invalidation::commit(&app.redirects, tx, &effects.stale).await?;
        audit::log(&by, &effects.facts);
        effects.after.into_iter().for_each(|effect| effect());
        if effects.has_jobs {
            app.jobs_due.notify_waiters();
        }
        if effects.has_deliveries {
            app.deliveries_due.notify_one();
        }
        Ok(())
    }
}

impl Deref for Change<'_> {
    type Target = Transaction;

    fn deref(&self) -> &Transaction {
        &self.tx
    }
}

#[async_trait]
impl ConnectionTrait for Change<'_> {
    fn get_database_backend(&self) -> DatabaseBackend {
        self.tx.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.tx.execute_raw(statement).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.tx.execute_unprepared(sql).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.tx.query_one_raw(statement).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.tx.query_all_raw(statement).await
    }
}

/// The outcome of an operation whose change is still to be committed, with the answer to its idempotency key if it has one.
#[must_use]
pub(crate) struct Pending<'a, T> {
    pub(crate) value: T,
    /// `None`: nothing is to be committed.
    pub(crate) change: Option<Change<'a>>,
}

impl<'a, T> Pending<'a, T> {
    /// An outcome that has nothing to commit.
    pub(crate) fn settled(value: T) -> Self {
        Pending { value, change: None }
    }

    /// Converts the value. If that fails, the change is dropped, which rolls it back.
    pub(crate) fn try_map<U, E>(self, convert: impl FnOnce(T) -> Result<U, E>) -> Result<Pending<'a, U>, E> {
        Ok(Pending { value: convert(self.value)?, change: self.change })
    }

    /// Converts the value.
    pub(crate) fn map<U>(self, convert: impl FnOnce(T) -> U) -> Pending<'a, U> {
        Pending { value: convert(self.value), change: self.change }
    }

    /// Commits the change, and answers the value.
    pub(crate) async fn commit(self) -> Result<T, DbErr> {
        if let Some(change) = self.change {
            change.conclude().await?;
        }
        Ok(self.value)
    }
}
