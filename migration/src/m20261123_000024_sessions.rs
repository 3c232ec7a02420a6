//! Logins in browsers.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let sessions = Table::create()
            .table("sessions")
            .col(uuid("id").primary_key())
            .col(uuid("user_id"))
            .col(var_binary("secret_hash", 32).unique_key())
            .col(var_binary_null("previous_hash", 32))
            .col(big_integer("rotated_at"))
            .col(big_integer_null("previous_until"))
            .col(boolean("is_persistent"))
            .col(text_null("browser"))
            .col(text_null("os"))
            .col(text_null("country"))
            .col(big_integer("created_at"))
            .col(big_integer("last_seen_at"))
            .col(big_integer("expires_at"))
            .foreign_key(
                ForeignKey::create().from("sessions", "user_id").to("users", "id").on_delete(ForeignKeyAction::Cascade),
            )
            .to_owned();
        manager.create_table(sessions).await?;
        for (name, column) in [
            ("sessions_user", "user_id"),
            // A request may have the secret before.
            ("sessions_previous", "previous_hash"),
            // They are deleted when they have expired.
            ("sessions_expiry", "expires_at"),
        ] {
            manager.create_index(Index::create().name(name).table("sessions").col(column).to_owned()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("sessions").to_owned()).await
    }
}
