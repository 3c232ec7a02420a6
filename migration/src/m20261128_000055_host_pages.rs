//! The look of the pages that visitors see on a host, and its account's texts in them.
//!
//! Nodes of the version before go on with the service's own look.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let pages = Table::create()
            .table("host_pages")
            .col(text("host"))
            .col(uuid("account_id"))
            .col(text_null("accent_color"))
            .col(text_null("background_color"))
            .col(text_null("logo"))
            .col(text("texts"))
            .col(big_integer("updated_at"))
            .primary_key(Index::create().col("host").col("account_id"))
            .foreign_key(
                ForeignKey::create()
                    .from("host_pages", "account_id")
                    .to("accounts", "id")
                    .on_delete(ForeignKeyAction::Cascade),
            )
            .to_owned();
        manager.create_table(pages).await?;
        let account = Index::create().name("host_pages_account").table("host_pages").col("account_id").to_owned();
        manager.create_index(account).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("host_pages").to_owned()).await
    }
}
