//! Connections to an SQLite: its file, its options, and what sqlx leaves to be looked after.

use std::{
    path::PathBuf,
    str::FromStr,
    sync::{Arc, LazyLock, Once},
    time::Duration,
};

use libsqlite3_sys::{
    SQLITE_CONFIG_MEMSTATUS, SQLITE_DBCONFIG_ENABLE_QPSG, SQLITE_OK, sqlite3_config, sqlite3_db_config,
    sqlite3_get_autocommit,
};
use sea_orm::{
    ConnectOptions, ConnectionTrait,
    sqlx::{self, Connection, Executor, sqlite},
};

use super::{handles::Handle, health::Health, interrupt::Interrupt, options::common, purpose::Purpose};
use crate::base::{file, machine, priority};

/// Bytes that a connection that reads for requests caches at most.
const READ_CACHE: u64 = 16 << 20;
/// Bytes that any other connection that reads caches at most: what it reads is seldom read again.
const OTHER_CACHE: u64 = 4 << 20;
/// Steps of SQLite's machine after which a statement looks whether it is to end: less than a tenth of a millisecond.
const STEPS: i32 = 10_000;
/// The part of the memory that the connection that writes caches.
const WRITE_CACHE_PART: u64 = 16;
/// Bytes that it caches at least, however little memory there is.
const WRITE_CACHE_LEAST: u64 = 64 << 20;
/// Bytes that it caches at most, however much memory there is.
const WRITE_CACHE_MOST: u64 = 320 << 20;

/// Bytes that the connection that writes caches at most. The pages that a transaction changes have to fit: a page that does
/// not is written to the log before the commit, and once more when it changes again.
pub(crate) fn write_cache() -> u64 {
    static BYTES: LazyLock<u64> = LazyLock::new(|| {
        let part = machine::memory().unwrap_or_default() / WRITE_CACHE_PART;
        part.clamp(WRITE_CACHE_LEAST, WRITE_CACHE_MOST)
    });
    *BYTES
}

/// The file of a SQLite database; none for PostgreSQL, and for what is no URL.
pub(crate) fn sqlite_file(url: &str) -> Option<PathBuf> {
    let options = url.starts_with("sqlite:").then(|| sqlite::SqliteConnectOptions::from_str(url))?;
    Some(options.ok()?.get_filename().to_owned())
}

/// Creates the file of a SQLite database, if it does not exist, readable by its owner only: SQLite would make it readable for
/// everyone, and gives the files beside it the same mode. An existing file is not opened, since closing it would release SQLite's
/// locks on it. Errors are left to SQLite, which reports them when it opens the file.
pub(super) fn create_file(url: &str) {
    if let Some(file) = sqlite_file(url) {
        let _ = file::private().create_new(true).open(file);
    }
}

/// Options of a connection that reads an SQLite, whose statements the interrupt ends.
pub(super) fn reading(url: &str, purpose: Purpose, interrupt: &Arc<Interrupt>) -> ConnectOptions {
    let cache = if purpose == Purpose::Requests { READ_CACHE } else { OTHER_CACHE };
    options(url, cache, Some((purpose, Arc::clone(interrupt))))
}

/// Options of the connection that writes to an SQLite.
pub(super) fn writing(url: &str) -> ConnectOptions {
    options(url, write_cache(), None)
}

/// `reads`: none for the connection that writes.
fn options(url: &str, cache: u64, reads: Option<(Purpose, Arc<Interrupt>)>) -> ConnectOptions {
    let mut options = common(url);
    options.map_sqlx_sqlite_pool_opts(move |pool| {
        let (connected, writes) = (reads.clone(), reads.is_none());
        let pool = pool.after_connect(move |connection, _| Box::pin(prepare(connection, connected.clone())));
        pool.after_release(move |connection, _| Box::pin(is_at_rest(connection, writes)))
    });
    options.map_sqlx_sqlite_opts(move |sqlite| {
        sqlite
            .create_if_missing(true)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(5))
            .journal_mode(sqlite::SqliteJournalMode::Wal)
            // Acknowledged changes survive a power cut too.
            .synchronous(sqlite::SqliteSynchronous::Full)
            // In KiB, negative: https://sqlite.org/pragma.html#pragma_cache_size
            .pragma("cache_size", format!("-{}", cache >> 10))
            // 64 MiB, as much as the limit below keeps: ingest changes the same pages again and again, and each is copied
            // into the database once for all changes since the last time. The usual 4 MiB are less than one batch.
            .pragma("wal_autocheckpoint", "16384")
            .pragma("journal_size_limit", "67108864")
            .pragma("temp_store", "memory")
    });
    options
}

/// Turns off SQLite's memory statistics, which nothing here reads: they take a lock at each allocation, shared by all connections
/// (<https://sqlite.org/compileoption.html#recommended_compile_time_options>).
#[expect(unsafe_code, reason = "the library that compiles SQLite sets no such option")]
pub(super) fn count_no_memory() {
    static ONCE: Once = Once::new();
    // SAFETY: the type is this option's, and no connection is being opened meanwhile; a SQLite that is in use refuses it.
    ONCE.call_once(|| _ = unsafe { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0_i32) });
}

/// Prepares a new connection.
async fn prepare(
    connection: &mut sqlite::SqliteConnection,
    reads: Option<(Purpose, Arc<Interrupt>)>,
) -> Result<(), sqlx::Error> {
    keep_plans(connection).await?;
    if let Some((purpose, interrupt)) = reads {
        let known = Arc::clone(&interrupt);
        // Called by the connection's thread: once, since the statement is short.
        connection.lock_handle().await?.set_progress_handler(1, move || {
            known.executed_here();
            if purpose == Purpose::Redirects
                && let Err(error) = priority::as_soon_as_it_wakes()
            {
                tracing::debug!(%error, "Look-ups of redirects wait for their turn as everything else does");
            }
            true
        });
        connection.execute("SELECT 1").await?;
        connection.lock_handle().await?.set_progress_handler(STEPS, move || interrupt.may_go_on());
    }
    Ok(())
}

/// Makes plans depend on statements alone (<https://sqlite.org/queryplanner-ng.html#qpstab>). Otherwise SQLite plans a statement
/// with `LIMIT ?` anew at each execution, for its number, which takes longer than most of our statements.
#[expect(unsafe_code, reason = "SQLite has no pragma for it")]
async fn keep_plans(connection: &mut sqlite::SqliteConnection) -> Result<(), sqlx::Error> {
    let mut handle = connection.lock_handle().await?;
    let (option, is_wanted, is_set) = (SQLITE_DBCONFIG_ENABLE_QPSG, 1_i32, std::ptr::null_mut::<i32>());
    // SAFETY: the handle is locked, and these are the types of this option's arguments; the last may be null.
    let code = unsafe { sqlite3_db_config(handle.as_raw_handle().as_ptr(), option, is_wanted, is_set) };
    if code == SQLITE_OK { Ok(()) } else { Err(sqlx::Error::Configuration("SQLite does not keep plans".into())) }
}

/// Whether a released connection has no open transaction, according to both sqlx and SQLite. Otherwise it is closed.
///
/// SQLite ends a transaction by itself on some errors. sqlx-sqlite 0.9.0 then counts it as open for ever: later transactions
/// would be savepoints within one that is never committed (docs/upstream.md). Of a connection that only reads, SQLite is not
/// asked if sqlx counts no transaction as open, since that takes as long as a short statement.
#[expect(unsafe_code, reason = "sqlx asks only once, after BEGIN")]
async fn is_at_rest(connection: &mut sqlite::SqliteConnection, writes: bool) -> Result<bool, sqlx::Error> {
    if !writes && !connection.is_in_transaction() {
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

/// How changes move from SQLite's write-ahead log into the file (<https://sqlite.org/pragma.html#pragma_wal_checkpoint>).
#[derive(Clone, Copy, Debug)]
pub(crate) enum Checkpoint {
    /// Moves the changes that no reader needs in the log, without waiting. If these are all, the next change begins the log anew.
    Passive,
    /// Moves all changes, so that the log is empty. Waits up to 5 s for readers, and blocks changes meanwhile.
    Truncate,
}

pub(super) async fn checkpoint(write: &Handle, how: Checkpoint) -> Result<(), sea_orm::DbErr> {
    let sql = match how {
        Checkpoint::Passive => "PRAGMA wal_checkpoint(PASSIVE)",
        Checkpoint::Truncate => "PRAGMA wal_checkpoint(TRUNCATE)",
    };
    write.execute_unprepared(sql).await.map(drop)
}

/// Empties SQLite's write-ahead log when there is no room for a change: its content moves into the file, mostly to existing
/// pages. Otherwise a disk that has some room again might never store a change.
pub(super) async fn make_room(write: Handle, health: Arc<Health>) {
    loop {
        health.needs_room().await;
        // A failure is ignored: the refused change was logged.
        let _ = checkpoint(&write, Checkpoint::Truncate).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
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
