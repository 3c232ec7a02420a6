//! The nodes that serve, each with its base URL, by which they find out that theirs differ.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let nodes = Table::create()
            .table("nodes")
            .col(uuid("log_id").primary_key())
            .col(text("base_url"))
            .col(big_integer("seen_at"))
            .to_owned();
        manager.create_table(nodes).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("nodes").to_owned()).await
    }
}
