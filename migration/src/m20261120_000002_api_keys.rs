//! API keys.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("api_keys")
                    .col(uuid("id").primary_key())
                    .col(uuid("account_id"))
                    .col(uuid("user_id"))
                    .col(text("name"))
                    .col(text("prefix"))
                    .col(var_binary("hash", 32).unique_key())
                    .col(text("scopes"))
                    .col(big_integer("created_at"))
                    .col(big_integer_null("last_used_at"))
                    .col(big_integer_null("expires_at"))
                    .col(big_integer_null("revoked_at"))
                    .foreign_key(
                        ForeignKey::create()
                            .from("api_keys", "account_id")
                            .to("accounts", "id")
                            .on_delete(ForeignKeyAction::Cascade),
                    )
                    .foreign_key(
                        ForeignKey::create()
                            .from("api_keys", "user_id")
                            .to("users", "id")
                            .on_delete(ForeignKeyAction::Cascade),
                    )
                    .to_owned(),
            )
            .await?;
        manager
            .create_index(
                Index::create().name("api_keys_account").table("api_keys").col("account_id").col("id").to_owned(),
            )
            .await?;
        manager.create_index(Index::create().name("api_keys_user").table("api_keys").col("user_id").to_owned()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("api_keys").to_owned()).await
    }
}
