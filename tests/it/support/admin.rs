//! The database server's administration.

use sea_orm::{ConnectionTrait, DatabaseConnection};

use super::{TestDatabase, connections};

/// The server's administration, from another database.
pub(crate) struct Admin {
    connection: DatabaseConnection,
    database: String,
}

impl Admin {
    pub(crate) async fn of(database: &TestDatabase) -> Self {
        let url = std::env::var("LINKGRAPH_TEST_POSTGRES_URL").unwrap();
        let (_, name) = database.url.as_ref().unwrap().rsplit_once('/').unwrap();
        Admin { connection: connections(url).await, database: name.to_owned() }
    }

    /// Refuses connections and ends those that there are, or accepts connections again.
    pub(crate) async fn allow_connections(&self, allowed: bool) {
        let alter = format!("ALTER DATABASE {} ALLOW_CONNECTIONS {allowed}", self.database);
        self.connection.execute_unprepared(&alter).await.unwrap();
        if !allowed {
            self.end_connections().await;
        }
    }

    /// Ends all connections that there are, and waits until they have ended.
    pub(crate) async fn end_connections(&self) {
        let sql = format!(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '{}'",
            self.database
        );
        self.connection.execute_unprepared(&sql).await.unwrap();
    }
}
