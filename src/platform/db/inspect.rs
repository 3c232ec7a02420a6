//! A look at the database that changes nothing: no table is made, and no file.

use std::{path::Path, time::Duration};

use anyhow::Context;
use entity::node;
use migration::Unapplied;
use sea_orm::{
    DatabaseConnection, SqlxPostgresConnector, SqlxSqliteConnector,
    sqlx::{
        self, ConnectOptions as _,
        postgres::{PgConnectOptions, PgPoolOptions},
        sqlite::{SqliteConnectOptions, SqlitePoolOptions},
    },
};

use super::{
    address::Address,
    mark::{self, beside},
    nodes,
    options::NO_LIFETIME,
};
use crate::base::clock::Clock;

/// How long connecting may take.
const PATIENCE: Duration = Duration::from_secs(3);

/// The result of an inspection.
#[derive(Debug)]
pub(crate) struct Inspection {
    /// Where the database is, without credentials.
    pub(crate) address: String,
    /// Kind and version, such as `PostgreSQL 17.6`.
    pub(crate) version: String,
    /// How far it is migrated.
    pub(crate) tables: Tables,
    /// Whether its user may create tables.
    pub(crate) may_create_tables: bool,
    /// The nodes that serve, as far as it is up to date and can be shared.
    pub(crate) nodes: Vec<node::Model>,
}

/// How far a database is migrated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tables {
    /// Not at all.
    Missing,
    /// Some migrations are pending.
    Older {
        /// How many.
        pending: usize,
    },
    /// All migrations of this version are applied, and no others.
    Current,
    /// A newer version has migrated it.
    Newer,
}

/// Looks at the database with this URL. Fails if there is none, but for an SQLite, whose file the first start makes.
pub(crate) async fn inspect(url: &str) -> anyhow::Result<Inspection> {
    inspect_at(&Address::parse(url)?).await
}

/// Options that open a SQLite file without changing it or making another.
pub(crate) fn undisturbed(options: &SqliteConnectOptions) -> SqliteConnectOptions {
    // Opening a database with a write-ahead log creates the log's files, unless it is declared immutable. They exist while another
    // process may write.
    let is_in_use = ["-wal", "-shm"].iter().all(|suffix| beside(options.get_filename(), suffix).exists());
    options.clone().read_only(true).create_if_missing(false).immutable(!is_in_use)
}

/// Looks at a SQLite file that nobody uses.
pub(crate) async fn inspect_file(file: &Path) -> anyhow::Result<Inspection> {
    let address = Address::Sqlite(Box::new(SqliteConnectOptions::new().filename(file)));
    inspect_at(&address).await
}

/// Connects to a database that was inspected, to read it without changing it.
pub(crate) async fn connect_to_read(url: &str) -> anyhow::Result<DatabaseConnection> {
    let address = Address::parse(url)?;
    let connection = match &address {
        Address::Sqlite(options) => {
            sqlite_pool(undisturbed(options)).await.map(SqlxSqliteConnector::from_sqlx_sqlite_pool)
        }
        Address::Postgres(options) => postgres_pool(options).await.map(SqlxPostgresConnector::from_sqlx_postgres_pool),
    };
    connection.with_context(|| format!("DATABASE_URL: can't read {address}"))
}

async fn sqlite_pool(options: SqliteConnectOptions) -> Result<sqlx::SqlitePool, sqlx::Error> {
    let pool = SqlitePoolOptions::new().max_connections(1).acquire_timeout(PATIENCE);
    let pool = pool.idle_timeout(NO_LIFETIME).max_lifetime(NO_LIFETIME);
    pool.connect_with(options.disable_statement_logging()).await
}

async fn postgres_pool(options: &PgConnectOptions) -> Result<sqlx::PgPool, sqlx::Error> {
    let options = options.clone().application_name("linkgraph check").disable_statement_logging();
    let pool = PgPoolOptions::new().max_connections(1).acquire_timeout(PATIENCE);
    pool.idle_timeout(NO_LIFETIME).max_lifetime(NO_LIFETIME).connect_with(options).await
}

async fn inspect_at(address: &Address) -> anyhow::Result<Inspection> {
    match address {
        Address::Sqlite(options) => of_sqlite(options, address).await,
        Address::Postgres(options) => of_postgres(options, address).await,
    }
}

async fn of_sqlite(options: &SqliteConnectOptions, address: &Address) -> anyhow::Result<Inspection> {
    let file = options.get_filename();
    mark::must_fit(file)?;
    let found = |version: String, tables| Inspection {
        address: address.to_string(),
        version: format!("SQLite {version}"),
        tables,
        may_create_tables: true,
        nodes: Vec::new(),
    };
    let options = if file.try_exists().with_context(|| format!("DATABASE_URL: can't look at {address}"))? {
        use rustix::fs::{Access, access};
        let writable = access(file, Access::READ_OK | Access::WRITE_OK);
        writable.with_context(|| format!("DATABASE_URL: can't write {address}"))?;
        undisturbed(options)
    } else {
        SqliteConnectOptions::new().in_memory(true)
    };
    let open = async {
        let pool = sqlite_pool(options).await?;
        let version: String = sqlx::query_scalar("SELECT sqlite_version()").fetch_one(&pool).await?;
        anyhow::Ok((pool, version))
    };
    let (pool, version) = open.await.with_context(|| format!("DATABASE_URL: can't read {address}"))?;
    let connection = SqlxSqliteConnector::from_sqlx_sqlite_pool(pool);
    let tables = tables(&connection).await;
    connection.close().await?;
    Ok(found(version, tables?))
}

async fn of_postgres(options: &PgConnectOptions, address: &Address) -> anyhow::Result<Inspection> {
    let pool = match postgres_pool(options).await {
        Ok(pool) => pool,
        Err(error) => return address.reached(Err(error)).await,
    };
    let look = async {
        let version: String = sqlx::query_scalar("SHOW server_version").fetch_one(&pool).await?;
        let may = "SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)";
        let may_create_tables: bool = sqlx::query_scalar(may).fetch_one(&pool).await?;
        anyhow::Ok((version, may_create_tables))
    };
    let (version, may_create_tables) = look.await.with_context(|| format!("DATABASE_URL: can't read {address}"))?;
    let connection = SqlxPostgresConnector::from_sqlx_postgres_pool(pool);
    let tables = tables(&connection).await;
    let nodes = match tables {
        Ok(Tables::Current) => nodes::serving(&connection, Clock::default().now()).await,
        _ => Ok(Vec::new()),
    };
    connection.close().await?;
    let version = format!("PostgreSQL {}", version.split(' ').next().unwrap_or_default());
    let nodes = nodes.with_context(|| format!("DATABASE_URL: can't read {address}"))?;
    Ok(Inspection { address: address.to_string(), version, tables: tables?, may_create_tables, nodes })
}

async fn tables(connection: &DatabaseConnection) -> anyhow::Result<Tables> {
    let pending = migration::pending(connection).await;
    Ok(match pending.context("DATABASE_URL: can't read which migrations the database has")? {
        Unapplied::Pending(names) if names.is_empty() => Tables::Current,
        Unapplied::Pending(names) if names.len() == migration::names().count() => Tables::Missing,
        Unapplied::Pending(names) => Tables::Older { pending: names.len() },
        Unapplied::Newer => Tables::Newer,
    })
}
