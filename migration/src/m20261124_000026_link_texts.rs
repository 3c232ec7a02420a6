//! A link's title, notes, and id in another system; and an index by destination.
//!
//! `search_text` has title and notes in lower case, since SQLite folds the case of ASCII alone. It is read by no list.

use sea_orm::DatabaseBackend;

use crate::prelude::*;

pub(crate) struct Migration;

const COLUMNS: [&str; 4] = ["title", "notes", "external_id", "search_text"];

/// The id of a link elsewhere is unique in its account. A destination has at most 2,049 bytes: with the other columns less than
/// the 2,704 that an entry of PostgreSQL's B-trees may have.
const INDEXES: [(&str, &str); 2] = [
    (
        "links_external_id",
        "CREATE UNIQUE INDEX links_external_id ON links (account_id, external_id) WHERE external_id IS NOT NULL",
    ),
    ("links_destination", "CREATE INDEX links_destination ON links (account_id, destination_url, id)"),
];

/// As for slugs and destinations: see the migration of `links`.
const SEARCH_INDEX: &str = "
DO $$ BEGIN
    CREATE INDEX links_search_text ON links USING gin (search_text gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR undefined_object OR feature_not_supported THEN
    RAISE NOTICE 'pg_trgm is not available: link searches will not use an index';
END $$";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // SQLite adds one column at a time.
        for column in COLUMNS {
            manager.alter_table(Table::alter().table("links").add_column(text_null(column)).to_owned()).await?;
        }
        let connection = manager.get_connection();
        for (_, index) in INDEXES {
            connection.execute_unprepared(index).await?;
        }
        if manager.get_database_backend() == DatabaseBackend::Postgres {
            connection.execute_unprepared(SEARCH_INDEX).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (name, _) in INDEXES {
            manager.drop_index(Index::drop().name(name).table("links").to_owned()).await?;
        }
        for column in COLUMNS {
            manager.alter_table(Table::alter().table("links").drop_column(column).to_owned()).await?;
        }
        Ok(())
    }
}
