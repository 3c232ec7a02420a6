//! Queries on the keys of visitors.

use entity::visitor_key;
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, DbErr, EntityTrait, QueryFilter,
    sea_query::{Expr, OnConflict},
};

use crate::platform::db::{Checkpoint, Db};

/// The key of a day: the one that is stored, or else this one, stored now.
pub(crate) async fn share(db: &Db, day: i32, key: Vec<u8>) -> Result<Vec<u8>, DbErr> {
    let first = OnConflict::column(visitor_key::Column::Day).do_nothing().to_owned();
    let row = visitor_key::ActiveModel { day: Set(day), key: Set(key) };
    visitor_key::Entity::insert(row).on_conflict(first).exec_without_returning(db.write()).await?;
    let stored = visitor_key::Entity::find_by_id(day).one(db.write()).await?;
    stored.map(|stored| stored.key).ok_or_else(|| DbErr::RecordNotFound("the key of the day".to_owned()))
}

/// Deletes the keys of days before this one, and what the file and the log of SQLite hold of them.
pub(crate) async fn delete_before(db: &Db, day: i32) -> Result<(), DbErr> {
    let over = visitor_key::Column::Day.lt(day);
    let tx = db.begin().await?;
    // Overwritten with a value of the same length, which SQLite writes in place: deleting alone would leave the bytes in the
    // file.
    visitor_key::Entity::update_many()
        .col_expr(visitor_key::Column::Key, Expr::value(vec![0_u8; 32]))
        .filter(over.clone())
        .exec(&tx)
        .await?;
    let deleted = visitor_key::Entity::delete_many().filter(over).exec(&tx).await?.rows_affected;
    tx.commit().await?;
    if deleted > 0 {
        db.checkpoint(Checkpoint::Truncate).await?;
    }
    Ok(())
}
