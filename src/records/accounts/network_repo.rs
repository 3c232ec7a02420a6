//! Queries on the networks that users have logged in from.

use entity::known_network::{ActiveModel, Column, Entity, Model};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect,
    sea_query::{OnConflict, Order, Query},
};

use crate::base::{clock::UnixMillis, ids::UserId};

/// The last time after `since` at which the user was seen at the network, known by any of these hashes.
pub(crate) async fn seen_at(
    db: &impl ConnectionTrait,
    user: UserId,
    network: Vec<Vec<u8>>,
    since: UnixMillis,
) -> Result<Option<UnixMillis>, DbErr> {
    let seen = Entity::find()
        .select_only()
        .column_as(Column::SeenAt.max(), "seen_at")
        .filter(Column::UserId.eq(user.0))
        .filter(Column::Network.is_in(network))
        .filter(Column::SeenAt.gt(since));
    Ok(seen.into_tuple::<Option<UnixMillis>>().one(db).await?.flatten())
}

/// Notes that the user was seen at the network.
pub(crate) async fn upsert(
    tx: &impl ConnectionTrait,
    user: UserId,
    network: Vec<u8>,
    now: UnixMillis,
) -> Result<(), DbErr> {
    let row = ActiveModel::from(Model { user_id: user.0, network, seen_at: now });
    let again = OnConflict::columns([Column::UserId, Column::Network]).update_column(Column::SeenAt).to_owned();
    Entity::insert(sea_orm::ActiveModelTrait::reset_all(row)).on_conflict(again).exec_without_returning(tx).await?;
    Ok(())
}

/// Deletes the user's networks that were not seen after `since`, and all but the `most` seen last.
pub(crate) async fn trim(tx: &impl ConnectionTrait, user: UserId, most: u64, since: UnixMillis) -> Result<(), DbErr> {
    let newest = Query::select()
        .column(Column::Network)
        .from(Entity)
        .and_where(Column::UserId.eq(user.0))
        .order_by(Column::SeenAt, Order::Desc)
        .order_by(Column::Network, Order::Asc)
        .limit(most)
        .to_owned();
    let superfluous = Condition::any().add(Column::SeenAt.lte(since)).add(Column::Network.not_in_subquery(newest));
    Entity::delete_many().filter(Column::UserId.eq(user.0)).filter(superfluous).exec(tx).await?;
    Ok(())
}

/// Deletes all networks that were not seen after `since`.
pub(crate) async fn delete_before(db: &impl ConnectionTrait, since: UnixMillis) -> Result<(), DbErr> {
    Entity::delete_many().filter(Column::SeenAt.lte(since)).exec(db).await?;
    Ok(())
}
