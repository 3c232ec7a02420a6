//! The outbox (facts that other parts act on) and the queue of jobs.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("outbox_events")
                    .col(uuid("id").primary_key())
                    .col(uuid("account_id"))
                    .col(text("kind"))
                    .col(uuid("subject_id"))
                    .col(text("payload"))
                    .col(big_integer("recorded_at"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_index(
                Index::create()
                    .name("outbox_events_recorded")
                    .table("outbox_events")
                    .col("recorded_at")
                    .col("id")
                    .to_owned(),
            )
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("jobs")
                    .col(uuid("id").primary_key())
                    .col(text("kind"))
                    .col(text("payload"))
                    .col(big_integer("run_at"))
                    .col(integer("attempts"))
                    .col(big_integer_null("leased_until"))
                    .col(big_integer("created_at"))
                    .to_owned(),
            )
            .await?;
        manager.create_index(Index::create().name("jobs_due").table("jobs").col("run_at").to_owned()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["jobs", "outbox_events"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}
