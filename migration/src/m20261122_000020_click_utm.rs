//! The last two of the five UTM parameters of a click. Statements name the columns that they read and write, so that nodes of the
//! version before go on; what they store has neither.

use crate::prelude::*;

pub(crate) struct Migration;

const COLUMNS: [&str; 2] = ["utm_term", "utm_content"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in COLUMNS {
            let add = format!("ALTER TABLE clicks ADD COLUMN {column} text");
            manager.get_connection().execute_unprepared(&add).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in COLUMNS {
            let drop = format!("ALTER TABLE clicks DROP COLUMN {column}");
            manager.get_connection().execute_unprepared(&drop).await?;
        }
        Ok(())
    }
}
