//! Refuses a start that would leave accounts behind: on a PostgreSQL without any, beside a SQLite database with some; and on an empty
//! SQLite database, where the data directory shows that there was another.

use std::fs;

use anyhow::{Context, bail};
use sea_orm::sqlx::{self, ConnectOptions, Connection, PgConnection, sqlite::SqliteConnectOptions};

use super::{
    address::reach,
    beside, sqlite_file,
    unfinished_copy::{MARKER, is_postgres, is_there},
};
use crate::base::config::Config;

/// Refuses settings whose PostgreSQL has no accounts, if the data directory has a SQLite database with some. Nothing is
/// changed before.
pub(crate) async fn must_leave_no_accounts(config: &Config) -> anyhow::Result<()> {
    let file = config.sqlite_file();
    if !is_postgres(&config.database_url) || !file.is_file() {
        return Ok(());
    }
    let options = config.database_url.parse().context("DATABASE_URL: can't be read")?;
    let mut postgres = reach(&options).await?;
    let has_accounts = has_accounts(&mut postgres).await.context("DATABASE_URL: the accounts can't be read")?;
    postgres.close().await?;
    if has_accounts {
        return Ok(());
    }
    let shown = file.display();
    let options = SqliteConnectOptions::new().filename(&file).read_only(true).disable_statement_logging();
    let left = count_left(&options).await;
    match left
        .with_context(|| format!("LINKGRAPH_DATA_DIR: {shown} can't be read; move it away to begin without it"))?
    {
        0 => Ok(()),
        left => bail!(
            "DATABASE_URL: the database is empty, but {shown} has accounts ({left}): `linkgraph copy --to postgres://…` takes \
             all of it along; to begin anew, move that file away"
        ),
    }
}

/// Refuses an empty SQLite file beside the click log and the signing secret of a service: links of that service would lead nowhere.
pub(crate) async fn must_not_begin_anew(config: &Config) -> anyhow::Result<()> {
    let folder = &config.data_dir;
    let is_left = ["clicks/log-id", "jwt-secret"].iter().all(|name| folder.join(name).is_file());
    let Some(file) = sqlite_file(&config.database_url).filter(|file| is_left && file.is_file()) else { return Ok(()) };
    // All tables may be in the log still.
    if fs::metadata(beside(&file, "-wal")).is_ok_and(|log| log.len() > 0) {
        return Ok(());
    }
    let (shown, folder) = (file.display(), folder.display());
    let options = SqliteConnectOptions::new().filename(&file).read_only(true).immutable(true);
    let tables = has_tables(&options.disable_statement_logging()).await;
    if tables.with_context(|| format!("DATABASE_URL: {shown} can't be read"))? {
        return Ok(());
    }
    bail!(
        "DATABASE_URL: {shown} is empty, but {folder} has the click log and the secret of a service: `linkgraph restore <backup>` puts a \
         backup into its place; to begin anew, move that file, jwt-secret and clicks away"
    )
}

/// Whether the SQLite database has a table.
async fn has_tables(options: &SqliteConnectOptions) -> Result<bool, sqlx::Error> {
    let mut sqlite = options.connect().await?;
    let table = sqlx::query("SELECT 1 FROM sqlite_schema WHERE type = 'table'").fetch_optional(&mut sqlite).await?;
    sqlite.close().await?;
    Ok(table.is_some())
}

async fn has_accounts(postgres: &mut PgConnection) -> anyhow::Result<bool> {
    // An unfinished copy is refused by what follows, for what it is.
    if is_there(postgres, MARKER).await? {
        return Ok(true);
    }
    if !is_there(postgres, "users").await? {
        return Ok(false);
    }
    Ok(sqlx::query_scalar("SELECT EXISTS (SELECT FROM users)").fetch_one(postgres).await?)
}

/// Accounts of the SQLite database; none where it has no tables yet.
async fn count_left(options: &SqliteConnectOptions) -> Result<i64, sqlx::Error> {
    let mut sqlite = options.connect().await?;
    let is_there = sqlx::query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'users'");
    let left = match is_there.fetch_optional(&mut sqlite).await? {
        None => 0,
        Some(_) => sqlx::query_scalar("SELECT count(*) FROM users").fetch_one(&mut sqlite).await?,
    };
    sqlite.close().await?;
    Ok(left)
}
