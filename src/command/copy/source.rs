//! The SQLite database that is copied. It is read in one transaction, which keeps others from writing.

use std::{collections::BTreeSet, str::FromStr, time::Duration};

use anyhow::{Context, bail, ensure};
use futures_util::{StreamExt, stream::BoxStream};
use sea_orm::{
    SqlxSqliteConnector,
    sqlx::{
        self, AssertSqlSafe, ConnectOptions, SqliteConnection,
        sqlite::{SqliteConnectOptions, SqlitePoolOptions},
    },
};

use crate::platform::db::must_fit;

use super::{
    chunk::{Read, Value, Values},
    schema::{Columns, OWN, Table, quoted},
};

/// How long to wait for another process that writes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

const COLUMNS: &str = "SELECT tables.name, columns.name FROM sqlite_schema AS tables \
                       JOIN pragma_table_info(tables.name) AS columns \
                       WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";

/// Refuses a URL whose file is not there, before anything is made beside it.
pub(super) fn must_exist(url: &str) -> anyhow::Result<()> {
    let options = SqliteConnectOptions::from_str(url).context("DATABASE_URL: can't be read")?;
    let file = options.get_filename();
    ensure!(file.is_file(), "LINKGRAPH_DATA_DIR: there is no SQLite database {}", file.display());
    must_fit(file)
}

pub(super) struct Source {
    connection: SqliteConnection,
}

impl Source {
    /// Opens the database and keeps others from writing. Refuses one that is damaged, or of another version.
    pub(super) async fn open(url: &str) -> anyhow::Result<Self> {
        let options = SqliteConnectOptions::from_str(url).context("DATABASE_URL: can't be read")?;
        // A large database takes longer than statements usually may: that is no reason to log them.
        let options = options.create_if_missing(false).busy_timeout(BUSY_TIMEOUT).disable_statement_logging();
        let connection = options.connect().await.context("the SQLite database can't be opened")?;
        let mut source = Source { connection };
        let begun = sqlx::query("BEGIN IMMEDIATE").execute(&mut source.connection).await;
        begun.context("the SQLite database can't be locked: another process writes it")?;
        source.check().await?;
        Ok(source)
    }

    /// A database as migrations leave it, in memory.
    pub(super) async fn new() -> anyhow::Result<Self> {
        let pool = SqlitePoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
        let pool = pool.connect("sqlite::memory:").await?;
        migration::up(&SqlxSqliteConnector::from_sqlx_sqlite_pool(pool.clone()), None).await?;
        Ok(Source { connection: pool.acquire().await?.detach() })
    }

    async fn check(&mut self) -> anyhow::Result<()> {
        let versions = sqlx::query_scalar("SELECT version FROM seaql_migrations").fetch_all(&mut self.connection).await;
        let versions: Vec<String> = versions.context("the SQLite database is not linkgraph's")?;
        match compare_versions(versions) {
            Version::Same => {}
            Version::Older => bail!(
                "the SQLite database is older than this linkgraph: `linkgraph migrate`, with DATABASE_URL unset, brings it \
                 up to date"
            ),
            Version::Newer => bail!("the SQLite database is newer than this linkgraph"),
        }
        let found = sqlx::query_scalar("PRAGMA quick_check(10)").fetch_all(&mut self.connection).await;
        let found: Vec<String> = found.context("the SQLite database is damaged")?;
        ensure!(found == ["ok"], "the SQLite database is damaged: {}", found.join("; "));
        Ok(())
    }

    /// All columns that are to be copied.
    pub(super) async fn columns(&mut self) -> anyhow::Result<Columns> {
        let mut columns = Columns::new();
        let rows: Vec<(String, String)> = sqlx::query_as(COLUMNS).fetch_all(&mut self.connection).await?;
        for (table, column) in rows.into_iter().filter(|(table, _)| !OWN.contains(&table.as_str())) {
            columns.entry(table).or_default().insert(column);
        }
        Ok(columns)
    }

    /// Number of the rows of all tables.
    pub(super) async fn count_all(&mut self, tables: &[Table]) -> anyhow::Result<u64> {
        let mut rows = 0;
        for table in tables {
            let count = format!("SELECT count(*) FROM {}", table.quoted());
            let count: i64 = sqlx::query_scalar(AssertSqlSafe(count)).fetch_one(&mut self.connection).await?;
            rows += count.unsigned_abs();
        }
        Ok(rows)
    }

    /// The rows in the order of their primary keys: those after this key, or all.
    pub(super) fn rows<'a>(
        &'a mut self,
        table: &'a Table,
        after: Option<Values>,
    ) -> BoxStream<'a, anyhow::Result<Values>> {
        let names = table.key_columns().map(|column| quoted(&column.name)).collect::<Vec<_>>().join(", ");
        let marks = vec!["?"; table.key.len()].join(", ");
        let later = if after.is_some() { format!("WHERE ({names}) > ({marks}) ") } else { String::new() };
        let sql = format!("SELECT {} FROM {} {later}ORDER BY {names}", table.column_list(), table.quoted());
        let mut query = sqlx::query(AssertSqlSafe(sql));
        for value in after.into_iter().flatten() {
            query = match value {
                // No part of a primary key is null.
                Value::Null => query,
                Value::Uuid(id) => query.bind(id),
                Value::Bool(is_true) => query.bind(is_true),
                Value::Int4(number) => query.bind(number),
                Value::Int8(number) => query.bind(number),
                Value::Text(text) => query.bind(text),
                Value::Bytes(bytes) => query.bind(bytes),
            };
        }
        let rows = query.fetch(&mut self.connection);
        rows.map(|row| Ok(row?.values(table.columns.iter())?)).boxed()
    }

    /// The greatest number that each table has given to a row, be that row deleted or not.
    pub(super) async fn sequences(&mut self) -> anyhow::Result<Vec<(String, i64)>> {
        let is_there = sqlx::query("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'");
        if is_there.fetch_optional(&mut self.connection).await?.is_none() {
            return Ok(Vec::new());
        }
        Ok(sqlx::query_as("SELECT name, seq FROM sqlite_sequence").fetch_all(&mut self.connection).await?)
    }
}

/// The version of a database, compared with this linkgraph's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    Same,
    Older,
    Newer,
}

/// Compares the migrations that a database has with those of this version.
pub(super) fn compare_versions(of_database: Vec<String>) -> Version {
    let known: BTreeSet<String> = migration::names().map(str::to_owned).collect();
    let of_database = BTreeSet::from_iter(of_database);
    if of_database == known {
        Version::Same
    } else if of_database.is_subset(&known) {
        Version::Older
    } else {
        Version::Newer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_of_this_version_with_all_migrations_and_no_other() {
        let known = || migration::names().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(compare_versions(known()), Version::Same);
        assert_eq!(compare_versions(known()[1..].to_vec()), Version::Older);
        assert_eq!(compare_versions(Vec::new()), Version::Older);
        assert_eq!(compare_versions([known(), vec!["m30000101_000001_later".to_owned()]].concat()), Version::Newer);
    }
}
