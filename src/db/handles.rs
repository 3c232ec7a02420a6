//! Handles that execute statements: each statement is counted, and waited for until its deadline at most.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use sea_orm::{
    ConnectionTrait, DatabaseBackend, DbErr, ExecResult, QueryResult, Statement, TransactionOptions, TransactionTrait,
};

use super::{
    health::Health,
    transaction::Transaction,
    watchdog::{Pool, unanswered},
};

/// Executes single statements, and begins transactions.
#[derive(Clone, Debug)]
pub struct Handle {
    pool: Pool,
    health: Arc<Health>,
    /// Whether its statements may change something.
    is_change: bool,
    /// Number of callers that wait for their turn.
    waiting: Arc<AtomicUsize>,
}

impl Handle {
    pub(super) fn reading(pool: Pool, health: Arc<Health>) -> Self {
        Handle { pool, health, is_change: false, waiting: Arc::default() }
    }

    pub(super) fn writing(pool: Pool, health: Arc<Health>) -> Self {
        Handle { pool, health, is_change: true, waiting: Arc::default() }
    }

    pub(super) fn pool(&self) -> &Pool {
        &self.pool
    }

    pub(super) fn is_waited_for(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    pub(super) async fn begin(&self, options: TransactionOptions) -> Result<Transaction, DbErr> {
        let _waiting = Waiting::enter(&self.waiting);
        let connections = self.pool.current();
        let database = connections.database().clone();
        let begin = async move { database.begin_with_options(options).await };
        let begun = if self.pool.backend() == DatabaseBackend::Postgres {
            // A task of its own, so that it ends when its caller goes away: sqlx-postgres takes a connection on which BEGIN was
            // sent but not answered for one without a transaction (docs/upstream.md). Connections that have fallen silent are
            // never used again.
            let silent = Arc::clone(&connections);
            let task = tokio::spawn(async move {
                tokio::select! {
                    biased;
                    begun = begin => begun,
                    () = silent.silence() => Err(unanswered()),
                }
            });
            connections.answer(async { task.await.map_err(|error| DbErr::Custom(error.to_string()))? }).await
        } else {
            connections.answer(begin).await
        };
        self.health.note_error(&begun, self.is_change);
        Ok(Transaction::new(begun?, connections, Arc::clone(&self.health), self.is_change))
    }
}

#[async_trait]
impl ConnectionTrait for Handle {
    fn get_database_backend(&self) -> DatabaseBackend {
        self.pool.backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        let _waiting = Waiting::enter(&self.waiting);
        let connections = self.pool.current();
        let answer = connections.answer(connections.database().execute_raw(statement)).await;
        self.note(&answer);
        answer
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        let _waiting = Waiting::enter(&self.waiting);
        let connections = self.pool.current();
        let answer = connections.answer(connections.database().execute_unprepared(sql)).await;
        self.note(&answer);
        answer
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        if self.is_change {
            // sqlx drops a statement after its first row. A change is committed only after its last one, and the error of that
            // commit would go unread.
            return Ok(self.query_all_raw(statement).await?.into_iter().next());
        }
        let connections = self.pool.current();
        let answer = connections.answer(connections.database().query_one_raw(statement)).await;
        self.health.note_error(&answer, self.is_change);
        answer
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        let _waiting = Waiting::enter(&self.waiting);
        let connections = self.pool.current();
        let answer = connections.answer(connections.database().query_all_raw(statement)).await;
        self.health.note_error(&answer, self.is_change);
        answer
    }
}

impl Handle {
    fn note(&self, answer: &Result<ExecResult, DbErr>) {
        if self.is_change {
            self.health.note_change(answer);
        } else {
            self.health.note_error(answer, false);
        }
    }
}

/// Counts a change until it begins; a single statement, until it ends.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn enter(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Waiting(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
