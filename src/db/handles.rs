//! Handles that execute statements: each statement is counted, and waited for until its deadline at most.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use sea_orm::{
    ConnectionTrait, DatabaseBackend, DatabaseTransaction, DbErr, ExecResult, QueryResult, Statement,
    TransactionOptions, TransactionTrait,
};

use super::{
    health::Health,
    transaction::Transaction,
    watchdog::{Connections, Pool, has_ended, unanswered},
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
        // Boxed, since the futures of all callers contain it.
        let begun = Box::pin(self.ask(true, options, begin_on)).await;
        self.health.note_error(&begun, self.is_change);
        let (begun, connections) = begun?;
        Ok(Transaction::new(begun, connections, Arc::clone(&self.health), self.is_change))
    }

    /// Executes a statement on the current connections. A repeatable one has no effect by itself: if PostgreSQL has ended its
    /// connection, it is executed once more, on new connections, since most likely all others have ended as well.
    async fn ask<Q, T, F>(
        &self,
        is_repeatable: bool,
        statement: Q,
        execute: impl Fn(Arc<Connections>, Q) -> F,
    ) -> Result<T, DbErr>
    where
        Q: Clone,
        F: Future<Output = Result<T, DbErr>>,
    {
        let copy = (is_repeatable && self.pool.backend() == DatabaseBackend::Postgres).then(|| statement.clone());
        let connections = self.pool.current();
        let answer = connections.answer(execute(Arc::clone(&connections), statement)).await;
        let (Some(statement), true) = (copy, answer.as_ref().is_err_and(has_ended)) else { return answer };
        self.pool.replace(&connections).await;
        let connections = self.pool.current();
        connections.answer(execute(Arc::clone(&connections), statement)).await
    }
}

/// Begins a transaction on these connections.
async fn begin_on(
    connections: Arc<Connections>,
    options: TransactionOptions,
) -> Result<(DatabaseTransaction, Arc<Connections>), DbErr> {
    let database = connections.database().clone();
    let begin = async move { database.begin_with_options(options).await };
    let begun = if connections.database().get_database_backend() == DatabaseBackend::Postgres {
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
        task.await.map_err(|error| DbErr::Custom(error.to_string()))?
    } else {
        begin.await
    };
    begun.map(|begun| (begun, connections))
}

#[async_trait]
impl ConnectionTrait for Handle {
    fn get_database_backend(&self) -> DatabaseBackend {
        self.pool.backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        let _waiting = Waiting::enter(&self.waiting);
        let execute = |on: Arc<Connections>, statement| async move { on.database().execute_raw(statement).await };
        let answer = self.ask(!self.is_change, statement, execute).await;
        self.note(&answer);
        answer
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        let _waiting = Waiting::enter(&self.waiting);
        let execute = |on: Arc<Connections>, sql| async move { on.database().execute_unprepared(sql).await };
        let answer = self.ask(!self.is_change, sql, execute).await;
        self.note(&answer);
        answer
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        if self.is_change {
            // sqlx drops a statement after its first row. A change is committed only after its last one, and the error of that
            // commit would go unread.
            return Ok(self.query_all_raw(statement).await?.into_iter().next());
        }
        let query = |on: Arc<Connections>, statement| async move { on.database().query_one_raw(statement).await };
        let answer = self.ask(true, statement, query).await;
        self.health.note_error(&answer, false);
        answer
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        let _waiting = Waiting::enter(&self.waiting);
        let query = |on: Arc<Connections>, statement| async move { on.database().query_all_raw(statement).await };
        let answer = self.ask(!self.is_change, statement, query).await;
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
