//! What is known and what was found out of an import's file: its encoding, its columns, the order of its dates. And the rows of an import
//! with what became of each.
//!
//! Nodes of the version before write none of it, and fail an import whose mapping they do not know.

use crate::prelude::*;

pub(crate) struct Migration;

const COLUMNS: [(&str, &str); 7] = [
    ("encoding", "text"),
    ("mapping", "text"),
    ("columns", "text"),
    ("has_header", "boolean"),
    ("date_format", "text"),
    ("has_unsure_dates", "boolean NOT NULL DEFAULT FALSE"),
    ("result_rows", "bigint NOT NULL DEFAULT 0"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (column, kind) in COLUMNS {
            let add = format!("ALTER TABLE imports ADD COLUMN {column} {kind}");
            manager.get_connection().execute_unprepared(&add).await?;
        }
        let rows = Table::create()
            .table("import_rows")
            .col(uuid("import_id"))
            .col(big_integer("first"))
            .col(integer("rows"))
            .col(blob("data"))
            .primary_key(Index::create().col("import_id").col("first"))
            .foreign_key(
                ForeignKey::create()
                    .from("import_rows", "import_id")
                    .to("imports", "id")
                    .on_delete(ForeignKeyAction::Cascade),
            )
            .to_owned();
        manager.create_table(rows).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("import_rows").to_owned()).await?;
        for (column, _) in COLUMNS {
            let drop = format!("ALTER TABLE imports DROP COLUMN {column}");
            manager.get_connection().execute_unprepared(&drop).await?;
        }
        Ok(())
    }
}
