//! Roll-ups of clicks: a document for each day and link or account, and who was seen on the day.
//!
//! `clicks` is found by link and time only, so that is its primary key: one tree to write at ingest instead of three
//! (SQLite) or two (PostgreSQL).

use sea_orm::DatabaseBackend;

use crate::prelude::*;

pub(crate) struct Migration;

/// The day stands first: what ingest writes at present lies together.
const TABLES: [(&str, &str); 2] = [
    (
        "click_days",
        "day int NOT NULL, subject UUID NOT NULL, slots BYTES NOT NULL, tops BYTES NOT NULL, PRIMARY KEY (day, subject)",
    ),
    (
        "click_visitors",
        "day int NOT NULL, account_id UUID NOT NULL, visitor BYTES NOT NULL, link_id UUID NOT NULL, \
         PRIMARY KEY (day, account_id, visitor, link_id)",
    ),
];

/// Columns of `clicks` before this change, with their types as SQLite declares them.
const COLUMNS: &str = "id, link_id, clicked_at, visitor, is_bot, browser, os, device, referrer_host, country, language, \
                       utm_source, utm_medium, utm_campaign";
const DEFINITIONS: &str = "id uuid_text NOT NULL, link_id uuid_text NOT NULL, clicked_at bigint NOT NULL, \
                           visitor varbinary_blob(16) NOT NULL, is_bot boolean NOT NULL, browser text, os text, \
                           device text, referrer_host text, country text, language text, utm_source text, \
                           utm_medium text, utm_campaign text";

/// Clicks that the roll-ups don't count yet: those stored before them. Empty as soon as ingest has passed over them.
const NOT_COUNTED: &str =
    "CREATE INDEX clicks_not_counted ON clicks (clicked_at, link_id, id) WHERE new_to_link IS NULL";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        let is_sqlite = manager.get_database_backend() == DatabaseBackend::Sqlite;
        for (name, columns) in TABLES {
            let (uuid, bytes, end) =
                if is_sqlite { ("uuid_text", "blob", " WITHOUT ROWID") } else { ("uuid", "bytea", "") };
            let columns = columns.replace("UUID", uuid).replace("BYTES", bytes);
            connection.execute_unprepared(&format!("CREATE TABLE {name} ({columns}){end}")).await?;
        }
        let statements = if is_sqlite {
            vec![
                format!(
                    "CREATE TABLE clicks_by_link ({DEFINITIONS}, new_to_link boolean, new_to_account boolean, \
                     PRIMARY KEY (link_id, clicked_at, id)) WITHOUT ROWID"
                ),
                format!(
                    "INSERT INTO clicks_by_link ({COLUMNS}) SELECT {COLUMNS} FROM clicks ORDER BY link_id, clicked_at, id"
                ),
                "DROP TABLE clicks".to_owned(),
                "ALTER TABLE clicks_by_link RENAME TO clicks".to_owned(),
            ]
        } else {
            vec![
                "ALTER TABLE clicks DROP CONSTRAINT clicks_pkey, ADD PRIMARY KEY (link_id, clicked_at, id), \
                 ADD COLUMN new_to_link boolean, ADD COLUMN new_to_account boolean"
                    .to_owned(),
                "DROP INDEX clicks_link".to_owned(),
                // Documents are compact, and stay in their rows as long as these fit on a page.
                "ALTER TABLE click_days ALTER COLUMN slots SET STORAGE EXTERNAL, \
                 ALTER COLUMN tops SET STORAGE EXTERNAL, SET (toast_tuple_target = 8160)"
                    .to_owned(),
            ]
        };
        for statement in statements.iter().map(String::as_str).chain([NOT_COUNTED]) {
            connection.execute_unprepared(statement).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        let index = "CREATE INDEX clicks_link ON clicks (link_id, clicked_at, id)";
        let statements = if manager.get_database_backend() == DatabaseBackend::Sqlite {
            vec![
                format!("CREATE TABLE clicks_by_id ({DEFINITIONS}, PRIMARY KEY (id))"),
                format!("INSERT INTO clicks_by_id ({COLUMNS}) SELECT {COLUMNS} FROM clicks ORDER BY id"),
                "DROP TABLE clicks".to_owned(),
                "ALTER TABLE clicks_by_id RENAME TO clicks".to_owned(),
                index.to_owned(),
            ]
        } else {
            vec![
                "DROP INDEX clicks_not_counted".to_owned(),
                "ALTER TABLE clicks DROP CONSTRAINT clicks_pkey, ADD PRIMARY KEY (id), \
                 DROP COLUMN new_to_link, DROP COLUMN new_to_account"
                    .to_owned(),
                index.to_owned(),
            ]
        };
        for statement in statements {
            connection.execute_unprepared(&statement).await?;
        }
        for (name, _) in TABLES {
            manager.drop_table(Table::drop().table(name).to_owned()).await?;
        }
        Ok(())
    }
}
