//! The check of a SQLite file for damage.

use std::{sync::Arc, time::Duration};

use sea_orm::{
    DatabaseBackend, DbErr, RuntimeErr,
    sqlx::{self, ConnectOptions, Connection, sqlite::SqliteConnectOptions},
};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::{Db, Fault};

/// How long readiness waits for the check of the file. A larger file is checked while it is used.
const WAIT: Duration = Duration::from_secs(2);
/// Steps of SQLite's virtual machine between two looks at whether to stop.
const STEPS: i32 = 10_000;

impl Db {
    /// Checks the SQLite file once, on a connection of its own, and notes damage. PostgreSQL checks its files itself.
    pub(crate) async fn check_integrity(&self, stop: CancellationToken) {
        if self.backend() == DatabaseBackend::Sqlite {
            match self.damage(stop.clone()).await {
                Ok(None) => {}
                Ok(Some(finding)) => self.health.note_damage(&finding),
                Err(_) if stop.is_cancelled() => {}
                Err(error) if Fault::of(&error) == Some(Fault::Damaged) => self.health.note_damage(&error.to_string()),
                Err(error) => tracing::warn!(cause = %error, "The database's file could not be looked through"),
            }
        }
        self.health.note_checked();
    }

    /// Whether no damage is known. Waits for the check to end, but at most [`WAIT`].
    pub(super) async fn is_whole(&self) -> bool {
        let _ = timeout(WAIT, self.health.checked()).await;
        !self.health.is_damaged()
    }

    /// The first damage that is found; `None` if there is none.
    async fn damage(&self, stop: CancellationToken) -> Result<Option<String>, DbErr> {
        let options = self.read.pool().current().first().get_sqlite_connection_pool().connect_options();
        let damage = first_damage(&options, false, stop).await;
        damage.map_err(|error| DbErr::Query(RuntimeErr::SqlxError(Arc::new(error))))
    }
}

/// The first damage that is found in a SQLite database; `None` if there is none. `is_deep`: indexes are compared with their tables, too,
/// which takes several times as long.
pub(crate) async fn first_damage(
    options: &SqliteConnectOptions,
    is_deep: bool,
    stop: CancellationToken,
) -> Result<Option<String>, sqlx::Error> {
    let mut connection = options.connect().await?;
    connection.lock_handle().await?.set_progress_handler(STEPS, move || !stop.is_cancelled());
    let check = if is_deep { "PRAGMA integrity_check(1)" } else { "PRAGMA quick_check(1)" };
    let findings = sqlx::query_scalar(check).fetch_all(&mut connection).await?;
    connection.close().await?;
    Ok(findings.into_iter().find(|finding: &String| finding != "ok"))
}
