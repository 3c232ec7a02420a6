//! Reports on clicks, and their pages at `/reports/…`.

use crate::{prelude::*, reserved::refuse_used_slug};

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        refuse_used_slug(manager, "reports").await?;
        let to = |column: &str, table: &str| {
            ForeignKey::create()
                .from("reports", column.to_owned())
                .to(table.to_owned(), "id")
                .on_delete(ForeignKeyAction::Cascade)
                .to_owned()
        };
        let reports = Table::create()
            .table("reports")
            .col(uuid("id").primary_key())
            .col(uuid("account_id"))
            .col(uuid_null("link_id"))
            .col(text("name"))
            .col(text_null("token").unique_key())
            .col(big_integer_null("expires_at"))
            .col(text("definition"))
            .col(big_integer("created_at"))
            .col(big_integer("updated_at"))
            .foreign_key(&mut to("account_id", "accounts"))
            .foreign_key(&mut to("link_id", "links"))
            .to_owned();
        manager.create_table(reports).await?;
        let of_account = Index::create().name("reports_account").table("reports").col("account_id").col("id").to_owned();
        manager.create_index(of_account).await?;
        // A link goes, or changes hands, with a look at its own alone.
        manager
            .get_connection()
            .execute_unprepared("CREATE INDEX reports_link ON reports (link_id) WHERE link_id IS NOT NULL")
            .await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("reports").to_owned()).await
    }
}
