//! Transfers of links and domains to another account.

use crate::{prelude::*, reserved::refuse_used_slug};

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        refuse_used_slug(manager, "transfers").await?;
        let reference = |from: &str, column: &str, to: &str| {
            ForeignKey::create()
                .from(from.to_owned(), column.to_owned())
                .to(to.to_owned(), "id")
                .on_delete(ForeignKeyAction::Cascade)
                .to_owned()
        };
        let transfers = Table::create()
            .table("transfers")
            .col(uuid("id").primary_key())
            .col(uuid("account_id"))
            .col(uuid("to_account_id"))
            .col(uuid_null("domain_id"))
            .col(text_null("domain"))
            .col(text("state"))
            .col(big_integer("link_count"))
            .col(big_integer("moved_links"))
            .col(big_integer("created_at"))
            .col(big_integer("expires_at"))
            .foreign_key(&mut reference("transfers", "account_id", "accounts"))
            .foreign_key(&mut reference("transfers", "to_account_id", "accounts"))
            .to_owned();
        manager.create_table(transfers).await?;
        let links = Table::create()
            .table("transfer_links")
            .col(uuid("transfer_id"))
            .col(uuid("link_id"))
            .primary_key(Index::create().col("transfer_id").col("link_id"))
            .foreign_key(&mut reference("transfer_links", "transfer_id", "transfers"))
            .foreign_key(&mut reference("transfer_links", "link_id", "links"))
            .to_owned();
        manager.create_table(links).await?;
        for index in [
            Index::create().name("transfers_account").table("transfers").col("account_id").col("id").take(),
            Index::create().name("transfers_to_account").table("transfers").col("to_account_id").col("id").take(),
            Index::create().name("transfers_expiry").table("transfers").col("expires_at").take(),
            Index::create().name("transfer_links_link").table("transfer_links").col("link_id").take(),
        ] {
            manager.create_index(index).await?;
        }
        let former = uuid_null("former_account_id");
        manager.alter_table(Table::alter().table("hosts").add_column(former).to_owned()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("hosts").drop_column("former_account_id").to_owned()).await?;
        for table in ["transfer_links", "transfers"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}
