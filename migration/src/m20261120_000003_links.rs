//! Links, with the index that a substring search can use where the database has one.

use sea_orm::DatabaseBackend;

use crate::prelude::*;

pub(crate) struct Migration;

/// PostgreSQL's trigram index serves `ILIKE '%…%'`. `pg_trgm` is a trusted extension, so the database's owner may
/// create it; where even that is forbidden, or a compatible database lacks it, searches scan the account's links.
const SEARCH_INDEX: &str = "
DO $$ BEGIN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE INDEX links_search ON links USING gin (slug gin_trgm_ops, destination_url gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR undefined_object OR feature_not_supported THEN
    RAISE NOTICE 'pg_trgm is not available: link searches will not use an index';
END $$";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("links")
                    .col(uuid("id").primary_key())
                    .col(uuid("account_id"))
                    .col(text("host"))
                    .col(text("slug"))
                    .col(text("destination_url"))
                    .col(boolean("is_active"))
                    .col(big_integer("click_count"))
                    .col(big_integer("created_at"))
                    .col(big_integer("updated_at"))
                    .foreign_key(
                        ForeignKey::create()
                            .from("links", "account_id")
                            .to("accounts", "id")
                            .on_delete(ForeignKeyAction::Cascade),
                    )
                    .to_owned(),
            )
            .await?;
        // The redirect's one query.
        manager
            .create_index(
                Index::create().name("links_host_slug").table("links").col("host").col("slug").unique().to_owned(),
            )
            .await?;
        manager
            .create_index(Index::create().name("links_account").table("links").col("account_id").col("id").to_owned())
            .await?;
        manager
            .create_index(
                Index::create()
                    .name("links_account_active")
                    .table("links")
                    .col("account_id")
                    .col("is_active")
                    .col("id")
                    .to_owned(),
            )
            .await?;
        if manager.get_database_backend() == DatabaseBackend::Postgres {
            manager.get_connection().execute_unprepared(SEARCH_INDEX).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("links").to_owned()).await
    }
}
