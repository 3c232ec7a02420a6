//! How far the click log is ingested, as the database has it.

use entity::click_log_position;
use sea_orm::{DbErr, EntityTrait};
use uuid::Uuid;

use super::position::Position;
use crate::platform::db::Db;

/// The position up to which the log is ingested; the beginning for a log that the database does not know.
pub(crate) async fn position(db: &Db, log: Uuid) -> Result<Position, DbErr> {
    let stored = click_log_position::Entity::find_by_id(log).one(db.read()).await?;
    Ok(stored.map_or_else(Position::default, |stored| Position {
        segment: stored.segment.unsigned_abs(),
        offset: stored.position.unsigned_abs(),
    }))
}
