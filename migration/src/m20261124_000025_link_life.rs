//! When links begin and end. The limit of clicks has a table of its own: its rows are changed while visitors wait, and ingest,
//! which holds rows of `links` for as long as a transaction takes, must not keep them waiting.
//!
//! Nodes of the version before select the columns of `links` by their names, and go on.

use sea_orm::prelude::Uuid;

use crate::prelude::*;

pub(crate) struct Migration;

/// The job that announces links which expire.
const KIND: &str = "announce_expired_links";
const COLUMNS: [&str; 3] = ["starts_at", "expires_at", "archived_at"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // SQLite adds one column at a time.
        for column in COLUMNS {
            manager.alter_table(Table::alter().table("links").add_column(big_integer_null(column)).to_owned()).await?;
        }
        manager.alter_table(Table::alter().table("links").add_column(text_null("expired_url")).to_owned()).await?;
        let limits = Table::create()
            .table("link_limits")
            .col(uuid("link_id").primary_key())
            .col(big_integer("max_clicks"))
            .col(big_integer("used_clicks"))
            .foreign_key(
                ForeignKey::create()
                    .from("link_limits", "link_id")
                    .to("links", "id")
                    .on_delete(ForeignKeyAction::Cascade),
            )
            .to_owned();
        manager.create_table(limits).await?;
        let connection = manager.get_connection();
        for index in [
            // Lists leave them out, and count them for that.
            "CREATE INDEX links_archived ON links (account_id, id) WHERE archived_at IS NOT NULL",
            // A job looks for those that have expired since it last did.
            "CREATE INDEX links_expiry ON links (expires_at, id) WHERE expires_at IS NOT NULL",
        ] {
            connection.execute_unprepared(index).await?;
        }
        // The one of its kind, which goes on for ever; no other job has such an id.
        let job = Query::insert()
            .into_table("jobs")
            .columns(["id", "kind", "payload", "run_at", "attempts", "created_at"])
            .values_panic([
                Uuid::from_u128(2).into(),
                KIND.into(),
                r#"{"done_until":0}"#.into(),
                0_i64.into(),
                0_i32.into(),
                0_i64.into(),
            ])
            .to_owned();
        manager.execute(job).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let job = Query::delete().from_table("jobs").and_where(Expr::col("kind").eq(KIND)).to_owned();
        manager.execute(job).await?;
        for name in ["links_archived", "links_expiry"] {
            manager.drop_index(Index::drop().name(name).table("links").to_owned()).await?;
        }
        manager.drop_table(Table::drop().table("link_limits").to_owned()).await?;
        for column in COLUMNS.into_iter().chain(["expired_url"]) {
            manager.alter_table(Table::alter().table("links").drop_column(column).to_owned()).await?;
        }
        Ok(())
    }
}
