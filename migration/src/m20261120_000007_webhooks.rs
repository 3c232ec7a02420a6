//! Webhooks, their deliveries and each attempt; which outbox events have no deliveries yet; due jobs by kind.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("webhooks")
                    .col(uuid("id").primary_key())
                    .col(uuid("account_id"))
                    .col(text("name"))
                    .col(text("url"))
                    .col(text("events"))
                    .col(boolean("is_active"))
                    .col(text("secret"))
                    .col(text_null("old_secret"))
                    .col(big_integer_null("old_secret_until"))
                    .col(big_integer("created_at"))
                    .col(big_integer("updated_at"))
                    .col(big_integer_null("disabled_at"))
                    .col(text_null("disabled_reason"))
                    .col(big_integer_null("failing_since"))
                    .col(integer("failures"))
                    .col(big_integer_null("next_due_at"))
                    .col(big_integer_null("leased_until"))
                    .col(uuid_null("leased_by"))
                    .foreign_key(
                        ForeignKey::create()
                            .from("webhooks", "account_id")
                            .to("accounts", "id")
                            .on_delete(ForeignKeyAction::Cascade),
                    )
                    .to_owned(),
            )
            .await?;
        // No foreign key: a webhook may leave more deliveries than one transaction should delete.
        manager
            .create_table(
                Table::create()
                    .table("deliveries")
                    .col(uuid("id").primary_key())
                    .col(uuid("webhook_id"))
                    .col(uuid("event_id"))
                    .col(text("event"))
                    .col(text("status"))
                    .col(integer("attempts"))
                    .col(integer("tries"))
                    .col(big_integer_null("due_at"))
                    .col(big_integer("created_at"))
                    .col(big_integer_null("completed_at"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("delivery_attempts")
                    .col(uuid("delivery_id"))
                    .col(integer("number"))
                    .col(big_integer("attempted_at"))
                    .col(integer("duration_ms"))
                    .col(integer_null("status_code"))
                    .col(text_null("response_start"))
                    .col(text_null("error"))
                    .primary_key(Index::create().col("delivery_id").col("number"))
                    .foreign_key(
                        ForeignKey::create()
                            .from("delivery_attempts", "delivery_id")
                            .to("deliveries", "id")
                            .on_delete(ForeignKeyAction::Cascade),
                    )
                    .to_owned(),
            )
            .await?;
        for (name, table, columns) in [
            ("webhooks_account", "webhooks", &["account_id", "id"][..]),
            ("webhooks_due", "webhooks", &["next_due_at"]),
            ("deliveries_due", "deliveries", &["webhook_id", "due_at"]),
            ("deliveries_status", "deliveries", &["webhook_id", "status", "event_id"]),
            ("deliveries_event", "deliveries", &["webhook_id", "event", "event_id"]),
            ("deliveries_created", "deliveries", &["created_at"]),
        ] {
            let mut index = Index::create().name(name).table(table).to_owned();
            for column in columns {
                index.col(*column);
            }
            manager.create_index(index).await?;
        }
        manager
            .create_index(
                Index::create()
                    .name("deliveries_webhook_event")
                    .table("deliveries")
                    .col("webhook_id")
                    .col("event_id")
                    .unique()
                    .to_owned(),
            )
            .await?;
        // Events that were recorded before there were webhooks are not for them.
        let statements = [
            "ALTER TABLE outbox_events ADD COLUMN fanned_out boolean NOT NULL DEFAULT TRUE",
            "CREATE INDEX outbox_events_waiting ON outbox_events (id) WHERE NOT fanned_out",
        ];
        for statement in statements {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        manager.drop_index(Index::drop().name("jobs_due").table("jobs").to_owned()).await?;
        manager
            .create_index(Index::create().name("jobs_kind_due").table("jobs").col("kind").col("run_at").to_owned())
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_index(Index::drop().name("jobs_kind_due").table("jobs").to_owned()).await?;
        manager.create_index(Index::create().name("jobs_due").table("jobs").col("run_at").to_owned()).await?;
        manager.drop_index(Index::drop().name("outbox_events_waiting").table("outbox_events").to_owned()).await?;
        manager.get_connection().execute_unprepared("ALTER TABLE outbox_events DROP COLUMN fanned_out").await?;
        for table in ["delivery_attempts", "deliveries", "webhooks"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}
