//! The region and the city of a click.

use crate::prelude::*;

pub(crate) struct Migration;

const COLUMNS: [&str; 2] = ["region", "city"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in COLUMNS {
            manager.alter_table(Table::alter().table("clicks").add_column(text_null(column)).to_owned()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in COLUMNS {
            manager.alter_table(Table::alter().table("clicks").drop_column(column).to_owned()).await?;
        }
        Ok(())
    }
}
