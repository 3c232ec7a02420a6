//! Notices what other processes commit to an SQLite.

use std::{path::Path, sync::Arc, time::Duration};

use tokio::time::sleep;

use super::Health;

/// How often to look at SQLite's write-ahead log for commits of other processes: commands that run beside the service.
const OTHERS: Duration = Duration::from_millis(250);

/// Notes commits of other processes, by the length and the time of SQLite's write-ahead log, to which each commit is written
/// (<https://sqlite.org/wal.html>). Own commits are noted as well, a second time. SQLite is not asked.
pub(super) async fn watch_log(database: &Path, health: Arc<Health>) {
    // SQLite puts its log beside the file that a symbolic link leads to.
    let file = tokio::fs::canonicalize(database).await;
    let mut log = file.unwrap_or_else(|_| database.to_owned()).into_os_string();
    log.push("-wal");
    let stamp = async || {
        let found = tokio::fs::metadata(&log).await.ok()?;
        Some((found.len(), found.modified().ok()?))
    };
    let (mut seen, mut has_changed) = (stamp().await, false);
    loop {
        sleep(OTHERS).await;
        let found = stamp().await;
        // Once more after a change: a commit that follows it within the file system's resolution of time may leave the stamp.
        let had_changed = std::mem::replace(&mut has_changed, found != seen);
        if has_changed || had_changed {
            health.note_commit();
        }
        seen = found;
    }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use sea_orm::sqlx::{AssertSqlSafe, ConnectOptions, Connection, query, sqlite};
    use tokio::time::timeout;
    use uuid::Uuid;

    use super::*;
    use crate::base::file;

    #[tokio::test]
    async fn commits_of_other_processes_are_noted() {
        let folder = std::env::temp_dir().join(format!("linkgraph-test-{}", Uuid::now_v7()));
        file::create_folder(&folder).unwrap();
        let database = folder.join("it.db");
        let options = sqlite::SqliteConnectOptions::from_str(&format!("sqlite://{}", database.display())).unwrap();
        let options = options.create_if_missing(true).journal_mode(sqlite::SqliteJournalMode::Wal);
        let mut other = options.connect().await.unwrap();
        let link = folder.join("link.db");
        std::os::unix::fs::symlink(&database, &link).unwrap();
        let health = Arc::<Health>::default();
        let mut commits = health.commits();
        let watching = tokio::spawn({
            let health = Arc::clone(&health);
            async move { watch_log(&link, health).await }
        });
        for sql in
            ["CREATE TABLE t (a)", "INSERT INTO t VALUES (1)", "PRAGMA wal_checkpoint", "INSERT INTO t VALUES (2)"]
        {
            // At rest nothing is noted.
            while timeout(OTHERS * 3, commits.changed()).await.is_ok() {}
            query(AssertSqlSafe(sql.to_owned())).execute(&mut other).await.unwrap();
            if !sql.starts_with("PRAGMA") {
                timeout(Duration::from_secs(20), commits.changed()).await.unwrap().unwrap();
            }
        }
        watching.abort();
        other.close().await.unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
