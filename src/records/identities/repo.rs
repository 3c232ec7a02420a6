//! Queries on identities.

use entity::identity::{ActiveModel, Column, Entity, Model};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect,
};
use uuid::Uuid;

use crate::base::{clock::UnixMillis, ids::UserId};

/// Identities of a user at most: all are listed at once.
pub(crate) const MAX_IDENTITIES: u64 = 20;

/// What the issuer calls a user. `None`: it is no user's.
pub(crate) async fn find(db: &impl ConnectionTrait, issuer: &str, subject: &str) -> Result<Option<Model>, DbErr> {
    Entity::find().filter(Column::Issuer.eq(issuer)).filter(Column::Subject.eq(subject)).one(db).await
}

/// The user's identities, the oldest first.
pub(crate) async fn of_user(db: &impl ConnectionTrait, user: UserId) -> Result<Vec<Model>, DbErr> {
    let of_user = Entity::find().filter(Column::UserId.eq(user.0));
    of_user.order_by_asc(Column::Id).limit(MAX_IDENTITIES).all(db).await
}

/// Number of the user's identities.
pub(crate) async fn count(tx: &impl ConnectionTrait, user: UserId) -> Result<u64, DbErr> {
    Entity::find().filter(Column::UserId.eq(user.0)).count(tx).await
}

/// Stores an identity. Fails with a violation of a unique constraint when it is a user's already.
pub(crate) async fn insert(tx: &impl ConnectionTrait, new: Model) -> Result<(), DbErr> {
    Entity::insert(ActiveModel::from(new).reset_all()).exec_without_returning(tx).await.map(drop)
}

/// Stores a use.
pub(crate) async fn update(tx: &impl ConnectionTrait, used: Model) -> Result<(), DbErr> {
    ActiveModel::from(used).reset_all().update(tx).await.map(drop)
}

/// Deletes the user's identities that were connected from this time on.
pub(crate) async fn delete_since(tx: &impl ConnectionTrait, user: UserId, from: UnixMillis) -> Result<(), DbErr> {
    let of_user = Entity::delete_many().filter(Column::UserId.eq(user.0));
    of_user.filter(Column::CreatedAt.gte(from)).exec(tx).await.map(drop)
}

/// Deletes an identity of the user. `None`: the user has none with this id.
pub(crate) async fn delete(tx: &impl ConnectionTrait, user: UserId, id: Uuid) -> Result<Option<Model>, DbErr> {
    let found = Entity::find_by_id(id).filter(Column::UserId.eq(user.0)).one(tx).await?;
    if found.is_some() {
        Entity::delete_by_id(id).exec(tx).await?;
    }
    Ok(found)
}
