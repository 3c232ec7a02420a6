//! Pools of connections that are replaced when PostgreSQL does not answer.
//!
//! A machine that loses its power or its network closes no connection: its clients wait until TCP gives up, if it ever does. So
//! does sqlx's pool, which reuses the slot of a connection only after that has answered once more (`Floating::return_to_pool`);
//! its hooks run earlier and can't prevent it. So a pool whose statements get no answers is abandoned, with its waiting callers,
//! and another one takes its place.

use std::{
    pin::pin,
    sync::{
        Arc, Weak,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use parking_lot::RwLock;
use sea_orm::{
    ConnAcquireErr, ConnectOptions, Database, DatabaseBackend, DatabaseConnection, DbErr, RuntimeErr,
    sqlx::{
        self, Connection,
        postgres::{PgConnectOptions, PgConnection},
    },
};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::{
    address,
    deadline::{count_statements, wait_for},
    options::ACQUIRE_TIMEOUT,
};
use crate::{api_threads::at_usual_priority, error::database_code};

/// How often PostgreSQL is pinged.
const BEAT: Duration = Duration::from_millis(500);
/// How long the response to a ping may take, which needs no lookup, lock or write.
const SILENCE: Duration = Duration::from_millis(1_500);
/// How long abandoned connections may take to be closed; statements that are running on them may end meanwhile.
const CLOSE: Duration = Duration::from_secs(60);

/// The connections that are in use.
#[derive(Clone, Debug)]
pub(super) struct Pool(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    options: ConnectOptions,
    backend: DatabaseBackend,
    current: RwLock<Arc<Connections>>,
    is_closed: CancellationToken,
}

/// The connections of one pool, which are replaced together.
#[derive(Debug)]
pub(super) struct Connections {
    database: DatabaseConnection,
    /// Statements that were answered.
    answers: AtomicU64,
    is_silent: CancellationToken,
}

impl Pool {
    pub(super) async fn open(options: ConnectOptions) -> anyhow::Result<Self> {
        let connections = Connections::open(options.clone()).await?;
        let backend = connections.database.get_database_backend();
        let current = RwLock::new(Arc::new(connections));
        Ok(Pool(Arc::new(Shared { options, backend, current, is_closed: CancellationToken::new() })))
    }

    /// Starts the watchdog, which pings PostgreSQL over a connection of its own and replaces the pool when it gets no answer.
    pub(super) fn watch(&self, options: PgConnectOptions) {
        self.run_until_closed(watch(Arc::downgrade(&self.0), options));
    }

    /// Runs a task until the pool is closed.
    pub(super) fn run_until_closed(&self, task: impl Future<Output = ()> + Send + 'static) {
        let is_closed = self.0.is_closed.clone();
        tokio::spawn(async move { is_closed.run_until_cancelled(task).await });
    }

    pub(super) fn backend(&self) -> DatabaseBackend {
        self.0.backend
    }

    pub(super) fn current(&self) -> Arc<Connections> {
        self.0.current()
    }

    /// Replaces these connections, of which PostgreSQL has ended one.
    pub(super) async fn replace(&self, connections: &Arc<Connections>) {
        self.0.replace(connections).await;
    }

    pub(super) async fn close(&self) -> Result<(), DbErr> {
        self.0.is_closed.cancel();
        self.current().database.close_by_ref().await
    }
}

impl Shared {
    fn current(&self) -> Arc<Connections> {
        Arc::clone(&self.current.read())
    }

    /// Replaces these connections by a new pool, which connects when needed, unless they have been replaced before.
    async fn replace(&self, connections: &Arc<Connections>) {
        let mut options = self.options.clone();
        options.connect_lazy(true);
        let Ok(new) = Connections::open(options).await else { return };
        {
            let mut current = self.current.write();
            if !Arc::ptr_eq(&current, connections) {
                return;
            }
            *current = Arc::new(new);
        }
        let left = Arc::clone(connections);
        tokio::spawn(async move { timeout(CLOSE, left.database.close_by_ref()).await });
    }
}

impl Connections {
    async fn open(options: ConnectOptions) -> Result<Self, DbErr> {
        let database = Database::connect(options).await?;
        Ok(Connections { database, answers: AtomicU64::new(0), is_silent: CancellationToken::new() })
    }

    pub(super) fn database(&self) -> &DatabaseConnection {
        &self.database
    }

    /// Waits until these connections are abandoned, since PostgreSQL does not answer.
    pub(super) async fn silence(&self) {
        self.is_silent.cancelled().await;
    }

    /// Counts a statement, and waits for its result until the deadline of the running work.
    pub(super) async fn answer<T>(&self, asked: impl Future<Output = Result<T, DbErr>>) -> Result<T, DbErr> {
        count_statements(1);
        at_usual_priority(self.patient_answer(asked)).await
    }

    async fn patient_answer<T>(&self, asked: impl Future<Output = Result<T, DbErr>>) -> Result<T, DbErr> {
        // SQLite has no outages, and a statement goes on when its caller stops waiting: only the wait for the writer is limited.
        if self.database.get_database_backend() == DatabaseBackend::Sqlite {
            return asked.await;
        }
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

    fn answers(&self) -> u64 {
        self.answers.load(Ordering::Relaxed)
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

/// The last sign of life from PostgreSQL.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Heard {
    Answer,
    /// A refused connection.
    Refusal,
    /// The end of the connection, and so most likely of all others.
    End,
    Nothing,
}

/// Pings PostgreSQL, and replaces the connections when it does not answer.
async fn watch(pool: Weak<Shared>, options: PgConnectOptions) {
    let (anew, address) = (|| connect(options.clone()), address::of_postgres(&options));
    let mut own: Option<PgConnection> = None;
    let mut last = Heard::Answer;
    loop {
        let Some(pool) = pool.upgrade() else { return };
        let connections = pool.current();
        let answers = || connections.answers();
        let heard = match &mut own {
            Some(own) => match sign(own.ping(), SILENCE, answers, anew).await {
                Some(Ok(())) => Heard::Answer,
                Some(Err(_)) => Heard::End,
                None => Heard::Nothing,
            },
            None => {
                // A busy server may take its time to let the first one in.
                let limit = if last == Heard::Answer { ACQUIRE_TIMEOUT } else { SILENCE };
                match sign(anew(), limit, answers, anew).await {
                    Some(Ok(connected)) => {
                        own = Some(connected);
                        Heard::Answer
                    }
                    // The pool is kept: its statements may still be answered.
                    Some(Err(_)) => Heard::Refusal,
                    None => Heard::Nothing,
                }
            }
        };
        if heard != Heard::Answer {
            own = None;
        }
        match (last, heard) {
            (Heard::Answer, Heard::Answer) => {}
            (Heard::Answer, _) => tracing::warn!(address, "The database is away"),
            (_, Heard::Answer) => tracing::info!("The database answers again"),
            _ => {}
        }
        if matches!(heard, Heard::Nothing | Heard::End) {
            pool.replace(&connections).await;
        }
        drop(pool);
        last = heard;
        if heard == Heard::Nothing {
            connections.is_silent.cancel();
            // No pause: the next ping is sent on a connection as new as those of the pool, and so shows whether these are answered.
            continue;
        }
        sleep(BEAT).await;
    }
}

/// Waits for the response to a ping, or for a connection. `None`: statements that were sent at the same time may never be answered, since
/// the response is late while no other statement is answered, or while new connections are.
async fn sign<T, C, A>(
    asked: impl Future<Output = T>,
    limit: Duration,
    answers: impl Fn() -> u64,
    anew: impl Fn() -> A,
) -> Option<T>
where
    A: Future<Output = Result<C, sqlx::Error>>,
{
    let mut asked = pin!(asked);
    loop {
        let before = answers();
        if let Ok(heard) = timeout(limit, &mut asked).await {
            return Some(heard);
        }
        // The answer is late. Others may be late as well, unless no query is answered, or only new connections are.
        if answers() == before {
            return None;
        }
        tokio::select! {
            biased;
            heard = &mut asked => return Some(heard),
            connected = timeout(limit, anew()) => {
                if matches!(connected, Ok(Ok(_))) {
                    return None;
                }
            }
        }
    }
}

async fn connect(options: PgConnectOptions) -> Result<PgConnection, sqlx::Error> {
    let mut connected = PgConnection::connect_with(&options).await?;
    connected.ping().await?;
    Ok(connected)
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use tokio::sync::Semaphore;

    use super::*;

    const PATIENCE: Duration = Duration::from_millis(50);

    /// How often somebody else was answered, whenever one asks.
    fn more() -> impl Fn() -> u64 {
        let answers = AtomicU64::new(0);
        move || answers.fetch_add(1, Ordering::Relaxed)
    }

    #[tokio::test]
    async fn a_late_ping_is_awaited_while_statements_are_answered_unless_a_new_connection_is_faster() {
        let at_once = || ready(Ok(()));
        let never = pending::<Result<(), _>>;
        assert_eq!(sign(ready(1), PATIENCE, || 0, never).await, Some(1));
        // Nobody is answered.
        assert_eq!(sign(pending::<()>(), PATIENCE, || 0, at_once).await, None);
        // The pending request is lost, while others and new connections are answered.
        assert_eq!(sign(pending::<()>(), PATIENCE, more(), at_once).await, None);
        // All is slow: it comes when others have tried to connect.
        for tries in 1..4 {
            let tried = Semaphore::new(0);
            let late = async { tried.acquire_many(tries).await.map(|_| ()).unwrap() };
            let anew = || {
                tried.add_permits(1);
                pending::<Result<(), _>>()
            };
            assert_eq!(sign(late, PATIENCE, more(), anew).await, Some(()));
        }
    }
}
