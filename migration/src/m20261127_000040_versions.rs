//! The time of the last change of tags and of hosts' settings, by which an update says what it was made from. A setting's 0 is before its
//! host was made.

use crate::prelude::*;

pub(crate) struct Migration;

const TABLES: [&str; 2] = ["tags", "host_settings"];
const COLUMN: &str = "updated_at";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in TABLES {
            manager.alter_table(Table::alter().table(table).add_column(big_integer(COLUMN).default(0)).to_owned()).await?;
        }
        manager.get_connection().execute_unprepared("UPDATE tags SET updated_at = created_at").await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in TABLES {
            manager.alter_table(Table::alter().table(table).drop_column(COLUMN).to_owned()).await?;
        }
        Ok(())
    }
}
