//! Handles that execute statements: each statement is counted, and waited for until its deadline at most.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use sea_orm::{
    ConnectionTrait, DatabaseBackend, DbErr, ExecResult, QueryResult, RuntimeErr, Statement, TransactionOptions,
    TransactionTrait,
};

use super::{
    connections::{Taken, has_ended, unanswered},
    deadline,
    health::Health,
    log::log,
    pool::Pool,
    purpose::Purpose,
    transaction::{Begun, Transaction},
};

/// Executes single statements, and begins transactions.
#[derive(Clone, Debug)]
pub struct Handle {
    pool: Pool,
    health: Arc<Health>,
    /// Whether its statements may change something.
    is_change: bool,
    /// The connections that it takes. `None`: those of the running work.
    purpose: Option<Purpose>,
    /// Number of callers that wait for their turn.
    waiting: Arc<AtomicUsize>,
}

impl Handle {
    pub(super) fn new(pool: Pool, is_change: bool, health: Arc<Health>) -> Self {
        Handle { pool, health, is_change, purpose: None, waiting: Arc::default() }
    }

    /// The same database, over the connections of this purpose.
    pub(super) fn of(&self, purpose: Purpose) -> Self {
        Handle { purpose: Some(purpose), ..self.clone() }
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
        Ok(Transaction::new(begun?, Arc::clone(&self.health), self.is_change))
    }

    /// Executes a statement on a connection that is taken for it. A repeatable one has no effect by itself: if PostgreSQL has ended
    /// its connection, it is executed once more, on new connections, since most likely all others have ended as well.
    async fn ask<Q, T, F>(
        &self,
        is_repeatable: bool,
        statement: Q,
        execute: impl Fn(Arc<Taken>, Q) -> F,
    ) -> Result<T, DbErr>
    where
        Q: Clone,
        F: Future<Output = Result<T, DbErr>>,
    {
        if self.is_change && self.health.is_damaged() {
            return Err(distrusted());
        }
        let copy = (is_repeatable && self.pool.backend() == DatabaseBackend::Postgres).then(|| statement.clone());
        let taken = self.take().await?;
        let connections = Arc::clone(taken.connections());
        let answer = execute(taken, statement).await;
        let (Some(statement), true) = (copy, answer.as_ref().is_err_and(has_ended)) else { return answer };
        self.pool.replace(&connections).await;
        execute(self.take().await?, statement).await
    }

    async fn take(&self) -> Result<Arc<Taken>, DbErr> {
        self.pool.take(self.purpose.unwrap_or_else(deadline::purpose), self.is_change).await
    }
}

/// What a damaged database takes would be gone when it is replaced by a backup.
fn distrusted() -> DbErr {
    DbErr::Conn(RuntimeErr::Internal("the database is damaged, and takes no changes".to_owned()))
}

/// Begins a transaction on this connection.
async fn begin_on(taken: Arc<Taken>, options: TransactionOptions) -> Result<Begun, DbErr> {
    let on = Arc::clone(&taken);
    let begin = async move { on.database().begin_with_options(options).await };
    let begun = taken.whole_answer(async {
        if taken.backend() != DatabaseBackend::Postgres {
            return begin.await;
        }
        // A task of its own, so that it ends when its caller goes away: sqlx-postgres takes a connection on which BEGIN was
        // sent but not answered for one without a transaction (docs/upstream.md). Connections that have fallen silent are
        // never used again.
        let silent = Arc::clone(taken.connections());
        let task = tokio::spawn(async move {
            tokio::select! {
                biased;
                begun = begin => begun,
                () = silent.silence() => Err(unanswered()),
            }
        });
        task.await.map_err(|error| DbErr::Custom(error.to_string()))?
    });
    let begun = begun.await?;
    Ok(Begun { begun, taken })
}

#[async_trait]
impl ConnectionTrait for Handle {
    fn get_database_backend(&self) -> DatabaseBackend {
        self.pool.backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        log(&statement);
        let _waiting = Waiting::enter(&self.waiting);
        let execute = |on: Arc<Taken>, statement| async move { on.answer(on.database().execute_raw(statement)).await };
        let answer = self.ask(!self.is_change, statement, execute).await;
        self.note(&answer);
        answer
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        let _waiting = Waiting::enter(&self.waiting);
        let execute = |on: Arc<Taken>, sql| async move { on.answer(on.database().execute_unprepared(sql)).await };
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
        log(&statement);
        let query = |on: Arc<Taken>, statement| async move { on.answer(on.database().query_one_raw(statement)).await };
        let answer = self.ask(true, statement, query).await;
        self.health.note_error(&answer, false);
        answer
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        log(&statement);
        let _waiting = Waiting::enter(&self.waiting);
        let query = |on: Arc<Taken>, statement| async move { on.answer(on.database().query_all_raw(statement)).await };
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
