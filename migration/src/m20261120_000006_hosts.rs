//! The hosts that accounts serve links on: custom domains and subdomains, and which of them are served now. Slugs become
//! unique per host and, beyond the service's own host, per account: a host that changes hands takes no links with it.

use sea_orm::DatabaseBackend;

use crate::prelude::*;

pub(crate) struct Migration;

fn to_account(table: &'static str, on_delete: ForeignKeyAction) -> ForeignKeyCreateStatement {
    ForeignKey::create().from(table, "account_id").to("accounts", "id").on_delete(on_delete).to_owned()
}

/// The redirect's one query, and the uniqueness of slugs: on the service's own host among all accounts.
fn slug_index(backend: DatabaseBackend) -> String {
    let nobody = match backend {
        DatabaseBackend::Postgres => "'00000000-0000-0000-0000-000000000000'::uuid",
        _ => "x''",
    };
    format!(
        "CREATE UNIQUE INDEX links_host_slug_owner ON links \
         (host, slug, (CASE WHEN host = '' THEN {nobody} ELSE account_id END))"
    )
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("hosts")
                    .col(text("name").primary_key())
                    .col(uuid("account_id"))
                    .foreign_key(&mut to_account("hosts", ForeignKeyAction::Cascade))
                    .to_owned(),
            )
            .await?;
        manager.create_index(Index::create().name("hosts_account").table("hosts").col("account_id").to_owned()).await?;
        manager
            .create_table(
                Table::create()
                    .table("domains")
                    .col(uuid("id").primary_key())
                    .col(uuid("account_id"))
                    .col(text("name"))
                    .col(text("token"))
                    .col(text("status"))
                    .col(big_integer("created_at"))
                    .col(big_integer_null("activated_at"))
                    .col(big_integer_null("failing_since"))
                    .col(big_integer_null("checked_at"))
                    .col(text_null("found"))
                    .foreign_key(&mut to_account("domains", ForeignKeyAction::Cascade))
                    .to_owned(),
            )
            .await?;
        let account_name = Index::create().name("domains_account_name").table("domains").to_owned();
        manager.create_index(account_name.clone().col("account_id").col("name").unique().to_owned()).await?;
        manager
            .create_index(
                Index::create().name("domains_account").table("domains").col("account_id").col("id").to_owned(),
            )
            .await?;
        manager.create_index(Index::create().name("domains_name").table("domains").col("name").to_owned()).await?;
        manager
            .create_table(
                Table::create()
                    .table("subdomains")
                    .col(text("label").primary_key())
                    .col(uuid("id"))
                    .col(uuid_null("account_id"))
                    .col(text("status"))
                    .col(big_integer("claimed_at"))
                    .col(big_integer_null("activated_at"))
                    .col(big_integer_null("released_at"))
                    .foreign_key(&mut to_account("subdomains", ForeignKeyAction::SetNull))
                    .to_owned(),
            )
            .await?;
        // One per account; those that are released have none.
        manager
            .create_index(
                Index::create().name("subdomains_account").table("subdomains").col("account_id").unique().to_owned(),
            )
            .await?;
        manager.drop_index(Index::drop().name("links_host_slug").table("links").to_owned()).await?;
        let slugs = slug_index(manager.get_database_backend());
        manager.get_connection().execute_unprepared(&slugs).await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_index(Index::drop().name("links_host_slug_owner").table("links").to_owned()).await?;
        manager
            .create_index(
                Index::create().name("links_host_slug").table("links").col("host").col("slug").unique().to_owned(),
            )
            .await?;
        for table in ["subdomains", "domains", "hosts"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}
