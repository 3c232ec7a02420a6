//! Annotations of clicks.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let to = |column: &str, table: &str| {
            ForeignKey::create()
                .from("annotations", column.to_owned())
                .to(table.to_owned(), "id")
                .on_delete(ForeignKeyAction::Cascade)
                .to_owned()
        };
        let annotations = Table::create()
            .table("annotations")
            .col(uuid("id").primary_key())
            .col(uuid("account_id"))
            .col(uuid_null("link_id"))
            .col(big_integer("occurred_at"))
            .col(text("text"))
            .col(big_integer("created_at"))
            .col(big_integer("updated_at"))
            .foreign_key(&mut to("account_id", "accounts"))
            .foreign_key(&mut to("link_id", "links"))
            .to_owned();
        manager.create_table(annotations).await?;
        let times = Index::create()
            .name("annotations_time")
            .table("annotations")
            .col("account_id")
            .col("occurred_at")
            .col("id")
            .to_owned();
        manager.create_index(times).await?;
        // A link goes, or changes hands, with a look at its own alone.
        manager
            .get_connection()
            .execute_unprepared("CREATE INDEX annotations_link ON annotations (link_id) WHERE link_id IS NOT NULL")
            .await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("annotations").to_owned()).await
    }
}
