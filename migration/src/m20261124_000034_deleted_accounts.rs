//! Marks accounts that are deleted while a job still deletes their links.
//!
//! Nodes of the version before do not know the mark: they redirect to such links until the rows are deleted. They delete accounts in one
//! transaction.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let deleted = Table::alter().table("accounts").add_column(big_integer_null("deleted_at")).to_owned();
        manager.alter_table(deleted).await?;
        // Each lookup of a slug reads this index. It has few entries.
        let deleted = "CREATE INDEX accounts_deleted ON accounts (id) WHERE deleted_at IS NOT NULL";
        manager.get_connection().execute_unprepared(deleted).await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // Without the mark these accounts would exist again.
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
