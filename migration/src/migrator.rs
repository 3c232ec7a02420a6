//! Applies and reverts migrations, each in a transaction of its own, and records in the database which are applied.

use std::collections::BTreeSet;

use sea_orm::{
    ConnectionTrait, DatabaseBackend, DatabaseConnection, DbErr, Statement, TransactionTrait as _,
    sea_query::{ColumnDef, Table, TableCreateStatement},
};

use crate::{MIGRATIONS, columns::big_integer, schema_manager::SchemaManager};

/// A change of the schema, and the change that reverts it.
#[async_trait::async_trait]
pub(crate) trait MigrationTrait: Sync {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr>;
    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr>;
}

/// The table of applied migrations, as sea-orm-migration makes it; `applied_at` is in seconds.
fn table() -> TableCreateStatement {
    let version = ColumnDef::new("version").string().not_null().primary_key().take();
    Table::create().table("seaql_migrations").if_not_exists().col(version).col(big_integer("applied_at")).take()
}

/// Which migrations a database lacks.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Unapplied {
    /// The names of those it lacks, in the order in which they would be applied; empty when it has all.
    Pending(Vec<&'static str>),
    /// A migration is applied that this version does not know: a newer version has changed the database.
    Newer,
}

/// The names of all migrations, in the order in which they are applied.
pub fn names() -> impl DoubleEndedIterator<Item = &'static str> {
    MIGRATIONS.iter().map(|(name, _)| *name)
}

/// The migrations that the database lacks. Changes nothing, so that a user who may only read can ask.
///
/// # Errors
/// The database can't be read.
pub async fn pending(db: &DatabaseConnection) -> Result<Unapplied, DbErr> {
    Ok(unapplied(&if has_table(db).await? { applied(db).await? } else { BTreeSet::new() }))
}

fn unapplied(applied: &BTreeSet<String>) -> Unapplied {
    let known = BTreeSet::from_iter(names());
    if applied.iter().any(|name| !known.contains(name.as_str())) {
        return Unapplied::Newer;
    }
    Unapplied::Pending(names().filter(|name| !applied.contains(*name)).collect())
}

/// Applies pending migrations in order: the first `limit` of them, or all for `None`.
///
/// # Errors
/// A statement fails, and its migration has changed nothing; those before it are applied. Or a newer version has changed the
/// database.
pub async fn up(db: &DatabaseConnection, limit: Option<usize>) -> Result<(), DbErr> {
    db.execute(&table()).await?;
    let Unapplied::Pending(pending) = unapplied(&applied(db).await?) else {
        return Err(DbErr::Migration("a newer version has changed the database".to_owned()));
    };
    let now = match db.get_database_backend() {
        DatabaseBackend::Postgres => "CAST(extract(epoch FROM now()) AS bigint)",
        _ => "unixepoch()",
    };
    let pending = MIGRATIONS.iter().filter(|(name, _)| pending.contains(name));
    for (name, migration) in pending.take(limit.unwrap_or(usize::MAX)) {
        let transaction = db.begin().await?;
        migration.up(&SchemaManager::new(&transaction)).await?;
        let record = format!("INSERT INTO seaql_migrations (version, applied_at) VALUES ('{name}', {now})");
        transaction.execute_unprepared(&record).await?;
        transaction.commit().await?;
    }
    Ok(())
}

/// Reverts applied migrations, the last first: `limit` of them, or all for `None`.
///
/// # Errors
/// A statement fails, and its migration stays applied; those after it are reverted.
pub async fn down(db: &DatabaseConnection, limit: Option<usize>) -> Result<(), DbErr> {
    let applied = applied(db).await?;
    let applied = MIGRATIONS.iter().rev().filter(|(name, _)| applied.contains(*name));
    for (name, migration) in applied.take(limit.unwrap_or(usize::MAX)) {
        let transaction = db.begin().await?;
        migration.down(&SchemaManager::new(&transaction)).await?;
        transaction.execute_unprepared(&format!("DELETE FROM seaql_migrations WHERE version = '{name}'")).await?;
        transaction.commit().await?;
    }
    Ok(())
}

async fn has_table(db: &DatabaseConnection) -> Result<bool, DbErr> {
    let backend = db.get_database_backend();
    let tables = match backend {
        DatabaseBackend::Postgres => {
            "SELECT 1 FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = 'seaql_migrations'"
        }
        _ => "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'seaql_migrations'",
    };
    Ok(db.query_one_raw(Statement::from_string(backend, tables)).await?.is_some())
}

async fn applied(db: &DatabaseConnection) -> Result<BTreeSet<String>, DbErr> {
    let versions = Statement::from_string(db.get_database_backend(), "SELECT version FROM seaql_migrations");
    let rows = db.query_all_raw(versions).await?;
    rows.iter().map(|row| row.try_get_by_index(0)).collect()
}
