//! Connections: one database behind two handles, so that SQLite's single writer queues in process instead of failing
//! with `SQLITE_BUSY`.

mod address;
mod handles;
mod health;
pub mod inspect;
mod integrity;
mod patience;
mod polling;
mod pool;
mod rows;
mod transaction;

use std::{
    path::PathBuf,
    str::FromStr,
    sync::{Arc, Once},
    time::Duration,
};

use anyhow::{Context, bail};
use libsqlite3_sys::{
    SQLITE_CONFIG_MEMSTATUS, SQLITE_DBCONFIG_ENABLE_QPSG, SQLITE_OK, sqlite3_config, sqlite3_db_config,
    sqlite3_get_autocommit,
};
use migration::{Migration, Migrator, MigratorTrait as _};
use sea_orm::{
    AccessMode, ConnectOptions, ConnectionTrait, Database, DatabaseBackend, DatabaseConnection, DbErr, IsolationLevel,
    SqliteTransactionMode, Statement, TransactionOptions, TransactionTrait,
    sqlx::{self, Connection, postgres::PgConnectOptions, sqlite},
};

use self::{address::Address, pool::Pool};
pub use self::{
    handles::Handle,
    health::{Fault, Health},
    patience::{Limit, REQUEST, STATEMENT, count_statements, counting, wait_for, within},
    polling::Polling,
    rows::{ROWS_PER_STATEMENT, filled_up, of_each, on_rows, select_of_each},
    transaction::Transaction,
};
use crate::{command::copy, config::Config, file};

/// How long a request waits for a connection before it is told to come back.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(4);
/// How long PostgreSQL works at a statement.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(30);
/// SQLite before this has a bug that can corrupt a WAL database (<https://sqlite.org/changes.html>, 3.51.3).
const MIN_SQLITE: [u32; 3] = [3, 51, 3];
/// KiB that a connection to SQLite caches at most, negative as SQLite wants it: one that reads, and the one that writes. What
/// a long transaction changes has to fit, or it is written more than once.
const CACHE: (&str, &str) = ("-16384", "-65536");

/// What connections to an SQLite are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Read,
    Write,
}
/// Key of the lock that a migrating node holds (`pg_advisory_xact_lock`): "linkgrph" in ASCII.
const MIGRATION_LOCK: i64 = i64::from_be_bytes(*b"linkgrph");

/// How soon PostgreSQL gives up a node that vanished in the middle of a transaction, as a machine without power does: until
/// then its locks keep others waiting, and who of the dead waits for them gets them next, as long as a lock is waited for. So
/// all are free after twice the first, as a rule. Transactions of ours pause for milliseconds.
const GIVEN_UP: [(&str, &str); 6] = [
    ("idle_in_transaction_session_timeout", "2s"),
    ("lock_timeout", "3s"),
    ("tcp_user_timeout", "20s"),
    ("tcp_keepalives_idle", "10"),
    ("tcp_keepalives_interval", "5"),
    ("tcp_keepalives_count", "2"),
];

/// The database.
#[derive(Clone, Debug)]
pub struct Db {
    read: Handle,
    write: Handle,
    health: Arc<Health>,
}

impl Db {
    /// Connects, checks the server, and applies the migrations unless told not to.
    pub async fn connect(config: &Config) -> anyhow::Result<Self> {
        let db = Self::open(config).await?;
        db.must_be_whole().await?;
        if config.auto_migrate {
            db.migrate(config).await?;
        } else if !db.pending_migrations().await?.is_empty() {
            bail!("DATABASE_URL: the database is older than this linkgraph; `linkgraph migrate` brings it up to date");
        }
        Ok(db)
    }

    /// Connects and checks the server, and takes the database as it is.
    pub async fn open(config: &Config) -> anyhow::Result<Self> {
        let health = Arc::<Health>::default();
        let address = Address::parse(&config.database_url)?;
        let open = async |options| match Pool::open(options).await {
            Ok(pool) => Ok(pool),
            Err(error) => Err(address.unreachable(error).await),
        };
        let db = if config.database_url.starts_with("sqlite:") {
            file::create_folder(&config.data_dir)
                .with_context(|| format!("LINKGRAPH_DATA_DIR: can't create {}", config.data_dir.display()))?;
            create_file(&config.database_url);
            count_no_memory();
            // The writer comes first: it creates the file and switches it to WAL.
            let write = open(sqlite_options(&config.database_url, Use::Write)).await?;
            let read = open(sqlite_options(&config.database_url, Use::Read)).await?;
            let db = Db::of(read, write, health);
            db.write.pool().run_until_closed(make_room(db.write.clone(), Arc::clone(&db.health)));
            if let Some(file) = sqlite_file(&config.database_url) {
                let health = Arc::clone(&db.health);
                db.write.pool().run_until_closed(async move { polling::watch_log(&file, health).await });
            }
            db
        } else {
            let both = open(postgres_options(&config.database_url)).await?;
            let own = config.database_url.parse().context("DATABASE_URL: can't be read")?;
            both.watch(of_a_node(own));
            Db::of(both.clone(), both, health)
        };
        db.check_version().await?;
        Ok(db)
    }

    fn of(read: Pool, write: Pool, health: Arc<Health>) -> Self {
        let (read, write) = (Handle::reading(read, Arc::clone(&health)), Handle::writing(write, Arc::clone(&health)));
        Db { read, write, health }
    }

    /// Applies all pending migrations. Of several nodes that start at once, one does, and the others wait.
    pub async fn migrate(&self, config: &Config) -> anyhow::Result<()> {
        if self.pending_migrations().await?.is_empty() {
            return Ok(());
        }
        let connections = self.write.pool().current();
        // SQLite's other processes are refused before they come here.
        if self.backend() != DatabaseBackend::Postgres {
            return apply(connections.database()).await;
        }
        tokio::select! {
            migrated = self.migrate_alone(config) => migrated,
            // A migration may take its time, which must not look like this.
            () = connections.silence() => bail!("DATABASE_URL: the database does not answer any more"),
        }
    }

    async fn migrate_alone(&self, config: &Config) -> anyhow::Result<()> {
        // Connections of its own: an index may take longer than any statement of a request may.
        let mut options = common(&config.database_url, 2);
        options.connect_timeout(ACQUIRE_TIMEOUT);
        let connection = Database::connect(options).await.context("DATABASE_URL: can't connect")?;
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
        let connections = self.write.pool().current();
        match connections.answer(Migrator::get_pending_migrations_read_only(connections.database())).await {
            Err(DbErr::Custom(_)) => {
                bail!("DATABASE_URL: a newer linkgraph has changed the database; this one is too old for it")
            }
            pending => pending.context("DATABASE_URL: can't read which migrations the database has"),
        }
    }

    /// Reverts all migrations: for tests of `down`.
    pub async fn revert(&self) -> Result<(), DbErr> {
        Migrator::down(self.write.pool().current().database(), None).await
    }

    /// For statements that only read.
    pub fn read(&self) -> &Handle {
        &self.read
    }

    /// For one changing statement that needs no transaction of its own.
    pub fn write(&self) -> &Handle {
        &self.write
    }

    /// Opens the transaction of a change. Immediate on SQLite: a deferred one that reads first fails at its first
    /// write whenever another has written meanwhile, whatever `busy_timeout` says.
    pub async fn begin(&self) -> Result<Transaction, DbErr> {
        let immediate = Some(SqliteTransactionMode::Immediate);
        self.write.begin(TransactionOptions { sqlite_transaction_mode: immediate, ..Default::default() }).await
    }

    /// Opens a transaction in which all statements read the same state.
    pub async fn snapshot(&self) -> Result<Transaction, DbErr> {
        // SQLite's transactions are always so.
        let is_postgres = self.backend() == DatabaseBackend::Postgres;
        let options = TransactionOptions {
            isolation_level: is_postgres.then_some(IsolationLevel::RepeatableRead),
            access_mode: is_postgres.then_some(AccessMode::ReadOnly),
            ..Default::default()
        };
        self.read.begin(options).await
    }

    /// Whether a change waits for another to end.
    pub fn is_waited_for(&self) -> bool {
        self.write.is_waited_for()
    }

    /// Whether other nodes may use it: an SQLite belongs to one.
    pub fn is_shared(&self) -> bool {
        self.backend() == DatabaseBackend::Postgres
    }

    /// Which database it is.
    pub fn backend(&self) -> DatabaseBackend {
        self.read.get_database_backend()
    }

    /// The pool of the one connection that writes to SQLite, for tests that make it fail; `None` on PostgreSQL.
    pub fn sqlite_writer(&self) -> Option<sqlite::SqlitePool> {
        let connections = self.write.pool().current();
        (self.backend() == DatabaseBackend::Sqlite).then(|| connections.database().get_sqlite_connection_pool().clone())
    }

    /// What statements showed of the database so far.
    pub fn health(&self) -> &Health {
        &self.health
    }

    /// Whether the database answers, and its file is whole.
    pub async fn can_read(&self) -> bool {
        let asked = Statement::from_string(self.backend(), "SELECT version FROM seaql_migrations LIMIT 1");
        self.read.query_one_raw(asked).await.is_ok() && self.is_whole().await
    }

    /// Whether the database stores changes: tries one that changes nothing, unless a change was just stored.
    pub async fn can_write(&self) -> bool {
        if self.health.has_just_stored() {
            return true;
        }
        let change = match self.backend() {
            // A number that an operator may give; it has no meaning here. Giving it is written like any other change.
            DatabaseBackend::Sqlite => "PRAGMA user_version = 0",
            // A transaction that has a number is written when it ends, and a standby gives none.
            _ => "SELECT txid_current()",
        };
        self.write.execute_unprepared(change).await.is_ok()
    }

    /// Closes all connections; on SQLite this checkpoints the WAL.
    pub async fn close(self) {
        for (name, handle) in [("read", self.read), ("write", self.write)] {
            if let Err(error) = handle.pool().close().await {
                tracing::warn!(%error, name, "Closing the database failed");
            }
        }
    }

    /// Refuses a database that `linkgraph copy` has not finished.
    async fn must_be_whole(&self) -> anyhow::Result<()> {
        if self.backend() != DatabaseBackend::Postgres {
            return Ok(());
        }
        let sql = "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1";
        let statement = Statement::from_sql_and_values(self.backend(), sql, [copy::MARKER.into()]);
        let mark = self.read.query_one_raw(statement).await.context("DATABASE_URL: the tables can't be listed")?;
        if mark.is_some() {
            bail!(
                "DATABASE_URL: a copy to this database is not finished; `linkgraph copy`, run again, goes on with it"
            );
        }
        Ok(())
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

/// The file of a SQLite database; none for PostgreSQL, and for what is no URL.
pub fn sqlite_file(url: &str) -> Option<PathBuf> {
    let options = url.starts_with("sqlite:").then(|| sqlite::SqliteConnectOptions::from_str(url))?;
    Some(options.ok()?.get_filename().to_owned())
}

/// Makes the file of a SQLite database, if it is not there: SQLite would let everybody read it, and gives the files beside
/// it the same mode. One that is there is not opened, since closing it would end SQLite's locks on it; and why none can be
/// made is said by SQLite.
fn create_file(url: &str) {
    if let Some(file) = sqlite_file(url) {
        let _ = file::private().create_new(true).open(file);
    }
}

fn parallelism() -> u32 {
    std::thread::available_parallelism().map_or(2, |cores| u32::try_from(cores.get()).unwrap_or(2)) * 2
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

fn sqlite_options(url: &str, is_for: Use) -> ConnectOptions {
    let (connections, cache) = match is_for {
        Use::Read => (parallelism(), CACHE.0),
        Use::Write => (1, CACHE.1),
    };
    let mut options = common(url, connections);
    options.map_sqlx_sqlite_pool_opts(move |pool| {
        let pool = pool.after_connect(|connection, _| Box::pin(keep_plans(connection)));
        pool.after_release(move |connection, _| Box::pin(is_at_rest(connection, is_for)))
    });
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

/// SQLite counts the memory that it has, behind a lock that all connections take at each allocation, and nobody asks for it
/// (<https://sqlite.org/compileoption.html#recommended_compile_time_options>).
#[expect(unsafe_code, reason = "the library that compiles SQLite sets no such option")]
fn count_no_memory() {
    static ONCE: Once = Once::new();
    // SAFETY: the type is this option's, and no connection is being opened meanwhile; a SQLite that is in use refuses it.
    ONCE.call_once(|| _ = unsafe { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0_i32) });
}

/// SQLite plans a statement with `LIMIT ?` anew whenever it is executed, for the sake of the number, which takes longer than
/// most of ours take to be executed. Here plans depend on statements alone
/// (<https://sqlite.org/queryplanner-ng.html#qpstab>).
#[expect(unsafe_code, reason = "SQLite has no pragma for it")]
async fn keep_plans(connection: &mut sqlite::SqliteConnection) -> Result<(), sqlx::Error> {
    let mut handle = connection.lock_handle().await?;
    let (option, is_wanted, is_set) = (SQLITE_DBCONFIG_ENABLE_QPSG, 1_i32, std::ptr::null_mut::<i32>());
    // SAFETY: the handle is locked, and these are the types of this option's arguments; the last may be null.
    let code = unsafe { sqlite3_db_config(handle.as_raw_handle().as_ptr(), option, is_wanted, is_set) };
    if code == SQLITE_OK { Ok(()) } else { Err(sqlx::Error::Configuration("SQLite does not keep plans".into())) }
}

/// Whether a connection that is given back has no transaction, by sqlx's account and by SQLite's. Otherwise it is closed.
///
/// SQLite ends a transaction by itself on some errors. sqlx-sqlite 0.9.0 then counts it as open for ever: later transactions
/// would be savepoints within one that is never committed (docs/upstream.md). A connection that only reads has nothing to lose
/// by an account that is right, and to ask SQLite takes as long as a short statement.
#[expect(unsafe_code, reason = "sqlx asks only once, after BEGIN")]
async fn is_at_rest(connection: &mut sqlite::SqliteConnection, is_for: Use) -> Result<bool, sqlx::Error> {
    if is_for == Use::Read && !connection.is_in_transaction() {
        return Ok(true);
    }
    // Asked for first: what was left to be done when a transaction was dropped is done before.
    let mut handle = connection.lock_handle().await?;
    // SAFETY: the handle is locked.
    let has_transaction = unsafe { sqlite3_get_autocommit(handle.as_raw_handle().as_ptr()) } == 0;
    drop(handle);
    let is_at_rest = !has_transaction && !connection.is_in_transaction();
    if !is_at_rest {
        tracing::warn!("A transaction ended by itself: its connection to the database is closed");
    }
    Ok(is_at_rest)
}

/// Empties SQLite's write-ahead log when there is no room for a change: what is in the log moves into the file, most of it to
/// places that the file has already. Otherwise a disk that has some room again might never get a change written.
async fn make_room(write: Handle, health: Arc<Health>) {
    loop {
        health.needs_room().await;
        // Its own failure says nothing new.
        let _ = write.execute_unprepared("PRAGMA wal_checkpoint(TRUNCATE)").await;
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

fn postgres_options(url: &str) -> ConnectOptions {
    let mut options = common(url, parallelism() * 4);
    options.connect_timeout(ACQUIRE_TIMEOUT).statement_timeout(STATEMENT_TIMEOUT).map_sqlx_postgres_opts(of_a_node);
    options.map_sqlx_postgres_pool_opts(|pool| {
        pool.after_release(|connection, _| Box::pin(async move { Ok(!connection.is_in_transaction()) }))
    });
    options
}

fn of_a_node(options: PgConnectOptions) -> PgConnectOptions {
    options.application_name("linkgraph").options(GIVEN_UP)
}

#[cfg(test)]
mod tests {
    use libsqlite3_sys::{SQLITE_STMTSTATUS_REPREPARE, sqlite3_next_stmt, sqlite3_stmt_status};
    use sqlx::ConnectOptions as _;

    use super::*;

    /// How often statements that SQLite has prepared were prepared again.
    #[expect(unsafe_code, reason = "no library tells it")]
    async fn prepared_again(connection: &mut sqlite::SqliteConnection) -> i32 {
        let mut handle = connection.lock_handle().await.unwrap();
        let (database, mut statement, mut times) = (handle.as_raw_handle().as_ptr(), std::ptr::null_mut(), 0);
        // SAFETY: the handle is locked, so that the statements stay.
        unsafe {
            loop {
                statement = sqlite3_next_stmt(database, statement);
                if statement.is_null() {
                    return times;
                }
                times += sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 0);
            }
        }
    }

    #[tokio::test]
    async fn a_statement_is_planned_once() {
        let mut connection = sqlite::SqliteConnectOptions::new().in_memory(true).connect().await.unwrap();
        for (keeps, expected) in [(false, 2), (true, 2)] {
            if keeps {
                keep_plans(&mut connection).await.unwrap();
            }
            // Other statements than before.
            let statement = format!("SELECT value FROM json_each('[1,2,3]') WHERE {keeps} = {keeps} LIMIT ?");
            for limit in [1, 2] {
                let rows = sqlx::query(sqlx::AssertSqlSafe(statement.clone())).bind(limit).fetch_all(&mut connection);
                assert_eq!(rows.await.unwrap().len(), limit as usize);
            }
            assert_eq!(prepared_again(&mut connection).await, expected);
        }
    }
}
