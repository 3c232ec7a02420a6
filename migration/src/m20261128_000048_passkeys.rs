//! Passkeys, and the challenges that they have answered.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let passkeys = Table::create()
            .table("passkeys")
            .col(uuid("id").primary_key())
            .col(uuid("user_id"))
            .col(blob("credential_id"))
            .col(text("name"))
            .col(text("credential"))
            .col(big_integer("created_at"))
            .col(big_integer_null("last_used_at"))
            .foreign_key(
                ForeignKey::create().from("passkeys", "user_id").to("users", "id").on_delete(ForeignKeyAction::Cascade),
            )
            .to_owned();
        manager.create_table(passkeys).await?;
        let challenges = Table::create()
            .table("used_challenges")
            .col(uuid("id").primary_key())
            .col(big_integer("expires_at"))
            .to_owned();
        manager.create_table(challenges).await?;
        for index in [
            Index::create().name("passkeys_credential").table("passkeys").col("credential_id").unique().take(),
            Index::create().name("passkeys_user").table("passkeys").col("user_id").col("id").take(),
            Index::create().name("used_challenges_expires").table("used_challenges").col("expires_at").take(),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["used_challenges", "passkeys"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}
