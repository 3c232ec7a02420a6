//! Proved e-mail addresses, those that wait for their proof, and the tokens of mails about them.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in [big_integer_null("email_verified_at"), text_null("pending_email")] {
            manager.alter_table(Table::alter().table("users").add_column(column).to_owned()).await?;
        }
        let proofs = Table::create()
            .table("email_proofs")
            .col(uuid("id").primary_key())
            .col(uuid("user_id"))
            .col(text("purpose"))
            .col(text("email"))
            .col(var_binary_null("token_hash", 32).unique_key())
            .col(big_integer("created_at"))
            .col(big_integer("expires_at"))
            .foreign_key(
                ForeignKey::create()
                    .from("email_proofs", "user_id")
                    .to("users", "id")
                    .on_delete(ForeignKeyAction::Cascade),
            )
            .to_owned();
        manager.create_table(proofs).await?;
        for (name, column) in [
            ("email_proofs_user", "user_id"),
            // An earlier address is kept for its user.
            ("email_proofs_email", "email"),
            ("email_proofs_expiry", "expires_at"),
        ] {
            manager.create_index(Index::create().name(name).table("email_proofs").col(column).to_owned()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("email_proofs").to_owned()).await?;
        for column in ["email_verified_at", "pending_email"] {
            manager.alter_table(Table::alter().table("users").drop_column(column).to_owned()).await?;
        }
        Ok(())
    }
}
