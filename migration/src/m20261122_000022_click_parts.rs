//! Documents of days tell which clicks of a value were in which quarter of an hour. What batches add to large ones waits
//! in a table of its own, and their months have documents.

use sea_orm::DatabaseBackend;

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let statements = if manager.get_database_backend() == DatabaseBackend::Sqlite {
            [
                "ALTER TABLE click_days ADD COLUMN parts blob NOT NULL DEFAULT x''",
                "CREATE TABLE click_day_deltas (subject uuid_text NOT NULL, day int NOT NULL, seq int NOT NULL, \
                 slots blob NOT NULL, tops blob NOT NULL, parts blob NOT NULL, PRIMARY KEY (subject, day, seq))",
                "CREATE INDEX click_day_deltas_day ON click_day_deltas (day)",
                "CREATE TABLE click_months (subject uuid_text NOT NULL, month int NOT NULL, tops blob NOT NULL, \
                 PRIMARY KEY (subject, month))",
            ]
            .as_slice()
        } else {
            [
                "ALTER TABLE click_days ADD COLUMN parts bytea NOT NULL DEFAULT ''",
                "ALTER TABLE click_days ALTER COLUMN parts SET STORAGE EXTERNAL",
                "CREATE TABLE click_day_deltas (subject uuid NOT NULL, day int NOT NULL, seq int NOT NULL, \
                 slots bytea NOT NULL, tops bytea NOT NULL, parts bytea NOT NULL, PRIMARY KEY (subject, day, seq))",
                "CREATE INDEX click_day_deltas_day ON click_day_deltas (day)",
                "CREATE TABLE click_months (subject uuid NOT NULL, month int NOT NULL, tops bytea NOT NULL, \
                 PRIMARY KEY (subject, month))",
                "ALTER TABLE click_months ALTER COLUMN tops SET STORAGE EXTERNAL",
            ]
            .as_slice()
        };
        for statement in statements {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["click_months", "click_day_deltas"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        manager.get_connection().execute_unprepared("ALTER TABLE click_days DROP COLUMN parts").await?;
        Ok(())
    }
}
