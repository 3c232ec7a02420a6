//! The time of each visitor's first click is stored, so that an earlier click that comes later can take its place.

use crate::prelude::*;

pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let add = "ALTER TABLE click_visitors ADD COLUMN first_ms int";
        manager.get_connection().execute_unprepared(add).await.map(drop)
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let drop_column = "ALTER TABLE click_visitors DROP COLUMN first_ms";
        manager.get_connection().execute_unprepared(drop_column).await.map(drop)
    }
}
