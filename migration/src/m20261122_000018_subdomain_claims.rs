//! The times at which accounts claimed subdomains, to count the claims of a day.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let claims = Table::create()
            .table("subdomain_claims")
            .col(uuid("id").primary_key())
            .col(uuid("account_id"))
            .col(big_integer("claimed_at"))
            .foreign_key(
                ForeignKey::create()
                    .from("subdomain_claims", "account_id")
                    .to("accounts", "id")
                    .on_delete(ForeignKeyAction::Cascade),
            )
            .to_owned();
        manager.create_table(claims).await?;
        let account =
            Index::create().name("subdomain_claims_account").table("subdomain_claims").col("account_id").to_owned();
        manager.create_index(account).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("subdomain_claims").to_owned()).await
    }
}
