//! The networks that an API key may be used from.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = text_null("allowed_networks");
        manager.alter_table(Table::alter().table("api_keys").add_column(column).to_owned()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("api_keys").drop_column("allowed_networks").to_owned()).await
    }
}
