//! An index by which a host knows whether any of its links is a pattern: those alone are in it.

use sea_orm::DatabaseBackend;

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let is_pattern = match manager.get_database_backend() {
            DatabaseBackend::Postgres => "slug LIKE '%/*'",
            _ => "substr(slug, -2) = '/*'",
        };
        // With the slug, SQLite needs no row for the answer, and prefers it to the index of all slugs.
        let patterns = format!("CREATE INDEX links_pattern_host ON links (host, slug) WHERE {is_pattern}");
        manager.get_connection().execute_unprepared(&patterns).await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_index(Index::drop().name("links_pattern_host").table("links").to_owned()).await
    }
}
