//! The time at which a redelivery was requested. By it alone, a poll finds an old delivery that is requested again and succeeds between two
//! polls.
//!
//! Nodes of the version before name the columns that they read and write, and so continue to work. Their redeliveries have no time.

use crate::prelude::*;

pub(crate) struct Migration;

const COLUMN: &str = "asked_again_at";
const INDEX: &str = "deliveries_asked_again";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let deliveries = Table::alter().table("deliveries").add_column(big_integer_null(COLUMN)).to_owned();
        manager.alter_table(deliveries).await?;
        // Redeliveries are rare. Other deliveries, which change often, have no entry in the index.
        let index = format!("CREATE INDEX {INDEX} ON deliveries (webhook_id, {COLUMN}) WHERE {COLUMN} IS NOT NULL");
        manager.get_connection().execute_unprepared(&index).await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_index(Index::drop().name(INDEX).table("deliveries").to_owned()).await?;
        manager.alter_table(Table::alter().table("deliveries").drop_column(COLUMN).to_owned()).await
    }
}
