//! On PostgreSQL, the clicks of a month are a table of their own; ingest makes it with the month's first click (`ingest/months.rs`).
//! The table from before stays as it is, and has the clicks up to the end of this month.

use sea_orm::{DatabaseBackend, Statement};

use crate::prelude::*;

pub(crate) struct Migration;

const NOT_COUNTED: &str =
    "CREATE INDEX clicks_not_counted ON clicks (clicked_at, link_id, id) WHERE new_to_link IS NULL";

/// The month after the last click, and after now: its name, and its begin in milliseconds of Unix time. None without clicks.
const FOLLOWING: &str = "\
    SELECT to_char(following, 'YYYY_MM'), CAST(extract(epoch FROM following) * 1000 AS bigint) FROM ( \
    SELECT date_trunc('month', greatest(now(), to_timestamp(max(clicked_at) / 1000.0)) AT TIME ZONE 'UTC') \
    + interval '1 month' AS following FROM clicks HAVING count(*) > 0) AS clicked";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let (backend, connection) = (manager.get_database_backend(), manager.get_connection());
        if backend != DatabaseBackend::Postgres {
            return Ok(());
        }
        let mut statements = vec![
            "ALTER TABLE clicks RENAME TO clicks_before".to_owned(),
            "ALTER INDEX clicks_pkey RENAME TO clicks_before_pkey".to_owned(),
            "ALTER INDEX clicks_not_counted RENAME TO clicks_before_not_counted".to_owned(),
            "CREATE TABLE clicks (LIKE clicks_before, PRIMARY KEY (link_id, clicked_at, id)) \
             PARTITION BY RANGE (clicked_at)"
                .to_owned(),
            NOT_COUNTED.to_owned(),
        ];
        match connection.query_one_raw(Statement::from_string(backend, FOLLOWING)).await? {
            Some(following) => {
                let (name, begin): (String, i64) = (following.try_get_by_index(0)?, following.try_get_by_index(1)?);
                let before = format!("clicks_before_{name}");
                statements.extend([
                    format!("ALTER TABLE clicks_before RENAME TO {before}"),
                    format!("ALTER INDEX clicks_before_pkey RENAME TO {before}_pkey"),
                    format!("ALTER INDEX clicks_before_not_counted RENAME TO {before}_not_counted"),
                    // Reads the table once, to see that all are of this time.
                    format!("ALTER TABLE clicks ATTACH PARTITION {before} FOR VALUES FROM (MINVALUE) TO ({begin})"),
                ]);
            }
            None => statements.push("DROP TABLE clicks_before".to_owned()),
        }
        for statement in statements {
            connection.execute_unprepared(&statement).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let (backend, connection) = (manager.get_database_backend(), manager.get_connection());
        if backend != DatabaseBackend::Postgres {
            return Ok(());
        }
        for statement in [
            "CREATE TABLE clicks_whole (LIKE clicks)",
            "INSERT INTO clicks_whole SELECT * FROM clicks",
            "DROP TABLE clicks",
            "ALTER TABLE clicks_whole RENAME TO clicks",
            "ALTER TABLE clicks ADD PRIMARY KEY (link_id, clicked_at, id)",
            NOT_COUNTED,
        ] {
            connection.execute_unprepared(statement).await?;
        }
        Ok(())
    }
}
