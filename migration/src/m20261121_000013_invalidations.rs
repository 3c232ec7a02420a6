//! The feed of changes by which nodes evict cached data: the outbox does not have a link's address before a change.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("invalidations")
                    .col(big_integer("id").primary_key().auto_increment())
                    .col(text("what"))
                    .col(big_integer("recorded_at"))
                    .to_owned(),
            )
            .await?;
        let recorded =
            Index::create().name("invalidations_recorded").table("invalidations").col("recorded_at").to_owned();
        manager.create_index(recorded).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("invalidations").to_owned()).await
    }
}
