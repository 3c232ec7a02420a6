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

    /// Refuses connections and ends those that there are, or lets them in again.
    pub(crate) async fn allow_connections(&self, allowed: bool) {
        let name = &self.database;
        let alter = format!("ALTER DATABASE {name} ALLOW_CONNECTIONS {allowed}");
        self.connection.execute_unprepared(&alter).await.unwrap();
        let end = format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'");
        self.connection.execute_unprepared(&end).await.unwrap();
    }
}
