//! The account that a job is done for, so that accounts take turns; and jobs of imports by what they wait for.
//!
//! Nodes of the version before enqueue jobs without an account, which have turns of their own, and leave the new kinds of imports to others.

use sea_orm::DatabaseBackend;

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("jobs").add_column(uuid_null("account_id")).to_owned()).await?;
        let connection = manager.get_connection();
        let field = |name: &str| match manager.get_database_backend() {
            DatabaseBackend::Postgres => format!("CAST(CAST(payload AS json) ->> '{name}' AS uuid)"),
            _ => format!("unhex(json_extract(payload, '$.{name}'), '-')"),
        };
        for statement in [
            format!("UPDATE jobs SET account_id = {} WHERE payload LIKE '%\"account\":\"%'", field("account")),
            format!(
                "UPDATE jobs SET account_id = (SELECT domains.account_id FROM domains WHERE domains.id = {}) \
                 WHERE kind = 'check_domain'",
                field("domain")
            ),
        ] {
            connection.execute_unprepared(&statement).await?;
        }
        manager.drop_index(Index::drop().name("jobs_kind_due").table("jobs").to_owned()).await?;
        // With the account, so that jobs of accounts whose turn it is not are passed over without their rows.
        let due = Index::create().name("jobs_kind_due").table("jobs").col("kind").col("run_at").col("account_id").to_owned();
        manager.create_index(due).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let kinds = "UPDATE jobs SET kind = 'run_import' WHERE kind IN ('fetch_import', 'dry_run_import')";
        manager.get_connection().execute_unprepared(kinds).await?;
        manager.drop_index(Index::drop().name("jobs_kind_due").table("jobs").to_owned()).await?;
        manager.alter_table(Table::alter().table("jobs").drop_column("account_id").to_owned()).await?;
        let due = Index::create().name("jobs_kind_due").table("jobs").col("kind").col("run_at").to_owned();
        manager.create_index(due).await
    }
}
