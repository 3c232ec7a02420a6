//! The PostgreSQL that is copied to.

use anyhow::{Context, bail, ensure};
use futures_util::{StreamExt, stream::BoxStream};
use sea_orm::sqlx::{self, AssertSqlSafe, Connection, PgConnection};
use uuid::Uuid;

use super::{
    chunk::{Chunk, Read, Values},
    digest::digest,
    schema::{self, Kind, Table, quoted},
    source::{Source, Version, compare_versions},
};
use crate::{
    base::config::Config,
    click_store::Months,
    platform::{
        auth::signing_secret,
        db::{
            Db,
            unfinished_copy::{MARKER, connect, is_there},
        },
    },
};

/// The one partitioned table.
const PARTITIONED: &str = "clicks";
/// Its column that decides on the partition.
const PARTITION_KEY: &str = "clicked_at";

pub(super) struct Target {
    connection: PgConnection,
    /// Access as the service has it, for migrations and partitions.
    db: Db,
    months: Months,
}

impl Target {
    /// Connects and prepares the database for the copy of this data directory, or for the rest of an unfinished one. Refuses any
    /// other database that is not empty.
    pub(super) async fn open(config: &Config, source: Uuid) -> anyhow::Result<Self> {
        let mut connection = connect(&config.database_url).await.context("--to")?;
        // The role may have timeouts for requests, but here one statement reads all rows of a table. Triggers must not add rows
        // that are copied as well.
        for setting in ["SET statement_timeout = 0", "SET lock_timeout = 0", "SET linkgraph.copying = 'on'"] {
            sqlx::query(setting).execute(&mut connection).await?;
        }
        match marked(&mut connection).await? {
            Some(Mark { source: other, .. }) if other != source => {
                bail!("--to: the database has the unfinished copy of another data directory");
            }
            Some(_) => {}
            None => mark(&mut connection, source).await?,
        }
        let db = Db::open(config).await.context("--to")?;
        let mut target = Target { connection, db, months: Months::default() };
        target.prepare(config).await?;
        Ok(target)
    }

    /// Applies the migrations and empties the tables, unless this version did so before. Migrations can't handle partly copied
    /// tables: after an update of linkgraph the copy begins anew.
    async fn prepare(&mut self, config: &Config) -> anyhow::Result<()> {
        let is_prepared = marked(&mut self.connection).await?.is_some_and(|mark| mark.is_prepared);
        if is_prepared && versions(&mut self.connection).await? == Some(Version::Same) {
            return Ok(());
        }
        self.db.migrate(config).await.context("--to")?;
        let tables = self.tables().await?;
        let names = tables.iter().map(Table::quoted).collect::<Vec<_>>().join(", ");
        let mut tx = self.connection.begin().await?;
        // Waits for a chunk that a killed process may still be storing.
        lock(&mut tx).await?;
        // Indexes of links, which are not copied, refer to accounts.
        sqlx::query(AssertSqlSafe(format!("TRUNCATE {names} CASCADE"))).execute(&mut *tx).await?;
        sqlx::query(AssertSqlSafe(format!("UPDATE {MARKER} SET is_prepared = true"))).execute(&mut *tx).await?;
        Ok(tx.commit().await?)
    }

    /// The tables, each after those that it refers to.
    pub(super) async fn tables(&mut self) -> anyhow::Result<Vec<Table>> {
        schema::read(&mut self.connection).await
    }

    /// Number of the rows that are there.
    pub(super) async fn count(&mut self, table: &Table) -> anyhow::Result<u64> {
        let count = format!("SELECT count(*) FROM {}", table.quoted());
        let count: i64 = sqlx::query_scalar(AssertSqlSafe(count)).fetch_one(&mut self.connection).await?;
        Ok(count.unsigned_abs())
    }

    /// The greatest primary key, as SQLite orders them. An empty table has none.
    pub(super) async fn last_key(&mut self, table: &Table) -> anyhow::Result<Option<Values>> {
        let names = table.key_columns().map(|column| quoted(&column.name)).collect::<Vec<_>>().join(", ");
        let order = table.key_columns().map(|column| match column.kind {
            Kind::Text => format!("{} COLLATE \"C\" DESC", quoted(&column.name)),
            _ => format!("{} DESC", quoted(&column.name)),
        });
        let order = order.collect::<Vec<_>>().join(", ");
        let sql = format!("SELECT {names} FROM {} ORDER BY {order} LIMIT 1", table.quoted());
        let mut tx = self.connection.begin().await?;
        lock(&mut tx).await?;
        let row = sqlx::query(AssertSqlSafe(sql)).fetch_optional(&mut *tx).await?;
        tx.commit().await?;
        Ok(row.map(|row| row.values(table.key_columns())).transpose()?)
    }

    /// Stores rows, all or none.
    pub(super) async fn insert(&mut self, table: &Table, chunk: Chunk) -> anyhow::Result<()> {
        if table.is_partitioned {
            self.cover(table, &chunk).await?;
        }
        let arrays = (1..).zip(&table.columns).map(|(number, column)| format!("${number}::{}[]", column.kind.name()));
        let arrays = arrays.collect::<Vec<_>>().join(", ");
        let (name, columns) = (table.quoted(), table.column_list());
        let sql = format!("INSERT INTO {name} ({columns}) SELECT * FROM unnest({arrays})");
        let mut tx = self.connection.begin().await?;
        lock(&mut tx).await?;
        chunk.bind(sqlx::query(AssertSqlSafe(sql)), table).execute(&mut *tx).await?;
        Ok(tx.commit().await?)
    }

    async fn cover(&mut self, table: &Table, chunk: &Chunk) -> anyhow::Result<()> {
        let place = table.columns.iter().position(|column| column.name == PARTITION_KEY);
        let place = place.filter(|_| table.name == PARTITIONED).context("nothing knows how to make its partitions")?;
        Ok(self.months.cover(&self.db, chunk.numbers(place)).await?)
    }

    /// All rows, in any order.
    pub(super) fn rows<'a>(&'a mut self, table: &'a Table, most: Option<u64>) -> BoxStream<'a, anyhow::Result<Values>> {
        rows(&mut self.connection, table, most)
    }

    /// Makes the database usable by services: sets the sequences of ids, stores the secret that signs user tokens for nodes
    /// without the data directory, and removes the mark.
    pub(super) async fn finish(
        mut self,
        tables: &[Table],
        sequences: &[(String, i64)],
        secret: Option<Vec<u8>>,
    ) -> anyhow::Result<()> {
        // Otherwise the first statements are planned for empty tables.
        sqlx::query("ANALYZE").execute(&mut self.connection).await?;
        let mut tx = self.connection.begin().await?;
        for (table, last) in sequences.iter().filter(|(_, last)| *last > 0) {
            let columns = tables.iter().filter(|known| known.name == *table).flat_map(|known| &known.columns);
            for sequence in columns.filter_map(|column| column.sequence.as_deref()) {
                sqlx::query("SELECT setval($1::regclass, $2)").bind(sequence).bind(last).execute(&mut *tx).await?;
            }
        }
        if let Some(secret) = secret {
            let share = "INSERT INTO shared_secrets (name, secret) VALUES ($1, $2) ON CONFLICT DO NOTHING";
            sqlx::query(share).bind(signing_secret::SHARED_NAME).bind(secret).execute(&mut *tx).await?;
        }
        sqlx::query(AssertSqlSafe(format!("DROP TABLE {MARKER}"))).execute(&mut *tx).await?;
        tx.commit().await?;
        self.db.close().await;
        Ok(())
    }
}

/// The mark of an unfinished copy.
pub(super) struct Mark {
    source: Uuid,
    /// Whether all rows of the tables are copied ones.
    is_prepared: bool,
}

/// The mark, if the database has one.
pub(super) async fn marked(connection: &mut PgConnection) -> anyhow::Result<Option<Mark>> {
    if !is_there(connection, MARKER).await? {
        return Ok(None);
    }
    let sql = format!("SELECT source, is_prepared FROM {MARKER}");
    let row: Option<(Uuid, bool)> = sqlx::query_as(AssertSqlSafe(sql)).fetch_optional(connection).await?;
    Ok(row.map(|(source, is_prepared)| Mark { source, is_prepared }))
}

/// Marks an empty database. What is in it is looked at under a lock, so that no service begins meanwhile.
async fn mark(connection: &mut PgConnection, source: Uuid) -> anyhow::Result<()> {
    let mut tx = connection.begin().await?;
    must_be_empty(&mut tx).await?;
    let made = format!("CREATE TABLE {MARKER} (source uuid PRIMARY KEY, is_prepared boolean NOT NULL)");
    sqlx::query(AssertSqlSafe(made)).execute(&mut *tx).await?;
    let row = format!("INSERT INTO {MARKER} VALUES ($1, false)");
    sqlx::query(AssertSqlSafe(row)).bind(source).execute(&mut *tx).await?;
    Ok(tx.commit().await?)
}

/// Refuses a database that has more than what migrations put there.
async fn must_be_empty(tx: &mut PgConnection) -> anyhow::Result<()> {
    const NEEDED: &str = "`linkgraph copy` needs an empty database";
    let found = versions(tx).await?;
    let tables = schema::read(tx).await;
    match (found, tables) {
        (None, Ok(tables)) if tables.is_empty() => Ok(()),
        (Some(Version::Same), Ok(tables)) => {
            let mut new = Source::new().await?;
            schema::compare(&tables, &new.columns().await?).with_context(|| format!("--to: {NEEDED}"))?;
            for table in &tables {
                let lock = format!("LOCK TABLE {} IN SHARE MODE", table.quoted());
                sqlx::query(AssertSqlSafe(lock)).execute(&mut *tx).await?;
                let expected = digest(new.rows(table, None)).await?;
                let found = digest(rows(tx, table, Some(expected.rows + 1))).await?;
                ensure!(found == expected, "--to: the table {} is in use; {NEEDED}", table.name);
            }
            Ok(())
        }
        (None, _) => bail!("--to: the database has tables of something else; {NEEDED}"),
        (Some(_), _) => bail!("--to: the database has the tables of another version of linkgraph; {NEEDED}"),
    }
}

/// The version of the database; a database without linkgraph's tables has none.
async fn versions(connection: &mut PgConnection) -> anyhow::Result<Option<Version>> {
    if !is_there(connection, schema::OWN[0]).await? {
        return Ok(None);
    }
    let versions = sqlx::query_scalar("SELECT version FROM seaql_migrations").fetch_all(connection).await?;
    Ok(Some(compare_versions(versions)))
}

/// Locks the mark until this transaction ends, so that no other copy stores rows. Waits for the transaction of a killed process.
async fn lock(tx: &mut PgConnection) -> anyhow::Result<()> {
    let sql = format!("SELECT FROM {MARKER} FOR UPDATE");
    sqlx::query(AssertSqlSafe(sql)).execute(tx).await?;
    Ok(())
}

fn rows<'a>(
    connection: &'a mut PgConnection,
    table: &'a Table,
    most: Option<u64>,
) -> BoxStream<'a, anyhow::Result<Values>> {
    let limit = most.map_or_else(String::new, |most| format!(" LIMIT {most}"));
    let sql = format!("SELECT {} FROM {}{limit}", table.column_list(), table.quoted());
    let rows = sqlx::query(AssertSqlSafe(sql)).fetch(connection);
    rows.map(|row| Ok(row?.values(table.columns.iter())?)).boxed()
}
