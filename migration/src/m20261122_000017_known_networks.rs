//! The networks that users have logged in from.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let networks = Table::create()
            .table("known_networks")
            .col(uuid("user_id"))
            .col(var_binary("network", 16))
            .col(big_integer("seen_at"))
            .primary_key(Index::create().col("user_id").col("network"))
            .foreign_key(
                ForeignKey::create()
                    .from("known_networks", "user_id")
                    .to("users", "id")
                    .on_delete(ForeignKeyAction::Cascade),
            )
            .to_owned();
        manager.create_table(networks).await?;
        // They are deleted by age.
        let seen = Index::create().name("known_networks_seen").table("known_networks").col("seen_at").to_owned();
        manager.create_index(seen).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("known_networks").to_owned()).await
    }
}
