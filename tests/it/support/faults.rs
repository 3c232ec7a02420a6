//! A SQLite that fails where a test says.

use rand::{Rng, rngs::StdRng};
use sea_orm::sqlx::{self, AssertSqlSafe, sqlite::SqlitePool};

use super::eventually;

/// As many pages as SQLite ever takes.
const MAX_PAGES: i64 = 0xffff_fffe;

/// How SQLite's writing connection is made to fail.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fault {
    /// `SQLITE_FULL` once the file has so many pages more.
    Full(i64),
    /// `SQLITE_INTERRUPT`, once, after so many steps of its virtual machine.
    Interrupt(u32),
    /// The commit after so many others becomes a rollback.
    Veto(u32),
}

/// Makes the connection fail from now on, or no longer.
pub(crate) async fn arm(writer: &SqlitePool, fault: Option<Fault>) {
    // A checkpoint that waits for readers keeps it for longer than a change waits for it.
    let mut connection = eventually("the connection is free", async || writer.acquire().await.ok()).await;
    {
        let mut handle = connection.lock_handle().await.unwrap();
        handle.remove_progress_handler();
        handle.remove_commit_hook();
    }
    let pages: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(&mut *connection).await.unwrap();
    let limit = if let Some(Fault::Full(more)) = fault { pages + more } else { MAX_PAGES };
    let limit = AssertSqlSafe(format!("PRAGMA max_page_count = {limit}"));
    sqlx::query(limit).execute(&mut *connection).await.unwrap();
    let mut handle = connection.lock_handle().await.unwrap();
    let mut is_due = {
        let mut left = match fault {
            Some(Fault::Interrupt(after) | Fault::Veto(after)) => after,
            _ => 0,
        };
        move || {
            let is_due = left == 0;
            left = left.wrapping_sub(1);
            is_due
        }
    };
    match fault {
        Some(Fault::Interrupt(_)) => {
            let database = handle.as_raw_handle().as_ptr() as usize;
            handle.set_progress_handler(1, move || {
                if is_due() {
                    interrupt(database);
                }
                true
            });
        }
        Some(Fault::Veto(_)) => handle.set_commit_hook(move || !is_due()),
        Some(Fault::Full(_)) | None => {}
    }
}

/// A progress handler that ends a statement itself may do so after its commit. This is what another thread would do.
#[expect(unsafe_code, reason = "sqlx has no interrupt")]
fn interrupt(database: usize) {
    // SAFETY: the connection calls this while it executes a statement, so that it is open.
    unsafe { libsqlite3_sys::sqlite3_interrupt(database as *mut libsqlite3_sys::sqlite3) }
}

pub(crate) fn any_fault(random: &mut StdRng) -> Fault {
    match random.random_range(0..4) {
        0 => Fault::Full(random.random_range(0..2)),
        1 => Fault::Veto(0),
        // Short statements and long transactions alike.
        _ => Fault::Interrupt(2_u32.pow(random.random_range(1..13)) + random.random_range(0..50)),
    }
}
