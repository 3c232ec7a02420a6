//! Second factors: authenticator apps and recovery codes, and when the user of a session last proved to be the user.

use crate::prelude::*;

pub(crate) struct Migration;

fn of_user(table: &'static str) -> ForeignKeyCreateStatement {
    ForeignKey::create().from(table, "user_id").to("users", "id").on_delete(ForeignKeyAction::Cascade).take()
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let totps = Table::create()
            .table("totps")
            .col(uuid("user_id").primary_key())
            .col(blob("secret"))
            .col(big_integer("last_step"))
            .col(big_integer("created_at"))
            .col(big_integer_null("confirmed_at"))
            .foreign_key(&mut of_user("totps"))
            .to_owned();
        manager.create_table(totps).await?;
        let codes = Table::create()
            .table("recovery_codes")
            .col(uuid("user_id"))
            .col(var_binary("code_hash", 32))
            .primary_key(Index::create().col("user_id").col("code_hash"))
            .foreign_key(&mut of_user("recovery_codes"))
            .to_owned();
        manager.create_table(codes).await?;
        let proved_at = big_integer("proved_at").default(0).take();
        manager.alter_table(Table::alter().table("sessions").add_column(proved_at).to_owned()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["recovery_codes", "totps"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        manager.alter_table(Table::alter().table("sessions").drop_column("proved_at").to_owned()).await
    }
}
