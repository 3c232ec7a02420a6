//! Connections that are replaced together, and what is done with one that a caller has taken: a statement whose caller goes away, or
//! whose deadline passes, is ended, so that nothing outlives its request.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU8, AtomicU64, Ordering},
    },
    time::Duration,
};

use parking_lot::Mutex;
use sea_orm::{
    ConnAcquireErr, ConnectOptions, ConnectionTrait, Database, DatabaseBackend, DatabaseConnection, DbErr, RuntimeErr,
    Statement, sqlx,
};
use tokio::{
    runtime::Handle,
    time::{Instant, timeout},
};
use tokio_util::sync::CancellationToken;

use super::{
    deadline::{self, count_statements, wait_for},
    interrupt::Interrupt,
    purpose::{Owner, PURPOSES, Purpose},
};
use crate::{
    base::{concurrency::FairPermit, error::database_code, metering::Meter},
    platform::api_threads::at_usual_priority,
};

/// How long a statement may take to end, with the connection that it leaves.
const END: Duration = Duration::from_secs(10);

/// The owner of work, with the purpose of the service's own.
pub(super) type Caller = (Owner, Purpose);

/// Connections that are replaced together.
pub(super) struct Connections {
    backend: DatabaseBackend,
    /// By purpose.
    slots: [Vec<Slot>; PURPOSES],
    /// Numbers of the connections that nobody has taken, by purpose: last the one that was given back last.
    idle: [Mutex<Vec<usize>>; PURPOSES],
    /// Statements that were answered.
    answers: AtomicU64,
    is_silent: CancellationToken,
    /// Asks PostgreSQL to end statements. `None` for SQLite.
    canceller: Option<DatabaseConnection>,
}

struct Slot {
    database: DatabaseConnection,
    interrupt: Arc<Interrupt>,
    /// Looks since it was used for the last time.
    unused: AtomicU8,
}

/// Looks after which a connection counts as unused.
const UNUSED: u8 = 2;

impl Connections {
    /// Opens the first connection, if asked to; the others are opened when they are needed.
    pub(super) async fn open(
        backend: DatabaseBackend,
        sizes: &[usize; PURPOSES],
        connect: &(impl Fn(Purpose, &Arc<Interrupt>) -> ConnectOptions + ?Sized),
        with_first: bool,
    ) -> Result<Self, DbErr> {
        let mut slots: [Vec<Slot>; PURPOSES] = Default::default();
        for (purpose, slots) in Purpose::ALL.into_iter().zip(&mut slots) {
            for number in 0..sizes[purpose as usize] {
                let interrupt = Arc::<Interrupt>::default();
                let mut options = connect(purpose, &interrupt);
                let is_first = purpose == Purpose::Requests && number == 0;
                options.max_connections(1).connect_lazy(!(with_first && is_first));
                slots.push(Slot {
                    database: Database::connect(options).await?,
                    interrupt,
                    unused: AtomicU8::new(UNUSED),
                });
            }
        }
        let idle = std::array::from_fn(|index| Mutex::new((0..slots[index].len()).rev().collect()));
        let mut canceller = None;
        if backend == DatabaseBackend::Postgres {
            let mut options = connect(Purpose::Probes, &Arc::default());
            options.max_connections(1).connect_lazy(true);
            canceller = Some(Database::connect(options).await?);
        }
        let (answers, is_silent) = (AtomicU64::new(0), CancellationToken::new());
        Ok(Connections { backend, slots, idle, answers, is_silent, canceller })
    }

    /// Takes a connection of a purpose, by its number. `None`: others have taken all.
    pub(super) fn take(
        self: Arc<Self>,
        index: usize,
        is_change: bool,
        place: FairPermit<Caller>,
    ) -> Option<Arc<Taken>> {
        let slot = self.pop(index)?;
        self.slots[index][slot].unused.store(0, Ordering::Relaxed);
        Some(Arc::new(Taken { connections: self, index, slot, is_change, _place: place }))
    }

    /// Connections of a purpose that have not been used since the look before this one.
    pub(super) fn unused(&self, index: usize) -> Vec<usize> {
        let has_become = |slot: &Slot| {
            let looks = slot.unused.fetch_add(1, Ordering::Relaxed);
            if looks >= UNUSED {
                slot.unused.store(UNUSED, Ordering::Relaxed);
            }
            looks == UNUSED - 1
        };
        let slots = self.slots[index].iter().enumerate();
        slots.filter(|(_, slot)| has_become(slot)).map(|(number, _)| number).collect()
    }

    /// Takes this connection. `None`: another has taken it.
    pub(super) fn take_slot(
        self: Arc<Self>,
        (index, slot): (usize, usize),
        place: FairPermit<Caller>,
    ) -> Option<Arc<Taken>> {
        let mut idle = self.idle[index].lock();
        let position = idle.iter().position(|number| *number == slot)?;
        idle.remove(position);
        drop(idle);
        Some(Arc::new(Taken { connections: self, index, slot, is_change: false, _place: place }))
    }

    /// The number of a connection that nobody has taken: one that is ready at once, else one that will be in a moment, since sqlx
    /// looks at each that comes back, else one that is yet to be opened.
    fn pop(&self, index: usize) -> Option<usize> {
        let mut idle = self.idle[index].lock();
        let state = |slot: &usize| {
            let database = &self.slots[index][*slot].database;
            match self.backend {
                DatabaseBackend::Postgres => {
                    let pool = database.get_postgres_connection_pool();
                    (pool.num_idle(), pool.size())
                }
                _ => {
                    let pool = database.get_sqlite_connection_pool();
                    (pool.num_idle(), pool.size())
                }
            }
        };
        let ready = idle.iter().rposition(|slot| state(slot).0 > 0);
        let position =
            ready.or_else(|| idle.iter().rposition(|slot| state(slot).1 > 0)).or(idle.len().checked_sub(1))?;
        Some(idle.remove(position))
    }

    /// The first connection, for work at the start of the service.
    pub(super) fn first(&self) -> &DatabaseConnection {
        &self.slots[Purpose::Requests as usize][0].database
    }

    /// Waits for an answer until the deadline of the running work, unless the database falls silent.
    pub(super) async fn answer<T>(&self, asked: impl Future<Output = Result<T, DbErr>>) -> Result<T, DbErr> {
        let answer = wait_for(async {
            tokio::select! {
                biased;
                answer = asked => answer,
                () = self.silence() => Err(unanswered()),
            }
        });
        let answer = answer.await.unwrap_or_else(|| Err(unanswered()));
        if answer.is_ok() {
            self.answers.fetch_add(1, Ordering::Relaxed);
        }
        answer
    }

    /// The connection that asks PostgreSQL to end statements.
    fn canceller(&self) -> Option<&DatabaseConnection> {
        self.canceller.as_ref()
    }

    /// Abandons these connections: their callers stop waiting.
    pub(super) fn abandon(&self) {
        self.is_silent.cancel();
    }

    /// Waits until these connections are abandoned, since PostgreSQL does not answer.
    pub(super) async fn silence(&self) {
        self.is_silent.cancelled().await;
    }

    pub(super) fn answers(&self) -> u64 {
        self.answers.load(Ordering::Relaxed)
    }

    /// Closes all connections, each as soon as its caller has given it back.
    pub(super) async fn close(&self) {
        let databases = self.slots.iter().flatten().map(|slot| &slot.database).chain(&self.canceller);
        for database in databases {
            if let Err(error) = database.close_by_ref().await {
                tracing::warn!(%error, "Closing a connection to the database failed");
            }
        }
    }
}

/// A connection that a caller has taken, given back when dropped.
pub(super) struct Taken {
    connections: Arc<Connections>,
    /// Number of the purpose.
    index: usize,
    slot: usize,
    is_change: bool,
    _place: FairPermit<Caller>,
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.connections.idle[self.index].lock().push(self.slot);
    }
}

impl std::fmt::Debug for Taken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Taken").field("purpose", &self.index).field("slot", &self.slot).finish_non_exhaustive()
    }
}

impl Taken {
    pub(super) fn backend(&self) -> DatabaseBackend {
        self.connections.backend
    }

    pub(super) fn connections(&self) -> &Arc<Connections> {
        &self.connections
    }

    pub(super) fn database(&self) -> &DatabaseConnection {
        &self.connections.slots[self.index][self.slot].database
    }

    fn interrupt(&self) -> &Interrupt {
        &self.connections.slots[self.index][self.slot].interrupt
    }

    /// Counts a statement, and waits for its result until the deadline of the running work. A statement that the caller does not wait
    /// for any more is ended, unless it changes an SQLite, whose one writer is never held for long.
    pub(super) async fn answer<T>(self: &Arc<Self>, asked: impl Future<Output = Result<T, DbErr>>) -> Result<T, DbErr> {
        if self.backend() == DatabaseBackend::Sqlite && self.is_change {
            return self.whole_answer(asked).await;
        }
        self.whole_answer(Running::until_answered(self, asked)).await
    }

    /// Counts a statement, and waits for its result until the deadline of the running work. A statement that nobody waits for any
    /// more goes on.
    pub(super) async fn whole_answer<T>(&self, asked: impl Future<Output = Result<T, DbErr>>) -> Result<T, DbErr> {
        count_statements(1);
        at_usual_priority(self.patient_answer(asked)).await
    }

    async fn patient_answer<T>(&self, asked: impl Future<Output = Result<T, DbErr>>) -> Result<T, DbErr> {
        // SQLite has no outages: only requests that read have a deadline. The wait for its writer is limited in `take`.
        if self.backend() == DatabaseBackend::Sqlite && (self.is_change || !deadline::is_request()) {
            return asked.await;
        }
        self.connections.answer(asked).await
    }
}

/// What a statement takes, which counts for the work that asked for it: on an SQLite processor time, and on a PostgreSQL, which does not
/// tell, the time until it has answered.
struct Time {
    meter: Arc<Meter>,
    began: Instant,
    /// Processor time that the connection's thread had taken before.
    before: Option<Duration>,
}

impl Time {
    /// Begins to measure a statement. `None`: the running work is not measured.
    fn begin(taken: &Taken) -> Option<Self> {
        let meter = Meter::of_running_work()?;
        Some(Time { meter, began: Instant::now(), before: taken.interrupt().taken() })
    }

    /// What it has taken until now.
    fn so_far(&self, taken: &Taken) -> Duration {
        if taken.backend() == DatabaseBackend::Postgres {
            return self.began.elapsed();
        }
        // A connection that was opened for the statement has a new thread.
        let (before, now) = (self.before.unwrap_or_default(), taken.interrupt().taken().unwrap_or_default());
        if now >= before { now - before } else { now }
    }
}

/// A statement under way, which is ended when this is dropped before it was answered.
struct Running(Option<(Arc<Taken>, Option<Time>)>);

impl Running {
    /// Waits for the answer of a statement on a taken connection.
    async fn until_answered<T>(taken: &Arc<Taken>, asked: impl Future<Output = Result<T, DbErr>>) -> Result<T, DbErr> {
        let mut running = Running(Some((Arc::clone(taken), Time::begin(taken))));
        let answer = asked.await;
        if let Some((taken, Some(time))) = running.0.take()
            && answer.is_ok()
        {
            time.meter.add(time.so_far(&taken));
        }
        answer
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let Some((taken, time)) = self.0.take() else { return };
        // Without a runtime, the service is ending.
        if let Ok(runtime) = Handle::try_current() {
            // Nobody else takes the connection meanwhile, so that no other statement is ended.
            runtime.spawn(end(taken, time));
        }
    }
}

/// Ends the statement, and waits until its connection can be used again. What it took counts, unless the database has fallen silent.
async fn end(taken: Arc<Taken>, time: Option<Time>) {
    let interrupt = taken.interrupt();
    let until_now = time.as_ref().map(|time| time.so_far(&taken)).unwrap_or_default();
    let ended = async {
        match taken.backend() {
            DatabaseBackend::Sqlite => interrupt.set(true),
            _ => cancel(&taken, &interrupt.name).await,
        }
        // Answered once the statement has ended, and a transaction that was open has been rolled back.
        if let Err(error) = taken.database().ping().await {
            tracing::debug!(%error, "A connection was lost with the statement that was ended on it");
        } else if let Some(time) = &time {
            let is_told = taken.backend() == DatabaseBackend::Sqlite;
            time.meter.add(if is_told { time.so_far(&taken) } else { until_now });
        }
    };
    tokio::select! {
        _ = timeout(END, ended) => {}
        () = taken.connections().silence() => {}
    }
    interrupt.set(false);
}

/// Asks PostgreSQL to end what the connection of this name executes.
async fn cancel(taken: &Taken, name: &str) {
    let sql = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND state = 'active'";
    let statement = Statement::from_sql_and_values(DatabaseBackend::Postgres, sql, [name.into()]);
    let Some(canceller) = taken.connections().canceller() else { return };
    if let Err(error) = canceller.execute_raw(statement).await {
        tracing::warn!(%error, "A statement whose caller has gone away could not be ended");
    }
}

/// The error of a statement without an answer: an outage, like a closed connection.
pub(super) fn unanswered() -> DbErr {
    DbErr::Conn(RuntimeErr::Internal("the database does not answer".to_owned()))
}

/// Whether a statement failed since its connection has ended: PostgreSQL was restarted, crashed or ended the session, or a
/// proxy closed the connection (<https://www.postgresql.org/docs/current/errcodes-appendix.html>, class 57), or since the pool of
/// its connections has been replaced. Failures to connect are not among them.
pub(super) fn has_ended(error: &DbErr) -> bool {
    match error {
        DbErr::ConnectionAcquire(ConnAcquireErr::ConnectionClosed) => true,
        DbErr::Exec(RuntimeErr::SqlxError(cause)) | DbErr::Query(RuntimeErr::SqlxError(cause)) => {
            matches!(**cause, sqlx::Error::Io(_))
                || database_code(error).is_some_and(|code| matches!(&*code, "57P01" | "57P02" | "57P05"))
        }
        _ => false,
    }
}
