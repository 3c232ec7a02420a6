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
