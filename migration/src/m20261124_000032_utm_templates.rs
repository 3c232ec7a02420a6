//! UTM templates.

use crate::{prelude::*, reserved::refuse_used_slug};

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        refuse_used_slug(manager, "utm-templates").await?;
        let account = ForeignKey::create()
            .from("utm_templates", "account_id")
            .to("accounts", "id")
            .on_delete(ForeignKeyAction::Cascade)
            .to_owned();
        let templates = Table::create()
            .table("utm_templates")
            .col(uuid("id").primary_key())
            .col(uuid("account_id"))
            .col(text("name"))
            .col(text("key"))
            .col(text_null("source"))
            .col(text_null("medium"))
            .col(text_null("campaign"))
            .col(text_null("term"))
            .col(text_null("content"))
            .col(big_integer("created_at"))
            .col(big_integer("updated_at"))
            .foreign_key(&mut account.clone())
            .to_owned();
        manager.create_table(templates).await?;
        let names = Index::create()
            .name("utm_templates_key")
            .table("utm_templates")
            .col("account_id")
            .col("key")
            .unique()
            .to_owned();
        manager.create_index(names).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("utm_templates").to_owned()).await
    }
}
