//! Imports of links, the parts of their files, and the rows that can't become links; and how often an imported link was followed
//! before.
//!
//! Nodes of the version before select the columns of `links` by their names, and go on.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let clicks = Table::alter().table("links").add_column(big_integer_null("imported_clicks")).to_owned();
        manager.alter_table(clicks).await?;
        let imports = Table::create()
            .table("imports")
            .col(uuid("id").primary_key())
            .col(uuid("account_id"))
            .col(text_null("source"))
            .col(text_null("host"))
            .col(boolean("is_dry_run"))
            .col(text("state"))
            .col(text_null("url"))
            .col(text_null("secret"))
            .col(integer("parts"))
            .col(big_integer("bytes"))
            .col(big_integer("position"))
            .col(big_integer_null("total"))
            .col(big_integer("done"))
            .col(big_integer("created"))
            .col(big_integer("skipped"))
            .col(big_integer("failed"))
            .col(text_null("error"))
            .col(big_integer("created_at"))
            .col(big_integer("updated_at"))
            .col(big_integer_null("finished_at"))
            .foreign_key(
                ForeignKey::create()
                    .from("imports", "account_id")
                    .to("accounts", "id")
                    .on_delete(ForeignKeyAction::Cascade),
            )
            .to_owned();
        manager.create_table(imports).await?;
        let of_import = |table: &'static str| {
            let mut key = ForeignKey::create();
            key.from(table, "import_id").to("imports", "id").on_delete(ForeignKeyAction::Cascade).to_owned()
        };
        let parts = Table::create()
            .table("import_parts")
            .col(uuid("import_id"))
            .col(integer("number"))
            .col(big_integer("starts_at"))
            .col(text("data"))
            .primary_key(Index::create().col("import_id").col("number"))
            .foreign_key(&mut of_import("import_parts"))
            .to_owned();
        manager.create_table(parts).await?;
        let errors = Table::create()
            .table("import_errors")
            .col(uuid("import_id"))
            .col(big_integer("row_number"))
            .col(text("code"))
            .col(text_null("field"))
            .col(text("message"))
            .col(text_null("slug"))
            .primary_key(Index::create().col("import_id").col("row_number"))
            .foreign_key(&mut of_import("import_errors"))
            .to_owned();
        manager.create_table(errors).await?;
        let connection = manager.get_connection();
        for index in [
            // Lists of an account, newest first.
            "CREATE INDEX imports_account ON imports (account_id, id)",
            // The sweep deletes old imports.
            "CREATE INDEX imports_state ON imports (state, updated_at)",
        ] {
            connection.execute_unprepared(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let jobs = Query::delete().from_table("jobs").and_where(Expr::col("kind").eq("run_import")).to_owned();
        manager.execute(jobs).await?;
        for table in ["import_errors", "import_parts", "imports"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        manager.alter_table(Table::alter().table("links").drop_column("imported_clicks").to_owned()).await
    }
}
