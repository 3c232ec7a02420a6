//! Whether other processes have changed an SQLite file: commands that run beside the service.

use std::{str::FromStr, sync::Arc};

use sea_orm::{
    DbErr, RuntimeErr,
    sqlx::{Connection, Error, query_scalar, sqlite},
};

/// A connection that changes nothing and reads no table. `PRAGMA data_version` answers another number once any other connection
/// has committed (<https://sqlite.org/pragma.html#pragma_data_version>), from memory that the processes share.
#[derive(Debug)]
pub struct OtherCommits {
    url: String,
    connection: Option<sqlite::SqliteConnection>,
    /// Connections so far: the numbers of two can't be compared.
    connections: u64,
}

/// Differs from an earlier one if anything may have been committed in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    connection: u64,
    data: i64,
}

impl OtherCommits {
    /// Watches the SQLite at this URL; connects at the first question.
    pub fn new(url: &str) -> Self {
        OtherCommits { url: url.to_owned(), connection: None, connections: 0 }
    }

    /// The present version of the data.
    pub async fn version(&mut self) -> Result<Version, DbErr> {
        let data = self.ask().await;
        if data.is_err() {
            self.connection = None;
        }
        let data = data.map_err(|error| DbErr::Query(RuntimeErr::SqlxError(Arc::new(error))))?;
        Ok(Version { connection: self.connections, data })
    }

    async fn ask(&mut self) -> Result<i64, Error> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            none => {
                let options = sqlite::SqliteConnectOptions::from_str(&self.url)?.create_if_missing(false);
                self.connections += 1;
                none.insert(sqlite::SqliteConnection::connect_with(&options).await?)
            }
        };
        query_scalar("PRAGMA data_version").fetch_one(connection).await
    }

    /// Closes the connection.
    pub async fn close(self) {
        if let Some(connection) = self.connection {
            let _ = connection.close().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use sea_orm::sqlx::{AssertSqlSafe, query};
    use uuid::Uuid;

    use super::*;

    #[tokio::test]
    async fn a_commit_of_another_connection_is_another_version() {
        let file = std::env::temp_dir().join(format!("linkgraph-test-{}.db", Uuid::now_v7()));
        let url = format!("sqlite://{}", file.display());
        let options = sqlite::SqliteConnectOptions::from_str(&url).unwrap().create_if_missing(true);
        let options = options.journal_mode(sqlite::SqliteJournalMode::Wal);
        let mut writer = sqlite::SqliteConnection::connect_with(&options).await.unwrap();
        let mut execute = async |sql: &str| query(AssertSqlSafe(sql.to_owned())).execute(&mut writer).await.unwrap();
        let mut commits = OtherCommits::new(&url);
        let mut seen = commits.version().await.unwrap();
        for sql in ["CREATE TABLE t (a)", "INSERT INTO t VALUES (1)", "DELETE FROM t"] {
            execute(sql).await;
            let version = commits.version().await.unwrap();
            assert_ne!(version, seen, "{sql}");
            assert_eq!(commits.version().await.unwrap(), version);
            seen = version;
        }
        execute("BEGIN IMMEDIATE").await;
        execute("INSERT INTO t VALUES (2)").await;
        assert_eq!(commits.version().await.unwrap(), seen, "nothing is committed");
        execute("COMMIT").await;
        assert_ne!(commits.version().await.unwrap(), seen);
        let (times, since) = (1_000, Instant::now());
        for _ in 0..times {
            commits.version().await.unwrap();
        }
        println!("{:?} each", since.elapsed() / times);
        commits.connection = None;
        let last = commits.version().await.unwrap();
        assert_ne!(last, seen, "a new connection can't tell");
        commits.close().await;
        for suffix in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{suffix}", file.display()));
        }
    }
}
