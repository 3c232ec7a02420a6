//! Connections to the database: some for each purpose, each taken by one caller at a time.
//!
//! Every connection is a pool of sqlx with one place, which connects when needed. So it is known which connection executes a
//! statement, and a statement whose caller goes away can be ended (`connections.rs`).

use std::{sync::Arc, time::Duration};

use parking_lot::RwLock;
use sea_orm::{ConnAcquireErr, ConnectOptions, ConnectionTrait, DatabaseBackend, DbErr};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::{
    connections::{Caller, Connections, Taken},
    deadline::{self, wait_for},
    interrupt::Interrupt,
    options::ACQUIRE_TIMEOUT,
    purpose::{Owner, PURPOSES, Purpose},
};
use crate::base::concurrency::{FairQueue, QueueSize};

/// Callers of one owner that wait for a connection of one purpose, at most: a document has up to some dozens of them.
const WAITING_EACH: usize = 4_096;
/// Callers that wait for a connection of one purpose, at most.
const WAITING: usize = 65_536;
/// How long abandoned connections may take to be closed; statements that are running on them may end meanwhile.
const CLOSE: Duration = Duration::from_secs(60);

/// Makes the options of one connection, whose statements can be ended by the given interrupt.
type Connect = dyn Fn(Purpose, &Arc<Interrupt>) -> ConnectOptions + Send + Sync;

/// The connections that are in use.
#[derive(Clone)]
pub(super) struct Pool(Arc<Shared>);

pub(super) struct Shared {
    connect: Box<Connect>,
    backend: DatabaseBackend,
    sizes: [usize; PURPOSES],
    places: [Arc<FairQueue<Caller>>; PURPOSES],
    current: RwLock<Arc<Connections>>,
    is_closed: CancellationToken,
}

impl Pool {
    /// Opens the first connection; the others are opened when they are needed. A purpose whose size is 0 uses those of
    /// [`Purpose::Requests`].
    pub(super) async fn open(
        backend: DatabaseBackend,
        sizes: [usize; PURPOSES],
        connect: impl Fn(Purpose, &Arc<Interrupt>) -> ConnectOptions + Send + Sync + 'static,
    ) -> Result<Self, DbErr> {
        let connections = Connections::open(backend, &sizes, &connect, true).await?;
        let places = Purpose::ALL.map(|purpose| {
            let places = sizes[purpose as usize];
            let share = if purpose.has_owners() { places.div_ceil(2) } else { places };
            FairQueue::new(QueueSize { places, share, waiting_of_one: WAITING_EACH, waiting_in_all: WAITING })
        });
        Ok(Pool(Arc::new(Shared {
            connect: Box::new(connect),
            backend,
            sizes,
            places,
            current: RwLock::new(Arc::new(connections)),
            is_closed: CancellationToken::new(),
        })))
    }

    /// Runs a task until the pool is closed.
    pub(super) fn run_until_closed(&self, task: impl Future<Output = ()> + Send + 'static) {
        let is_closed = self.0.is_closed.clone();
        tokio::spawn(async move { is_closed.run_until_cancelled(task).await });
    }

    pub(super) fn shared(&self) -> &Arc<Shared> {
        &self.0
    }

    pub(super) fn backend(&self) -> DatabaseBackend {
        self.0.backend
    }

    pub(super) fn current(&self) -> Arc<Connections> {
        self.0.current()
    }

    /// Takes a connection when it is the owner's turn. Fails when too many callers of the owner wait, and when the deadline of the
    /// running work passes. `is_change`: its statements may change something.
    pub(super) async fn take(&self, purpose: Purpose, is_change: bool) -> Result<Arc<Taken>, DbErr> {
        deadline::must_hold_nothing();
        let index = self.0.index(purpose);
        let caller = match deadline::owner() {
            Owner::Service => (Owner::Service, purpose),
            // Of its requests and scans, one alone can't take more of the one writer of an SQLite than the other.
            owner => (owner, Purpose::Requests),
        };
        let waiting = timeout(ACQUIRE_TIMEOUT, self.0.places[index].acquire(caller));
        let Some(Ok(Ok(place))) = wait_for(waiting).await else {
            return Err(DbErr::ConnectionAcquire(ConnAcquireErr::Timeout));
        };
        let connections = self.current();
        // There are as many places as connections.
        connections.take(index, is_change, place).ok_or(DbErr::ConnectionAcquire(ConnAcquireErr::Timeout))
    }

    /// Gives back the memory of connections to an SQLite that have not been used since the last time but one.
    pub(super) async fn shrink_unused(&self) -> Result<(), DbErr> {
        for purpose in Purpose::ALL {
            let index = purpose as usize;
            for slot in self.current().unused(index) {
                let Ok(place) = self.0.places[index].acquire((Owner::Service, purpose)).await else { continue };
                if let Some(taken) = self.current().take_slot((index, slot), place) {
                    taken.database().execute_unprepared("PRAGMA shrink_memory").await?;
                }
            }
        }
        Ok(())
    }

    /// Replaces these connections, of which PostgreSQL has ended one.
    pub(super) async fn replace(&self, connections: &Arc<Connections>) {
        self.0.replace(connections).await;
    }

    pub(super) async fn close(&self) {
        self.0.is_closed.cancel();
        self.current().close().await;
    }
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").field("backend", &self.0.backend).finish_non_exhaustive()
    }
}

impl Shared {
    fn index(&self, purpose: Purpose) -> usize {
        let own = purpose as usize;
        if self.sizes[own] > 0 { own } else { Purpose::Requests as usize }
    }

    pub(super) fn current(&self) -> Arc<Connections> {
        Arc::clone(&self.current.read())
    }

    /// Replaces these connections by new ones, which connect when needed, unless they have been replaced before.
    pub(super) async fn replace(&self, connections: &Arc<Connections>) {
        let Ok(new) = Connections::open(self.backend, &self.sizes, &self.connect, false).await else { return };
        {
            let mut current = self.current.write();
            if !Arc::ptr_eq(&current, connections) {
                return;
            }
            *current = Arc::new(new);
        }
        let left = Arc::clone(connections);
        tokio::spawn(async move { timeout(CLOSE, left.close()).await });
    }
}

#[cfg(test)]
mod tests {
    use libsqlite3_sys::{SQLITE_DBSTATUS_CACHE_USED, sqlite3_db_status};

    use super::*;
    use crate::{base::file, platform::db::sqlite};

    /// Bytes that a connection caches.
    #[expect(unsafe_code, reason = "no library tells it")]
    async fn cached(pool: &Pool) -> i32 {
        let taken = pool.take(Purpose::Scans, false).await.unwrap();
        let mut connection = taken.database().get_sqlite_connection_pool().acquire().await.unwrap();
        let mut handle = connection.lock_handle().await.unwrap();
        let (mut now, mut most) = (0, 0);
        // SAFETY: the handle is locked, and the pointers are of living locals.
        unsafe {
            let database = handle.as_raw_handle().as_ptr();
            sqlite3_db_status(database, SQLITE_DBSTATUS_CACHE_USED, &raw mut now, &raw mut most, 0);
        }
        now
    }

    #[tokio::test]
    async fn connections_that_are_not_used_any_more_give_their_memory_back() {
        let folder = std::env::temp_dir().join(format!("linkgraph-pool-{}", uuid::Uuid::now_v7()));
        file::create_folder(&folder).unwrap();
        let url = format!("sqlite://{}", folder.join("linkgraph.db").display());
        let mut one = [0; PURPOSES];
        one[Purpose::Requests as usize] = 1;
        let file = url.clone();
        let writer = Pool::open(DatabaseBackend::Sqlite, one, move |_, _| sqlite::writing(&file)).await.unwrap();
        let fill = "CREATE TABLE t AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 4000) \
                    SELECT x, zeroblob(1000) AS y FROM n";
        writer.current().first().execute_unprepared(fill).await.unwrap();
        let connect = move |purpose, interrupt: &Arc<Interrupt>| sqlite::reading(&url, purpose, interrupt);
        let pool = Pool::open(DatabaseBackend::Sqlite, [1; PURPOSES], connect).await.unwrap();
        let read = async || {
            let taken = pool.take(Purpose::Scans, false).await.unwrap();
            taken.database().execute_unprepared("SELECT sum(length(y)) FROM t").await.unwrap();
        };
        for _ in 0..2 {
            read().await;
            pool.shrink_unused().await.unwrap();
            let used = cached(&pool).await;
            assert!(used > 2_000_000, "it was used: {used}");
            pool.shrink_unused().await.unwrap();
            pool.shrink_unused().await.unwrap();
            assert!(cached(&pool).await < 200_000);
        }
        pool.close().await;
        writer.close().await;
        std::fs::remove_dir_all(folder).unwrap();
    }
}
