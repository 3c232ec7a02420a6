//! A transaction: either everything that it changed is stored, or nothing is.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use async_trait::async_trait;
use sea_orm::{ConnectionTrait, DatabaseBackend, DatabaseTransaction, DbErr, ExecResult, QueryResult, Statement};

use super::{
    connections::Taken,
    deadline::{Changing, in_snapshot, is_in_snapshot},
    health::Health,
    log::log,
};

/// An open transaction, rolled back when it is dropped.
///
/// The first statement that fails, or whose future is dropped before it is answered, ends the transaction: later statements
/// and the commit are refused. SQLite rolls a transaction back by itself when the disk is full, fails or interrupts it
/// (<https://sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction>), and would then store each later
/// statement for itself. PostgreSQL refuses later statements, but answers the commit of a failed transaction without an error
/// (<https://www.postgresql.org/docs/current/sql-commit.html>).
#[derive(Debug)]
pub struct Transaction {
    begun: Begun,
    health: Arc<Health>,
    /// `None`: it only reads.
    change: Option<Changing>,
    has_failed: AtomicBool,
}

/// A transaction that has begun, and the connection that it keeps, which is given back after it.
#[derive(Debug)]
pub(super) struct Begun {
    pub(super) begun: DatabaseTransaction,
    pub(super) taken: Arc<Taken>,
}

impl Transaction {
    /// Wraps a transaction that has begun. `is_change`: it may change something.
    pub(super) fn new(begun: Begun, health: Arc<Health>, is_change: bool) -> Self {
        Transaction { begun, health, change: is_change.then(Changing::begin), has_failed: AtomicBool::new(false) }
    }

    /// Stores all that was changed. After an error it may be stored nevertheless: only the answer may be missing. Fails, and
    /// stores nothing, when a statement of the transaction failed.
    pub async fn commit(self) -> Result<(), DbErr> {
        if self.has_failed.load(Ordering::Relaxed) {
            return Err(failed_before());
        }
        let Begun { begun, taken } = self.begun;
        let committed = taken.whole_answer(begun.commit()).await;
        if self.change.is_some() {
            self.health.note_change(&committed);
        }
        committed
    }

    /// Undoes all that was changed.
    pub async fn rollback(self) -> Result<(), DbErr> {
        // SQLite may have rolled it back already, and would call another ROLLBACK an error; dropping it suffices.
        if self.has_failed.load(Ordering::Relaxed) {
            return Ok(());
        }
        let Begun { begun, taken } = self.begun;
        taken.whole_answer(begun.rollback()).await
    }

    async fn execute<T>(&self, statement: impl Future<Output = Result<T, DbErr>> + Send) -> Result<T, DbErr> {
        if self.has_failed.load(Ordering::Relaxed) {
            return Err(failed_before());
        }
        let mut attempt = Attempt { has_failed: &self.has_failed, is_answered: false };
        let answer = self.begun.taken.answer(statement).await;
        attempt.is_answered = answer.is_ok();
        self.health.note_error(&answer, self.change.is_some());
        answer
    }
}

/// A statement under way; unless it is answered well, its transaction has failed.
struct Attempt<'a> {
    has_failed: &'a AtomicBool,
    is_answered: bool,
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        if !self.is_answered {
            self.has_failed.store(true, Ordering::Relaxed);
        }
    }
}

fn failed_before() -> DbErr {
    DbErr::Custom("a statement of the transaction failed before".to_owned())
}

#[async_trait]
impl ConnectionTrait for Transaction {
    fn get_database_backend(&self) -> DatabaseBackend {
        self.begun.begun.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        log(&statement);
        self.execute(self.begun.begun.execute_raw(statement)).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.execute(self.begun.begun.execute_unprepared(sql)).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        log(&statement);
        self.execute(self.begun.begun.query_one_raw(statement)).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        log(&statement);
        self.execute(self.begun.begun.query_all_raw(statement)).await
    }
}

/// A transaction in which all statements read the same state. It answers statements only within [`reading`](Self::reading), which can't
/// ask for another connection.
#[derive(Debug)]
pub struct Snapshot(Transaction);

impl Snapshot {
    pub(super) fn new(begun: Transaction) -> Self {
        Snapshot(begun)
    }

    /// Ends the snapshot.
    pub async fn rollback(self) -> Result<(), DbErr> {
        self.0.rollback().await
    }

    /// Runs work that reads in the snapshot.
    pub async fn reading<T>(&self, work: impl Future<Output = T>) -> T {
        in_snapshot(work).await
    }

    fn open(&self) -> &Transaction {
        debug_assert!(is_in_snapshot(), "a snapshot is read outside of `reading`");
        &self.0
    }
}

#[async_trait]
impl ConnectionTrait for Snapshot {
    fn get_database_backend(&self) -> DatabaseBackend {
        self.0.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.open().execute_raw(statement).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.open().execute_unprepared(sql).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.open().query_one_raw(statement).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.open().query_all_raw(statement).await
    }
}
