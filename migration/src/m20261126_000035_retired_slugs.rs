//! Slugs of deleted accounts on the service's own host, which others do not get for some time.
//!
//! Nodes of the version before neither store nor ask for them: what they delete meanwhile is free at once.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let retired = Table::create()
            .table("retired_slugs")
            .col(text("slug").primary_key())
            .col(big_integer("retired_at"))
            .to_owned();
        manager.create_table(retired).await?;
        let by_time = Index::create().name("retired_slugs_by_time").table("retired_slugs").col("retired_at").to_owned();
        manager.create_index(by_time).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("retired_slugs").to_owned()).await
    }
}
