//! Queries on the secret that signs user tokens.

use entity::shared_secret;
use sea_orm::{ActiveValue::Set, DbErr, EntityTrait, sea_query::OnConflict};

use crate::platform::db::Db;

/// The name under which nodes share it.
pub(crate) const NAME: &str = "jwt";

/// The secret of all nodes: the one that is stored, or else this one, stored now.
pub(crate) async fn share(db: &Db, ours: Vec<u8>) -> Result<Vec<u8>, DbErr> {
    let first = OnConflict::column(shared_secret::Column::Name).do_nothing().to_owned();
    let row = shared_secret::ActiveModel { name: Set(NAME.to_owned()), secret: Set(ours) };
    shared_secret::Entity::insert(row).on_conflict(first).exec_without_returning(db.write()).await?;
    let stored = shared_secret::Entity::find_by_id(NAME).one(db.write()).await?;
    stored.map(|stored| stored.secret).ok_or_else(|| DbErr::RecordNotFound("the signing secret".to_owned()))
}
