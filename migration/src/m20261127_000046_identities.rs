//! What identity providers call users.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let identities = Table::create()
            .table("identities")
            .col(uuid("id").primary_key())
            .col(uuid("user_id"))
            .col(text("issuer"))
            .col(text("subject"))
            .col(text_null("email"))
            .col(big_integer("created_at"))
            .col(big_integer("last_used_at"))
            .foreign_key(
                ForeignKey::create().from("identities", "user_id").to("users", "id").on_delete(ForeignKeyAction::Cascade),
            )
            .to_owned();
        manager.create_table(identities).await?;
        for index in [
            Index::create().name("identities_subject").table("identities").col("issuer").col("subject").unique().take(),
            Index::create().name("identities_user").table("identities").col("user_id").col("id").take(),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("identities").to_owned()).await
    }
}
