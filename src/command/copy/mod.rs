//! `linkgraph copy`: a SQLite database and all its rows, into an empty PostgreSQL.
//!
//! Tables and columns are those that both schemas have, read from the databases, so that none has to be listed here. Rows go
//! in the order of their primary keys, each chunk in a transaction: the greatest key in the target says where an interrupted
//! copy goes on. While the copy is not finished, a table in the target ([`MARKER`](crate::platform::db::unfinished_copy::MARKER)) keeps services from starting
//! there. The source is only read, and locked against writers.

mod chunk;
mod digest;
mod progress;
mod schema;
mod source;
mod target;

use anyhow::{Context, bail, ensure};
use futures_util::TryStreamExt;
use tokio::try_join;

use self::{chunk::Chunk, digest::digest, progress::Progress, schema::Table, source::Source, target::Target};
use crate::{
    base::config::Config,
    clicks::log::{ClickLog, DirectoryLock},
    platform::{auth::signing_secret, db::unfinished_copy::is_postgres},
};

/// Size of a finished copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copied {
    /// Tables, the empty ones included.
    pub(crate) tables: usize,
    /// Rows of all tables.
    pub(crate) rows: u64,
}

/// Copies the SQLite database of these settings to a PostgreSQL, which must be empty or hold the unfinished copy of the same
/// data directory. `to` is its URL; without one it is `DATABASE_URL`. Shows the progress on standard error.
///
/// # Errors
/// The error names what to do. Refusals change neither database; after any other error, and after a kill, the next run goes
/// on where this one ended.
pub(crate) async fn run(config: &Config, to: Option<&str>) -> anyhow::Result<Copied> {
    let to = to.unwrap_or(&config.database_url);
    ensure!(is_postgres(to), "--to: must be the URL of a PostgreSQL, such as postgres://user@host/linkgraph");
    let from = if is_postgres(&config.database_url) { config.sqlite_url() } else { config.database_url.clone() };
    source::must_exist(&from)?;
    let clicks = config.data_dir.join("clicks");
    let lock = DirectoryLock::take(&clicks).context("stop linkgraph before its database is copied")?;
    let id = ClickLog::identity(&clicks)?;
    let secret = signing_secret::kept(config)?;
    let mut source = Source::open(&from).await?;
    let config = Config { database_url: to.to_owned(), ..config.clone() };
    let mut target = Target::open(&config, id).await?;
    let tables = target.tables().await?;
    schema::compare(&tables, &source.columns().await?)?;

    let mut progress = Progress::new(source.count_all(&tables).await?);
    for table in &tables {
        progress.begin(&table.name, target.count(table).await?);
        copy_table(&mut source, &mut target, table, &mut progress).await.with_context(|| {
            format!("{}: can't be copied; `linkgraph copy` can be run again, and goes on", table.name)
        })?;
        progress.end();
    }
    let mut rows = 0;
    for table in &tables {
        progress.verify(&table.name);
        rows += verify(&mut source, &mut target, table).await?;
    }
    progress.clear();
    let sequences = source.sequences().await?;
    target.finish(&tables, &sequences, secret).await.context("the copy can't be finished")?;
    drop(lock);
    Ok(Copied { tables: tables.len(), rows })
}

/// Copies the rows that the target lacks.
async fn copy_table(
    source: &mut Source,
    target: &mut Target,
    table: &Table,
    progress: &mut Progress,
) -> anyhow::Result<()> {
    let last = target.last_key(table).await?;
    let mut rows = source.rows(table, last);
    let mut chunk = Chunk::new(table);
    loop {
        let row = rows.try_next().await?;
        let is_last = row.is_none();
        row.into_iter().for_each(|row| chunk.push(row));
        if chunk.is_full() || (is_last && chunk.rows() > 0) {
            let copied = chunk.rows();
            target.insert(table, std::mem::replace(&mut chunk, Chunk::new(table))).await?;
            progress.add(copied);
        }
        if is_last {
            return Ok(());
        }
    }
}

/// Compares number and checksum of all rows, and answers the number.
async fn verify(source: &mut Source, target: &mut Target, table: &Table) -> anyhow::Result<u64> {
    let (here, there) = try_join!(digest(source.rows(table, None)), digest(target.rows(table, None)))
        .with_context(|| format!("{}: can't be verified", table.name))?;
    if here.rows != there.rows {
        bail!("{}: {} rows were copied, but the target has {}; {ANEW}", table.name, here.rows, there.rows);
    }
    ensure!(here == there, "{}: the target's rows differ from those that were copied; {ANEW}", table.name);
    Ok(here.rows)
}

const ANEW: &str = "begin anew with an empty database";
