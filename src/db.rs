//! Connections: one database behind two handles, so that SQLite's single writer queues in process instead of failing
//! with `SQLITE_BUSY`.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use anyhow::{Context, bail};
use async_trait::async_trait;
use migration::{Migration, Migrator, MigratorTrait as _};
use sea_orm::{
    AccessMode, ConnectOptions, ConnectionTrait, Database, DatabaseBackend, DatabaseConnection, DatabaseTransaction,
    DbErr, ExecResult, IsolationLevel, QueryResult, SqliteTransactionMode, Statement, TransactionOptions,
    TransactionTrait, Value,
    sea_query::{ArrayType, Expr, Query, SelectStatement, UnionType},
    sqlx::sqlite,
};

use crate::config::Config;

/// How long a request waits for a connection before it is told to come back.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(4);
/// SQLite before this has a bug that can corrupt a WAL database (<https://sqlite.org/changes.html>, 3.51.3).
const MIN_SQLITE: [u32; 3] = [3, 51, 3];
/// KiB that a connection to SQLite caches at most, negative as SQLite wants it: one that reads, and the one that writes. What
/// a long transaction changes has to fit, or it is written more than once.
const CACHE: (&str, &str) = ("-16384", "-65536");
/// Rows of one statement: SQLite takes 32,766 parameters, PostgreSQL 65,535.
pub const ROWS_PER_STATEMENT: usize = 500;
/// Key of the lock that a migrating node holds (`pg_advisory_xact_lock`): "linkgrph" in ASCII.
const MIGRATION_LOCK: i64 = i64::from_be_bytes(*b"linkgrph");
/// Rows of the statements that [`on_rows`] makes for SQLite.
const STATEMENT_LENGTHS: [usize; 4] = [512, 64, 8, 1];

/// How soon PostgreSQL gives up a node that vanished in the middle of a transaction, as a machine without power does: until
/// then its locks keep others waiting. Transactions of ours pause for milliseconds.
const GIVEN_UP: [(&str, &str); 5] = [
    ("idle_in_transaction_session_timeout", "4s"),
    ("tcp_user_timeout", "20s"),
    ("tcp_keepalives_idle", "10"),
    ("tcp_keepalives_interval", "5"),
    ("tcp_keepalives_count", "2"),
];

tokio::task_local! {
    /// Statements that the running request has executed.
    static STATEMENTS: std::cell::Cell<u64>;
}

/// Runs a request's future and tells how many SQL statements it executed.
pub async fn counting<T>(work: impl Future<Output = T>) -> (T, u64) {
    STATEMENTS
        .scope(std::cell::Cell::new(0), async {
            let output = work.await;
            (output, STATEMENTS.with(std::cell::Cell::get))
        })
        .await
}

/// Adds to the statements of the running request, if there is one: what was executed for it elsewhere.
pub fn count_statements(statements: u64) {
    // Outside a request there is nobody to count for.
    let _ = STATEMENTS.try_with(|count| count.set(count.get() + statements));
}

/// The database.
#[derive(Clone, Debug)]
pub struct Db {
    read: DatabaseConnection,
    write: Writer,
}

impl Db {
    /// Connects, checks the server, and applies the migrations unless told not to.
    pub async fn connect(config: &Config) -> anyhow::Result<Self> {
        let db = if config.database_url.starts_with("sqlite:") {
            std::fs::create_dir_all(&config.data_dir)
                .with_context(|| format!("LINKGRAPH_DATA_DIR: can't create {}", config.data_dir.display()))?;
            // The writer comes first: it creates the file and switches it to WAL.
            let write = open(sqlite_options(&config.database_url, 1, CACHE.1)).await?;
            let read = open(sqlite_options(&config.database_url, parallelism(), CACHE.0)).await?;
            Db { read, write: Writer::new(write) }
        } else {
            let both = open(postgres_options(&config.database_url)).await?;
            Db { read: both.clone(), write: Writer::new(both) }
        };
        db.check_version().await?;
        if config.auto_migrate {
            db.migrate(config).await?;
        } else if !db.pending_migrations().await?.is_empty() {
            bail!("DATABASE_URL: the database is older than this linkgraph; `linkgraph migrate` brings it up to date");
        }
        Ok(db)
    }

    /// Applies all pending migrations. Of several nodes that start at once, one does, and the others wait.
    pub async fn migrate(&self, config: &Config) -> anyhow::Result<()> {
        if self.pending_migrations().await?.is_empty() {
            return Ok(());
        }
        // SQLite's other processes are refused before they come here.
        if self.backend() != DatabaseBackend::Postgres {
            return apply(&self.write.connection).await;
        }
        // Connections of its own: an index may take longer than any statement of a request may.
        let mut options = common(&config.database_url, 2);
        options.connect_timeout(ACQUIRE_TIMEOUT);
        let connection = open(options).await?;
        let lock = connection.begin().await?;
        lock.execute_unprepared(&format!("SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")).await?;
        // Another node may have applied them meanwhile, and more than this one knows.
        let applied = match self.pending_migrations().await {
            Ok(pending) if pending.is_empty() => Ok(()),
            Ok(_) => apply(&connection).await,
            Err(error) => Err(error),
        };
        lock.rollback().await?;
        connection.close().await?;
        applied
    }

    /// Migrations that the database lacks. Fails when it has more than this version knows.
    async fn pending_migrations(&self) -> anyhow::Result<Vec<Migration>> {
        match Migrator::get_pending_migrations_read_only(&self.write.connection).await {
            Err(DbErr::Custom(_)) => {
                bail!("DATABASE_URL: a newer linkgraph has changed the database; this one is too old for it")
            }
            pending => pending.context("DATABASE_URL: can't read which migrations the database has"),
        }
    }

    /// Reverts all migrations: for tests of `down`.
    pub async fn revert(&self) -> Result<(), DbErr> {
        Migrator::down(&self.write.connection, None).await
    }

    /// For statements that only read.
    pub fn read(&self) -> &DatabaseConnection {
        &self.read
    }

    /// For one changing statement that needs no transaction of its own.
    pub fn write(&self) -> &Writer {
        &self.write
    }

    /// Opens the transaction of a change. Immediate on SQLite: a deferred one that reads first fails at its first
    /// write whenever another has written meanwhile, whatever `busy_timeout` says.
    pub async fn begin(&self) -> Result<DatabaseTransaction, DbErr> {
        let _waiting = Waiting::enter(&self.write.waiting);
        self.write
            .connection
            .begin_with_options(TransactionOptions {
                sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
                ..Default::default()
            })
            .await
    }

    /// Opens a transaction in which all statements read the same state.
    pub async fn snapshot(&self) -> Result<DatabaseTransaction, DbErr> {
        // SQLite's transactions are always so.
        let is_postgres = self.backend() == DatabaseBackend::Postgres;
        self.read
            .begin_with_options(TransactionOptions {
                isolation_level: is_postgres.then_some(IsolationLevel::RepeatableRead),
                access_mode: is_postgres.then_some(AccessMode::ReadOnly),
                ..Default::default()
            })
            .await
    }

    /// Whether a change waits for another to end.
    pub fn is_waited_for(&self) -> bool {
        self.write.waiting.load(Ordering::Relaxed) > 0
    }

    /// Which database it is.
    pub fn backend(&self) -> DatabaseBackend {
        self.read.get_database_backend()
    }

    /// Whether both handles answer.
    pub async fn ping(&self) -> Result<(), DbErr> {
        self.read.ping().await?;
        self.write.connection.ping().await
    }

    /// Closes all connections; on SQLite this checkpoints the WAL.
    pub async fn close(self) {
        for (name, connection) in [("read", self.read), ("write", self.write.connection)] {
            if let Err(error) = connection.close().await {
                tracing::warn!(%error, name, "Closing the database failed");
            }
        }
    }

    async fn check_version(&self) -> anyhow::Result<()> {
        if self.backend() != DatabaseBackend::Sqlite {
            return Ok(());
        }
        let row = self
            .read
            .query_one_raw(Statement::from_string(DatabaseBackend::Sqlite, "SELECT sqlite_version()"))
            .await?
            .context("SQLite does not tell its version")?;
        let version: String = row.try_get_by_index(0)?;
        let parts: Vec<u32> = version.split('.').filter_map(|part| part.parse().ok()).collect();
        if parts < MIN_SQLITE.to_vec() {
            bail!("SQLite {version} can corrupt a WAL database: 3.51.3 or newer is needed");
        }
        Ok(())
    }
}

async fn apply(connection: &DatabaseConnection) -> anyhow::Result<()> {
    Migrator::up(connection, None).await.context("DATABASE_URL: the migrations failed")
}

/// Executes single statements on the connection that writes.
#[derive(Clone, Debug)]
pub struct Writer {
    connection: DatabaseConnection,
    /// Changes that wait for their turn.
    waiting: Arc<AtomicUsize>,
}

impl Writer {
    fn new(connection: DatabaseConnection) -> Self {
        Writer { connection, waiting: Arc::default() }
    }
}

#[async_trait]
impl ConnectionTrait for Writer {
    fn get_database_backend(&self) -> DatabaseBackend {
        self.connection.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        let _waiting = Waiting::enter(&self.waiting);
        self.connection.execute_raw(statement).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        let _waiting = Waiting::enter(&self.waiting);
        self.connection.execute_unprepared(sql).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        let _waiting = Waiting::enter(&self.waiting);
        self.connection.query_one_raw(statement).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        let _waiting = Waiting::enter(&self.waiting);
        self.connection.query_all_raw(statement).await
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

/// Statements on a list of rows, as few as the database takes at once. `sql` gets the rows as a table that can stand after
/// `FROM`, with the columns `column1`, `column2` and so on, of these types. None of the values may be null.
pub fn on_rows<const N: usize>(
    backend: DatabaseBackend,
    types: [&str; N],
    rows: Vec<[Value; N]>,
    sql: impl Fn(&str) -> String,
) -> Vec<Statement> {
    if backend == DatabaseBackend::Postgres {
        return if rows.is_empty() { Vec::new() } else { vec![on_arrays(types, rows, sql)] };
    }
    let mut statements = Vec::new();
    let mut rows = rows.into_iter();
    // Of few lengths, which the connection keeps prepared: each other one would be parsed anew.
    for length in STATEMENT_LENGTHS {
        let row = format!("({})", vec!["?"; N].join(", "));
        while rows.len() >= length {
            let text = sql(&format!("(VALUES {})", vec![row.as_str(); length].join(", ")));
            let values = rows.by_ref().take(length).flatten();
            statements.push(Statement::from_sql_and_values(backend, text, values));
        }
    }
    statements
}

/// One array a column: the statement is the same for any number of rows.
fn on_arrays<const N: usize>(types: [&str; N], rows: Vec<[Value; N]>, sql: impl Fn(&str) -> String) -> Statement {
    let mut columns = types.map(|_| Vec::with_capacity(rows.len()));
    for row in rows {
        columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
    }
    let numbered = |text: fn(usize, &str) -> String| {
        (1..).zip(types).map(|(number, kind)| text(number, kind)).collect::<Vec<_>>().join(", ")
    };
    let arrays = numbered(|number, kind| format!("${number}::{kind}[]"));
    let names = numbered(|number, _| format!("column{number}"));
    let values = columns.into_iter().map(|column| {
        let kind = column.first().map_or(ArrayType::String, Value::array_type);
        Value::Array(kind, Some(Box::new(column)))
    });
    let table = format!("(SELECT * FROM unnest({arrays}) AS listed ({names}))");
    Statement::from_sql_and_values(DatabaseBackend::Postgres, sql(&table), values)
}

/// Repeats the last of a list in which that does not matter, up to a length of which statements are kept prepared.
pub fn filled_up<T: Clone>(mut list: Vec<T>) -> Vec<T> {
    let length = STATEMENT_LENGTHS.into_iter().rev().find(|length| *length >= list.len());
    if let (Some(length), Some(last)) = (length, list.last().cloned()) {
        list.resize(length, last);
    }
    list
}

/// One statement of several, each with an order and a limit of its own: each reads its rows alone from its index. None of
/// none.
pub fn union_all(parts: impl IntoIterator<Item = SelectStatement>) -> Option<SelectStatement> {
    // A part of a union can be ordered only as a subquery.
    let whole = |part| Query::select().expr(Expr::cust("*")).from_subquery(part, "part").take();
    parts.into_iter().map(whole).reduce(|mut union, part| union.union(UnionType::All, part).take())
}

fn parallelism() -> u32 {
    std::thread::available_parallelism().map_or(2, |cores| u32::try_from(cores.get()).unwrap_or(2)) * 2
}

async fn open(options: ConnectOptions) -> anyhow::Result<DatabaseConnection> {
    let mut connection = Database::connect(options).await.context("DATABASE_URL: can't connect")?;
    connection.set_metric_callback(|_| count_statements(1));
    Ok(connection)
}

fn common(url: &str, connections: u32) -> ConnectOptions {
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .test_before_acquire_if_idle_for(Duration::from_secs(30))
        .sqlx_logging(false)
        .record_stmt_in_spans(false);
    options
}

fn sqlite_options(url: &str, connections: u32, cache: &'static str) -> ConnectOptions {
    let mut options = common(url, connections);
    options.min_connections(1).idle_timeout(None).max_lifetime(None).map_sqlx_sqlite_opts(move |sqlite| {
        sqlite
            .create_if_missing(true)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(5))
            .journal_mode(sqlite::SqliteJournalMode::Wal)
            // Acknowledged changes survive a power cut too.
            .synchronous(sqlite::SqliteSynchronous::Full)
            .pragma("cache_size", cache)
            // 64 MiB, as much as the limit below keeps: ingest changes the same pages again and again, and each is copied
            // into the database once for all changes since the last time. The usual 4 MiB are less than one batch.
            .pragma("wal_autocheckpoint", "16384")
            .pragma("journal_size_limit", "67108864")
            .pragma("temp_store", "memory")
    });
    options
}

fn postgres_options(url: &str) -> ConnectOptions {
    let mut options = common(url, parallelism() * 4);
    options
        .connect_timeout(ACQUIRE_TIMEOUT)
        .statement_timeout(Duration::from_secs(30))
        .set_application_name("linkgraph");
    options.map_sqlx_postgres_opts(|postgres| postgres.options(GIVEN_UP));
    options
}
