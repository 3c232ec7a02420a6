//! Columns for the files of a host at fixed paths: icon, rules for crawlers, contact. Null is as before.

use crate::prelude::*;

pub(crate) struct Migration;

const COLUMNS: [&str; 3] = ["favicon_url", "robots_text", "security_contact"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in COLUMNS {
            manager.alter_table(Table::alter().table("host_settings").add_column(text_null(column)).to_owned()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in COLUMNS {
            manager.alter_table(Table::alter().table("host_settings").drop_column(column).to_owned()).await?;
        }
        Ok(())
    }
}
