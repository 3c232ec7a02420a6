//! Cards of links: what messengers and social networks show of a link.
//!
//! Nodes of the version before select the columns by their names, and go on; they redirect messengers of such links to the destination.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("links").add_column(text_null("card")).to_owned()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("links").drop_column("card").to_owned()).await
    }
}
