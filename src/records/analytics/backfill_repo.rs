//! Clicks that the roll-ups do not count yet.

use entity::click;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect};

/// Whether there are clicks that the roll-ups don't count.
pub(crate) async fn is_pending(db: &impl ConnectionTrait) -> Result<bool, DbErr> {
    let pending = click::Entity::find().filter(click::Column::NewToLink.is_null());
    Ok(pending.select_only().column(click::Column::ClickedAt).limit(1).into_tuple::<i64>().one(db).await?.is_some())
}
