//! Clicks, and how far each click log is ingested.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("clicks")
                    .col(uuid("id").primary_key())
                    .col(uuid("link_id"))
                    .col(big_integer("clicked_at"))
                    .col(var_binary("visitor", 16))
                    .col(boolean("is_bot"))
                    .col(text_null("browser"))
                    .col(text_null("os"))
                    .col(text_null("device"))
                    .col(text_null("referrer_host"))
                    .col(text_null("country"))
                    .col(text_null("language"))
                    .col(text_null("utm_source"))
                    .col(text_null("utm_medium"))
                    .col(text_null("utm_campaign"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_index(
                Index::create()
                    .name("clicks_link")
                    .table("clicks")
                    .col("link_id")
                    .col("clicked_at")
                    .col("id")
                    .to_owned(),
            )
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("click_log_positions")
                    .col(uuid("log_id").primary_key())
                    .col(big_integer("segment"))
                    .col(big_integer("position"))
                    .to_owned(),
            )
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["click_log_positions", "clicks"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}
