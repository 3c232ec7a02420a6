//! Options of webhooks: batches of events, a choice of links, clicks without bots. The events of a batch, and the batches that take
//! more of them.

use crate::prelude::*;

pub(crate) struct Migration;

const COLUMNS: [(&str, &str, &str); 4] = [
    ("webhooks", "batch", "boolean NOT NULL DEFAULT FALSE"),
    ("webhooks", "link_ids", "text"),
    ("webhooks", "exclude_bots", "boolean NOT NULL DEFAULT FALSE"),
    ("deliveries", "batch_size", "integer"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (table, column, kind) in COLUMNS {
            let add = format!("ALTER TABLE {table} ADD COLUMN {column} {kind}");
            manager.get_connection().execute_unprepared(&add).await?;
        }
        let of_delivery = |table: &'static str| {
            let mut key = ForeignKey::create();
            key.from(table, "delivery_id").to("deliveries", "id").on_delete(ForeignKeyAction::Cascade).to_owned()
        };
        manager
            .create_table(
                Table::create()
                    .table("batch_events")
                    .col(uuid("delivery_id"))
                    .col(uuid("event_id"))
                    .primary_key(Index::create().col("delivery_id").col("event_id"))
                    .foreign_key(&mut of_delivery("batch_events"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("open_batches")
                    .col(uuid("delivery_id").primary_key())
                    .col(uuid("webhook_id"))
                    .col(text("event"))
                    .col(integer("bytes"))
                    .col(big_integer("closes_at"))
                    .foreign_key(&mut of_delivery("open_batches"))
                    .to_owned(),
            )
            .await?;
        // One at a time takes the events of a kind.
        manager
            .create_index(
                Index::create()
                    .name("open_batches_webhook_event")
                    .table("open_batches")
                    .col("webhook_id")
                    .col("event")
                    .unique()
                    .to_owned(),
            )
            .await?;
        let closing = Index::create().name("open_batches_closing").table("open_batches").col("closes_at").to_owned();
        manager.create_index(closing).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["open_batches", "batch_events"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        for (table, column, _) in COLUMNS {
            let drop = format!("ALTER TABLE {table} DROP COLUMN {column}");
            manager.get_connection().execute_unprepared(&drop).await?;
        }
        Ok(())
    }
}
