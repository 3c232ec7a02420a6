//! Each account's usage by day.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("daily_usage")
                    .col(uuid("account_id"))
                    .col(integer("day"))
                    .col(big_integer("clicks"))
                    .col(big_integer("api_calls"))
                    .primary_key(Index::create().col("account_id").col("day"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_index(Index::create().name("daily_usage_day").table("daily_usage").col("day").to_owned())
            .await?;
        // The clicks so far.
        let counted = "INSERT INTO daily_usage (account_id, day, clicks, api_calls) \
                       SELECT links.account_id, clicks.clicked_at / 86400000, count(*), 0 \
                       FROM clicks JOIN links ON links.id = clicks.link_id GROUP BY 1, 2";
        manager.get_connection().execute_unprepared(counted).await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("daily_usage").to_owned()).await
    }
}
