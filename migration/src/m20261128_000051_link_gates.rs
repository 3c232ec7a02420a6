//! Questions to visitors of a link before they are redirected: its password, whether to continue, a notice to confirm. Imports have a password
//! for links that had one.
//!
//! Nodes of the version before select the columns by their names, and go on; until the last of them ends, they redirect visitors of such
//! links without asking.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // SQLite adds one column at a time.
        for column in [text_null("password_hash"), boolean("asks_first").default(false).take(), text_null("notice")] {
            manager.alter_table(Table::alter().table("links").add_column(column).to_owned()).await?;
        }
        manager.alter_table(Table::alter().table("imports").add_column(text_null("password_hash")).to_owned()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (table, column) in
            [("imports", "password_hash"), ("links", "notice"), ("links", "asks_first"), ("links", "password_hash")]
        {
            manager.alter_table(Table::alter().table(table).drop_column(column).to_owned()).await?;
        }
        Ok(())
    }
}
