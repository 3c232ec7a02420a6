//! Billing: customers, subscriptions and invoices as the payment provider shows them, its events, and the objects of the built-in provider.

use crate::prelude::*;

pub(crate) struct Migration;

fn of_account(table: &'static str) -> ForeignKeyCreateStatement {
    ForeignKey::create().from(table, "account_id").to("accounts", "id").on_delete(ForeignKeyAction::Cascade).to_owned()
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .alter_table(Table::alter().table("accounts").add_column(big_integer_null("plan_until")).to_owned())
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("billing_customers")
                    .col(uuid("account_id").primary_key())
                    .col(text("provider"))
                    .col(uuid("request_key"))
                    .col(text("email"))
                    .col(text("name"))
                    .col(text_null("customer_id").unique_key())
                    .col(big_integer("created_at"))
                    .col(big_integer("tickets"))
                    .col(big_integer("synced"))
                    .col(big_integer_null("synced_at"))
                    .foreign_key(&mut of_account("billing_customers"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("subscriptions")
                    .col(uuid("id").primary_key())
                    .col(uuid("account_id").unique_key())
                    .col(text("provider_id"))
                    .col(text("price_id"))
                    .col(text("plan"))
                    .col(text("interval"))
                    .col(text("status"))
                    .col(big_integer("current_period_start"))
                    .col(big_integer("current_period_end"))
                    .col(boolean("cancel_at_period_end"))
                    .col(big_integer_null("past_due_since"))
                    .col(big_integer("created_at"))
                    .foreign_key(&mut of_account("subscriptions"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("invoices")
                    .col(uuid("id").primary_key())
                    .col(uuid("account_id"))
                    .col(text("provider_id").unique_key())
                    .col(text_null("number"))
                    .col(text("status"))
                    .col(text("currency"))
                    .col(big_integer("amount_due"))
                    .col(big_integer("amount_paid"))
                    .col(big_integer("created_at"))
                    .col(text_null("hosted_url"))
                    .col(text_null("pdf_url"))
                    .foreign_key(&mut of_account("invoices"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("provider_events")
                    .col(text("id").primary_key())
                    .col(text("kind"))
                    .col(uuid("account_id"))
                    .col(big_integer("received_at"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("sandbox_objects")
                    .col(text("id").primary_key())
                    .col(text("kind"))
                    .col(text("customer_id"))
                    .col(text("body"))
                    .col(big_integer("created_at"))
                    .to_owned(),
            )
            .await?;
        for (name, table, columns) in [
            ("invoices_account", "invoices", &["account_id", "created_at", "id"][..]),
            ("provider_events_received", "provider_events", &["received_at"]),
            ("sandbox_objects_customer", "sandbox_objects", &["customer_id", "kind"]),
        ] {
            let mut index = Index::create().name(name).table(table).to_owned();
            for column in columns {
                index.col(*column);
            }
            manager.create_index(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["sandbox_objects", "provider_events", "invoices", "subscriptions", "billing_customers"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        manager.get_connection().execute_unprepared("ALTER TABLE accounts DROP COLUMN plan_until").await?;
        Ok(())
    }
}
