//! Documents of days are found by a small index of their own. SQLite keeps what is longer than a quarter of a page elsewhere
//! when it stands in a key's tree, and reads all of it for each key that it compares on the way: a table holds whole pages.

use sea_orm::DatabaseBackend;

use crate::prelude::*;

pub(crate) struct Migration;

/// Copies the documents into a table made with these options; PostgreSQL's is one with an index already.
async fn copy(manager: &SchemaManager<'_>, options: &str) -> Result<(), DbErr> {
    if manager.get_database_backend() != DatabaseBackend::Sqlite {
        return Ok(());
    }
    for statement in [
        &*format!(
            "CREATE TABLE click_days_copy (day int NOT NULL, subject uuid_text NOT NULL, slots blob NOT NULL, \
             tops blob NOT NULL, PRIMARY KEY (day, subject)){options}"
        ),
        "INSERT INTO click_days_copy SELECT day, subject, slots, tops FROM click_days ORDER BY day, subject",
        "DROP TABLE click_days",
        "ALTER TABLE click_days_copy RENAME TO click_days",
    ] {
        manager.get_connection().execute_unprepared(statement).await?;
    }
    Ok(())
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        copy(manager, "").await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        copy(manager, " WITHOUT ROWID").await
    }
}
