//! Images that accounts upload. Nodes of the version before have no path for them.

use crate::{prelude::*, reserved::refuse_used_slug};

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        refuse_used_slug(manager, "images").await?;
        let images = Table::create()
            .table("images")
            .col(uuid("id").primary_key())
            .col(uuid("account_id"))
            .col(blob("sha256"))
            .col(text("media_type"))
            .col(integer("width"))
            .col(integer("height"))
            .col(integer("size"))
            .col(big_integer("created_at"))
            .col(blob("content"))
            .foreign_key(
                ForeignKey::create()
                    .from("images", "account_id")
                    .to("accounts", "id")
                    .on_delete(ForeignKeyAction::Cascade),
            )
            .to_owned();
        manager.create_table(images).await?;
        // The same file is stored once.
        let files =
            Index::create().name("images_sha256").table("images").col("account_id").col("sha256").unique().to_owned();
        manager.create_index(files).await?;
        // Lists of an account, newest first.
        let of_account = Index::create().name("images_account").table("images").col("account_id").col("id").to_owned();
        manager.create_index(of_account).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("images").to_owned()).await
    }
}
