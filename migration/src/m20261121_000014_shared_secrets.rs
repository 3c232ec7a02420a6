//! Secrets that all nodes have.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let secrets = Table::create()
            .table("shared_secrets")
            .col(text("name").primary_key())
            .col(var_binary("secret", 64))
            .to_owned();
        manager.create_table(secrets).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("shared_secrets").to_owned()).await
    }
}
