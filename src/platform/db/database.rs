//! Connections: one database behind two handles, so that SQLite's single writer queues in process instead of failing
//! with `SQLITE_BUSY`.

use std::sync::Arc;

use anyhow::{Context, bail};
use migration::Unapplied;
use sea_orm::{
    AccessMode, ConnectionTrait, Database, DatabaseBackend, DatabaseConnection, DbErr, IsolationLevel,
    SqliteTransactionMode, Statement, TransactionOptions, TransactionTrait,
    sqlx::{Connection as _, SqlitePool},
};

use super::{
    address::{Address, reach},
    commits,
    handles::Handle,
    health::Health,
    options::{ACQUIRE_TIMEOUT, common, of_a_node, postgres_options},
    pool::Pool,
    purpose::{PURPOSES, Purpose, postgres_sizes, sqlite_sizes},
    sqlite::{self, Checkpoint, sqlite_file},
    transaction::{Snapshot, Transaction},
    turn::Turn,
    unfinished_copy, watchdog,
};
use crate::base::{config::Config, machine};

/// SQLite before this has a bug that can corrupt a WAL database (<https://sqlite.org/changes.html>, 3.51.3).
const MIN_SQLITE: [u32; 3] = [3, 51, 3];
/// Key of the lock that a migrating node holds (`pg_advisory_xact_lock`): "linkgrph" in ASCII.
const MIGRATION_LOCK: i64 = i64::from_be_bytes(*b"linkgrph");

/// The database.
#[derive(Clone, Debug)]
pub struct Db {
    pub(super) read: Handle,
    write: Handle,
    pub(super) health: Arc<Health>,
    /// Write turns among processes on one SQLite file. `None`: on PostgreSQL, where processes wait in the server, and
    /// where the file can't be opened.
    turn: Option<Arc<Turn>>,
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
    pub(crate) async fn open(config: &Config) -> anyhow::Result<Self> {
        let health = Arc::<Health>::default();
        let address = Address::parse(&config.database_url)?;
        let url = config.database_url.clone();
        let db = if url.starts_with("sqlite:") {
            config.create_data_dir()?;
            sqlite::create_file(&url);
            sqlite::count_no_memory();
            let (backend, cores) = (DatabaseBackend::Sqlite, usize::try_from(machine::cores())?);
            let mut one = [0; PURPOSES];
            one[Purpose::Requests as usize] = 1;
            // The writer comes first: it creates the file and switches it to WAL.
            let writer = url.clone();
            let write = address.reached(Pool::open(backend, one, move |_, _| sqlite::writing(&writer)).await).await?;
            let sizes = sqlite_sizes(cores);
            let connect = move |purpose, interrupt: &Arc<_>| sqlite::reading(&url, purpose, interrupt);
            let read = address.reached(Pool::open(backend, sizes, connect).await).await?;
            let mut db = Db::of(read, write, health);
            db.write.pool().run_until_closed(sqlite::make_room(db.write.clone(), Arc::clone(&db.health)));
            if let Some(file) = sqlite_file(&config.database_url) {
                let health = Arc::clone(&db.health);
                match Turn::beside(&file) {
                    Ok(turn) => db.turn = Some(Arc::new(turn)),
                    Err(error) => tracing::warn!(%error, "Commands beside the service may find the database busy"),
                }
                db.write.pool().run_until_closed(async move { commits::watch_log(&file, health).await });
            }
            db
        } else {
            let sizes = postgres_sizes(usize::try_from(config.postgres_connections)?);
            let own = url.parse().context("DATABASE_URL: can't be read")?;
            reach(&own).await?.close().await.context("DATABASE_URL: can't be reached")?;
            let connect = move |_, interrupt: &Arc<_>| postgres_options(&url, interrupt);
            let both = address.reached(Pool::open(DatabaseBackend::Postgres, sizes, connect).await).await?;
            watchdog::start(&both, of_a_node(own));
            Db::of(both.clone(), both, health)
        };
        db.check_version().await?;
        Ok(db)
    }

    fn of(read: Pool, write: Pool, health: Arc<Health>) -> Self {
        let (read, write) =
            (Handle::new(read, false, Arc::clone(&health)), Handle::new(write, true, Arc::clone(&health)));
        Db { read, write, health, turn: None }
    }

    /// Applies all pending migrations. Of several nodes that start at once, one does, and the others wait.
    pub async fn migrate(&self, config: &Config) -> anyhow::Result<()> {
        if self.pending_migrations().await?.is_empty() {
            return Ok(());
        }
        let connections = self.write.pool().current();
        // SQLite's other processes are refused before they come here.
        if self.backend() != DatabaseBackend::Postgres {
            return apply(connections.first()).await;
        }
        tokio::select! {
            migrated = self.migrate_alone(config) => migrated,
            // A migration may take its time, which must not look like this.
            () = connections.silence() => bail!("DATABASE_URL: the database does not answer any more"),
        }
    }

    async fn migrate_alone(&self, config: &Config) -> anyhow::Result<()> {
        // Connections of its own: an index may take longer than any statement of a request may.
        let mut options = common(&config.database_url);
        options.max_connections(2).connect_timeout(ACQUIRE_TIMEOUT);
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
    async fn pending_migrations(&self) -> anyhow::Result<Vec<&'static str>> {
        let connections = self.write.pool().current();
        let pending = connections.answer(migration::pending(connections.first())).await;
        match pending.context("DATABASE_URL: can't read which migrations the database has")? {
            Unapplied::Pending(names) => Ok(names),
            Unapplied::Newer => {
                bail!("DATABASE_URL: a newer linkgraph has changed the database; this one is too old for it")
            }
        }
    }

    /// Reverts all migrations: for tests of `down`.
    pub async fn revert(&self) -> Result<(), DbErr> {
        migration::down(self.write.pool().current().first(), None).await
    }

    /// For statements that only read.
    pub fn read(&self) -> &Handle {
        &self.read
    }

    /// For one changing statement that needs no transaction of its own.
    pub fn write(&self) -> &Handle {
        &self.write
    }

    /// Gives back the memory of the pages that the connection which writes to SQLite has cached: those of a transaction that
    /// was much longer than usual.
    pub(crate) async fn shrink_write_cache(&self) -> Result<(), DbErr> {
        if self.backend() == DatabaseBackend::Sqlite {
            self.write.execute_unprepared("PRAGMA shrink_memory").await?;
        }
        Ok(())
    }

    /// Gives back the memory of pages that connections which read SQLite have cached, if they have not been used since the last time
    /// but one.
    pub(crate) async fn shrink_unused(&self) -> Result<(), DbErr> {
        if self.backend() == DatabaseBackend::Sqlite {
            self.read.pool().shrink_unused().await?;
        }
        Ok(())
    }

    /// Moves changes from SQLite's write-ahead log into the file. PostgreSQL does so by itself.
    pub(crate) async fn checkpoint(&self, how: Checkpoint) -> Result<(), DbErr> {
        if self.backend() == DatabaseBackend::Sqlite {
            sqlite::checkpoint(&self.write, how).await?;
        }
        Ok(())
    }

    /// Opens the transaction of a change. Immediate on SQLite: a deferred one that reads first fails at its first
    /// write whenever another has written meanwhile, whatever `busy_timeout` says.
    pub async fn begin(&self) -> Result<Transaction, DbErr> {
        let immediate = Some(SqliteTransactionMode::Immediate);
        self.write.begin(TransactionOptions { sqlite_transaction_mode: immediate, ..Default::default() }).await
    }

    /// For statements of the API that may have to look at many rows.
    pub(crate) fn scans(&self) -> Handle {
        self.read.of(Purpose::Scans)
    }

    /// The same database, over the connections of this purpose.
    pub(crate) fn of_purpose(&self, purpose: Purpose) -> Self {
        Db { read: self.read.of(purpose), write: self.write.of(purpose), ..self.clone() }
    }

    /// Opens a transaction in which all statements read the same state.
    pub async fn snapshot(&self) -> Result<Snapshot, DbErr> {
        // On SQLite, all transactions are snapshots.
        let is_postgres = self.backend() == DatabaseBackend::Postgres;
        let options = TransactionOptions {
            isolation_level: is_postgres.then_some(IsolationLevel::RepeatableRead),
            access_mode: is_postgres.then_some(AccessMode::ReadOnly),
            ..Default::default()
        };
        Ok(Snapshot::new(self.scans().begin(options).await?))
    }

    /// Whether a change waits for another one to end, in this process or, on SQLite, in another.
    pub fn is_waited_for(&self) -> bool {
        self.write.is_waited_for() || self.is_waited_for_beside()
    }

    /// Asks a service that uses the same SQLite for turns to write, until this is dropped.
    pub fn ask_for_turns(&self) {
        if let Some(Err(error)) = self.turn.as_ref().map(|turn| turn.ask()) {
            tracing::warn!(%error, "The service may keep the database busy");
        }
    }

    /// Whether a process beside the service waits to write, or is about to: it needs SQLite to be free for a [`TURN`].
    pub fn is_waited_for_beside(&self) -> bool {
        self.turn.as_ref().is_some_and(|turn| turn.is_asked_for())
    }

    /// Whether other nodes may use the database: an SQLite belongs to one node.
    pub(crate) fn is_shared(&self) -> bool {
        self.backend() == DatabaseBackend::Postgres
    }

    /// Which database it is.
    pub fn backend(&self) -> DatabaseBackend {
        self.read.get_database_backend()
    }

    /// The pool of the one connection that writes to SQLite, for tests that make it fail; `None` on PostgreSQL.
    pub fn sqlite_writer(&self) -> Option<SqlitePool> {
        let connections = self.write.pool().current();
        (self.backend() == DatabaseBackend::Sqlite).then(|| connections.first().get_sqlite_connection_pool().clone())
    }

    /// The health of the database, as statements have shown it so far.
    pub(crate) fn health(&self) -> &Health {
        &self.health
    }

    /// Whether the database answers, and its file is whole.
    pub(crate) async fn can_read(&self) -> bool {
        let asked = Statement::from_string(self.backend(), "SELECT version FROM seaql_migrations LIMIT 1");
        self.read.of(Purpose::Probes).query_one_raw(asked).await.is_ok() && self.is_whole().await
    }

    /// Whether the database stores changes: tries one that changes nothing, unless a change was just stored.
    pub(crate) async fn can_write(&self) -> bool {
        if self.health.has_just_stored(self.backend()) {
            return true;
        }
        let change = match self.backend() {
            // Sets a number that has no meaning here, which is written like any other change.
            DatabaseBackend::Sqlite => "PRAGMA user_version = 0",
            // A transaction with an id is written at its end, and a standby assigns none.
            _ => "SELECT txid_current()",
        };
        self.write.of(Purpose::Probes).execute_unprepared(change).await.is_ok()
    }

    /// Closes all connections; on SQLite this checkpoints the WAL.
    pub async fn close(self) {
        for handle in [self.read, self.write] {
            handle.pool().close().await;
        }
    }

    /// Refuses a database that `linkgraph copy` has not finished.
    async fn must_be_whole(&self) -> anyhow::Result<()> {
        if self.backend() != DatabaseBackend::Postgres {
            return Ok(());
        }
        let sql = "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1";
        let statement = Statement::from_sql_and_values(self.backend(), sql, [unfinished_copy::MARKER.into()]);
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
    migration::up(connection, None).await.context("DATABASE_URL: the migrations failed")
}
