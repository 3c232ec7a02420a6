//! The check of a SQLite file for damage.

use std::{sync::Arc, time::Duration};

use sea_orm::{
    DatabaseBackend, DbErr, RuntimeErr,
    sqlx::{self, ConnectOptions, Connection},
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
        let mut connection = options.connect().await.map_err(query_error)?;
        connection.lock_handle().await.map_err(query_error)?.set_progress_handler(STEPS, move || !stop.is_cancelled());
        let findings =
            sqlx::query_scalar("PRAGMA quick_check(1)").fetch_all(&mut connection).await.map_err(query_error)?;
        connection.close().await.map_err(query_error)?;
        Ok(findings.into_iter().find(|finding: &String| finding != "ok"))
    }
}

fn query_error(error: sqlx::Error) -> DbErr {
    DbErr::Query(RuntimeErr::SqlxError(Arc::new(error)))
}
