//! Settings of hosts, and an index by which slugs are found in any case.
//!
//! No column of `links` says in which case a slug is found: turning that on or off changes no link. Links of the service's own host,
//! where case always matters, are not in the index.

use sea_orm::DatabaseBackend;

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let settings = Table::create()
            .table("host_settings")
            .col(text("host"))
            .col(uuid("account_id"))
            .col(text_null("root_url"))
            .col(text_null("not_found_url"))
            .col(text_null("expired_url"))
            .col(boolean("ignores_case"))
            .col(text_null("default_tags"))
            .primary_key(Index::create().col("host").col("account_id"))
            .foreign_key(
                ForeignKey::create()
                    .from("host_settings", "account_id")
                    .to("accounts", "id")
                    .on_delete(ForeignKeyAction::Cascade),
            )
            .to_owned();
        manager.create_table(settings).await?;
        let account = Index::create().name("host_settings_account").table("host_settings").col("account_id").to_owned();
        manager.create_index(account).await?;
        // Slugs are ASCII: whatever the language of the database is, `I` is the capital of `i`.
        let lower = match manager.get_database_backend() {
            DatabaseBackend::Postgres => r#"lower(slug COLLATE "C")"#,
            _ => "lower(slug)",
        };
        let slugs = format!("CREATE INDEX links_host_lower_slug ON links (host, {lower}, account_id) WHERE host <> ''");
        manager.get_connection().execute_unprepared(&slugs).await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_index(Index::drop().name("links_host_lower_slug").table("links").to_owned()).await?;
        manager.drop_table(Table::drop().table("host_settings").to_owned()).await
    }
}
