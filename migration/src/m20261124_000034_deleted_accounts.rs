//! Accounts that are deleted while a job still deletes their links.
//!
//! Nodes of the version before take such an account's links for those of any other until their rows are gone. They delete
//! accounts as a whole.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let deleted = Table::alter().table("accounts").add_column(big_integer_null("deleted_at")).to_owned();
        manager.alter_table(deleted).await?;
        // Each lookup of a slug asks whether its account is among them; there are few.
        let deleted = "CREATE INDEX accounts_deleted ON accounts (id) WHERE deleted_at IS NOT NULL";
        manager.get_connection().execute_unprepared(deleted).await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // Nothing else says that they are deleted.
        for statement in [
            "DELETE FROM accounts WHERE deleted_at IS NOT NULL",
            "DELETE FROM jobs WHERE kind = 'delete_account'",
        ] {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        manager.drop_index(Index::drop().name("accounts_deleted").table("accounts").to_owned()).await?;
        manager.alter_table(Table::alter().table("accounts").drop_column("deleted_at").to_owned()).await
    }
}
