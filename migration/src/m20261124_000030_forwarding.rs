//! Whether links and hosts forward the query of a visit to the destination. Links of before follow their host, and hosts of before
//! forward none.
//!
//! Nodes of the version before select the columns by their names, and go on.

use crate::prelude::*;

pub(crate) struct Migration;

const COLUMN: &str = "forwards_query";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let links = Table::alter().table("links").add_column(boolean_null(COLUMN)).to_owned();
        manager.alter_table(links).await?;
        let hosts = Table::alter().table("host_settings").add_column(boolean(COLUMN).default(false)).to_owned();
        manager.alter_table(hosts).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["links", "host_settings"] {
            manager.alter_table(Table::alter().table(table).drop_column(COLUMN).to_owned()).await?;
        }
        Ok(())
    }
}
