//! Idempotency keys with the answers that belong to them, and how many bytes of answers each account has.
//!
//! Nodes of the version before know neither, and execute a request with a key as one without.

use crate::prelude::*;

pub(crate) struct Migration;

fn to_account(table: &'static str) -> ForeignKeyCreateStatement {
    ForeignKey::create().from(table, "account_id").to("accounts", "id").on_delete(ForeignKeyAction::Cascade).to_owned()
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let keys = Table::create()
            .table("idempotency_keys")
            .col(uuid("account_id"))
            .col(blob("key"))
            .col(blob("fingerprint"))
            .col(blob("answer"))
            .col(big_integer("created_at"))
            .primary_key(Index::create().col("account_id").col("key"))
            .foreign_key(&mut to_account("idempotency_keys"))
            .to_owned();
        manager.create_table(keys).await?;
        // The sweep deletes the oldest.
        let by_age =
            Index::create().name("idempotency_keys_age").table("idempotency_keys").col("created_at").to_owned();
        manager.create_index(by_age).await?;
        let bytes = Table::create()
            .table("idempotency_bytes")
            .col(uuid("account_id"))
            .col(integer("hour"))
            .col(big_integer("bytes"))
            .primary_key(Index::create().col("account_id").col("hour"))
            .foreign_key(&mut to_account("idempotency_bytes"))
            .to_owned();
        manager.create_table(bytes).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("idempotency_bytes").to_owned()).await?;
        manager.drop_table(Table::drop().table("idempotency_keys").to_owned()).await
    }
}
