//! What executes statements: each is counted, and none is waited for longer than it may take.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use sea_orm::{
    ConnectionTrait, DatabaseBackend, DatabaseTransaction, DbErr, ExecResult, QueryResult, Statement,
    TransactionOptions, TransactionTrait,
};

use super::pool::{Connections, Pool};

/// Executes single statements, and begins transactions.
#[derive(Clone, Debug)]
pub struct Handle {
    pool: Pool,
    /// Who waits for their turn.
    waiting: Arc<AtomicUsize>,
}

impl Handle {
    pub(super) fn new(pool: Pool) -> Self {
        Handle { pool, waiting: Arc::default() }
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
        let begun = connections.answer(connections.database().begin_with_options(options)).await?;
        Ok(Transaction { begun, connections })
    }

    pub(super) async fn ping(&self) -> Result<(), DbErr> {
        let connections = self.pool.current();
        connections.answer(connections.database().ping()).await
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
        connections.answer(connections.database().execute_raw(statement)).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        let _waiting = Waiting::enter(&self.waiting);
        let connections = self.pool.current();
        connections.answer(connections.database().execute_unprepared(sql)).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        let _waiting = Waiting::enter(&self.waiting);
        let connections = self.pool.current();
        connections.answer(connections.database().query_one_raw(statement)).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        let _waiting = Waiting::enter(&self.waiting);
        let connections = self.pool.current();
        connections.answer(connections.database().query_all_raw(statement)).await
    }
}

/// An open transaction; what is neither committed nor rolled back is rolled back when it is dropped.
#[derive(Debug)]
pub struct Transaction {
    begun: DatabaseTransaction,
    connections: Arc<Connections>,
}

impl Transaction {
    /// Stores all that was changed. When it fails, that may be stored nevertheless: only the answer may be missing.
    pub async fn commit(self) -> Result<(), DbErr> {
        self.connections.answer(self.begun.commit()).await
    }

    /// Undoes all that was changed.
    pub async fn rollback(self) -> Result<(), DbErr> {
        self.connections.answer(self.begun.rollback()).await
    }
}

#[async_trait]
impl ConnectionTrait for Transaction {
    fn get_database_backend(&self) -> DatabaseBackend {
        self.begun.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.connections.answer(self.begun.execute_raw(statement)).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.connections.answer(self.begun.execute_unprepared(sql)).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.connections.answer(self.begun.query_one_raw(statement)).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.connections.answer(self.begun.query_all_raw(statement)).await
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
