//! The operator's restrictions: suspended accounts, blocked links, hosts that can't be destinations, and a record of who
//! made or lifted which, when and why. `links` has no column for it: nodes of the version before have statements prepared
//! that select all of its columns, which PostgreSQL would refuse to execute then.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let suspended = Table::alter().table("accounts").add_column(big_integer_null("suspended_at")).to_owned();
        manager.alter_table(suspended).await?;
        // All suspended accounts are read when a node starts; there are few.
        let suspended = "CREATE INDEX accounts_suspended ON accounts (id) WHERE suspended_at IS NOT NULL";
        manager.get_connection().execute_unprepared(suspended).await?;
        for table in [
            Table::create()
                .table("blocked_links")
                .col(text("host"))
                .col(text("slug"))
                .col(uuid("account_id"))
                .col(big_integer("blocked_at"))
                .primary_key(Index::create().col("host").col("slug").col("account_id"))
                .to_owned(),
            Table::create()
                .table("blocked_hosts")
                .col(text("name").primary_key())
                .col(big_integer("blocked_at"))
                .to_owned(),
            Table::create()
                .table("operator_actions")
                .col(uuid("id").primary_key())
                .col(text("actor"))
                .col(text("action"))
                .col(uuid_null("account_id"))
                .col(text_null("target"))
                .col(text_null("reason"))
                .col(big_integer("recorded_at"))
                .to_owned(),
        ] {
            manager.create_table(table).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["operator_actions", "blocked_hosts", "blocked_links"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        manager.drop_index(Index::drop().name("accounts_suspended").table("accounts").to_owned()).await?;
        manager.alter_table(Table::alter().table("accounts").drop_column("suspended_at").to_owned()).await
    }
}
