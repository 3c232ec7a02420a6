//! Blocks of clicks that are days old, and the job that makes them of the rows of `clicks`.

use sea_orm::{DatabaseBackend, Statement, prelude::Uuid};

use crate::prelude::*;

pub(crate) struct Migration;

const KIND: &str = "compact_clicks";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        let blocks = Table::create()
            .table("click_blocks")
            .col(uuid("link_id"))
            .col(big_integer("last_at"))
            .col(uuid("last_id"))
            .col(big_integer("first_at"))
            .col(integer("clicks"))
            .col(integer("bots"))
            .col(blob("bytes"))
            .primary_key(Index::create().col("link_id").col("last_at").col("last_id"))
            .to_owned();
        manager.create_table(blocks).await?;
        // Clicks that there are already stay rows for a day: nodes of the version before know no blocks.
        let (backend, clicks) = (manager.get_database_backend(), "SELECT 1 FROM clicks LIMIT 1");
        let mut now = "CAST(strftime('%s', 'now') AS bigint)";
        if backend == DatabaseBackend::Postgres {
            // They are dense: to compress them costs time and saves nothing.
            connection.execute_unprepared("ALTER TABLE click_blocks ALTER COLUMN bytes SET STORAGE EXTERNAL").await?;
            now = "CAST(extract(epoch FROM now()) AS bigint)";
        }
        let run_at = match connection.query_one_raw(Statement::from_string(backend, clicks)).await? {
            Some(_) => Expr::cust(format!("{now} * 1000 + 86400000")),
            None => Expr::value(0_i64),
        };
        // The one of its kind, which goes on for ever; no other job has such an id.
        let job = Query::insert()
            .into_table("jobs")
            .columns(["id", "kind", "payload", "run_at", "attempts", "created_at"])
            .values_panic([
                Uuid::from_u128(3).into(),
                KIND.into(),
                r#"{"link":null}"#.into(),
                run_at,
                0_i32.into(),
                0_i64.into(),
            ])
            .to_owned();
        manager.execute(job).await
    }

    /// Refuses to drop clicks.
    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let (connection, backend) = (manager.get_connection(), manager.get_database_backend());
        let blocks = Statement::from_string(backend, "SELECT 1 FROM click_blocks LIMIT 1");
        if connection.query_one_raw(blocks).await?.is_some() {
            return Err(DbErr::Custom("click_blocks has clicks, which the version before can't read".to_owned()));
        }
        let job = Query::delete().from_table("jobs").and_where(Expr::col("kind").eq(KIND)).to_owned();
        manager.execute(job).await?;
        manager.drop_table(Table::drop().table("click_blocks").to_owned()).await
    }
}
