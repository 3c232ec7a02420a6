//! Accounts (the tenant), users (the login) and password reset tokens.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("accounts")
                    .col(uuid("id").primary_key())
                    .col(text_null("plan"))
                    .col(big_integer("link_count"))
                    .col(big_integer("created_at"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("users")
                    .col(uuid("id").primary_key())
                    .col(uuid("account_id"))
                    .col(text("email").unique_key())
                    .col(text("name"))
                    .col(text("password_hash"))
                    .col(big_integer("password_changed_at"))
                    .col(big_integer("created_at"))
                    .col(big_integer("updated_at"))
                    .foreign_key(
                        ForeignKey::create()
                            .from("users", "account_id")
                            .to("accounts", "id")
                            .on_delete(ForeignKeyAction::Cascade),
                    )
                    .to_owned(),
            )
            .await?;
        manager.create_index(Index::create().name("users_account").table("users").col("account_id").to_owned()).await?;
        manager
            .create_table(
                Table::create()
                    .table("password_resets")
                    .col(var_binary("token_hash", 32).primary_key())
                    .col(uuid("user_id"))
                    .col(big_integer("expires_at"))
                    .col(big_integer_null("used_at"))
                    .foreign_key(
                        ForeignKey::create()
                            .from("password_resets", "user_id")
                            .to("users", "id")
                            .on_delete(ForeignKeyAction::Cascade),
                    )
                    .to_owned(),
            )
            .await?;
        manager
            .create_index(
                Index::create().name("password_resets_user").table("password_resets").col("user_id").to_owned(),
            )
            .await?;
        manager
            .create_index(
                Index::create().name("password_resets_expiry").table("password_resets").col("expires_at").to_owned(),
            )
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["password_resets", "users", "accounts"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}
