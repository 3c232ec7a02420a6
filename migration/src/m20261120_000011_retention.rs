//! Retention: clicks are kept by the plan, the keys of visitors for a day.

use sea_orm::prelude::Uuid;

use crate::prelude::*;

pub(crate) struct Migration;

/// The job that deletes clicks.
const KIND: &str = "expire_clicks";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let expired = big_integer("expired_clicks").default(0).to_owned();
        manager.alter_table(Table::alter().table("links").add_column(expired).to_owned()).await?;
        for column in [text_null("earlier_plan"), big_integer_null("earlier_plan_until")] {
            manager.alter_table(Table::alter().table("accounts").add_column(column).to_owned()).await?;
        }
        manager
            .create_table(
                Table::create()
                    .table("visitor_keys")
                    .col(integer("day").primary_key())
                    .col(var_binary("key", 32))
                    .to_owned(),
            )
            .await?;
        // The one of its kind, which goes on for ever; no other job has such an id.
        let job = Query::insert()
            .into_table("jobs")
            .columns(["id", "kind", "payload", "run_at", "attempts", "created_at"])
            .values_panic([
                Uuid::from_u128(1).into(),
                KIND.into(),
                r#"{"progress":{}}"#.into(),
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
        manager.drop_table(Table::drop().table("visitor_keys").to_owned()).await?;
        for column in ["earlier_plan", "earlier_plan_until"] {
            manager.alter_table(Table::alter().table("accounts").drop_column(column).to_owned()).await?;
        }
        manager.alter_table(Table::alter().table("links").drop_column("expired_clicks").to_owned()).await
    }
}
