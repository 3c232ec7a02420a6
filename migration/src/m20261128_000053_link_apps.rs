//! Links into apps: how a link opens an app, the apps of a host, and the keys by which apps ask where links lead.
//!
//! Nodes of the version before select the columns of links by their names, and go on; they redirect visitors of such links to the
//! destination.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("links").add_column(text_null("app")).to_owned()).await?;
        let of_account = |table: &str| {
            ForeignKey::create()
                .from(table.to_owned(), "account_id")
                .to("accounts", "id")
                .on_delete(ForeignKeyAction::Cascade)
                .to_owned()
        };
        let apps = Table::create()
            .table("host_apps")
            .col(text("host"))
            .col(uuid("account_id"))
            .col(text("ios_apps"))
            .col(text("android_apps"))
            .col(text_null("apple_file"))
            .col(text_null("android_file"))
            .col(big_integer("updated_at"))
            .primary_key(Index::create().col("host").col("account_id"))
            .foreign_key(&mut of_account("host_apps"))
            .to_owned();
        manager.create_table(apps).await?;
        let keys = Table::create()
            .table("publishable_keys")
            .col(uuid("id").primary_key())
            .col(uuid("account_id"))
            .col(text("name"))
            .col(text("key").unique_key())
            .col(text("hosts"))
            .col(big_integer("created_at"))
            .col(big_integer("updated_at"))
            .foreign_key(&mut of_account("publishable_keys"))
            .to_owned();
        manager.create_table(keys).await?;
        for table in ["host_apps", "publishable_keys"] {
            let account = Index::create().name(format!("{table}_account")).table(table).col("account_id").to_owned();
            manager.create_index(account).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["publishable_keys", "host_apps"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        manager.alter_table(Table::alter().table("links").drop_column("app").to_owned()).await
    }
}
