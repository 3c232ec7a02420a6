//! Queries on sessions.

use entity::session::{ActiveModel, Column, Entity, Model};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect, sea_query::Expr,
};
use uuid::Uuid;

use crate::base::{
    clock::UnixMillis,
    ids::{AccountId, SessionId, UserId},
};

pub(crate) async fn insert(tx: &impl ConnectionTrait, session: Model) -> Result<(), DbErr> {
    Entity::insert(ActiveModel::from(session).reset_all()).exec_without_returning(tx).await.map(drop)
}

/// The session whose newest secret, or the one before, has this hash.
pub(crate) async fn by_secret(db: &impl ConnectionTrait, hash: Vec<u8>) -> Result<Option<Model>, DbErr> {
    let has_it = Condition::any().add(Column::SecretHash.eq(hash.clone())).add(Column::PreviousHash.eq(hash));
    Entity::find().filter(has_it).one(db).await
}

/// Stores a use of the session unless another one was stored since `read`. Answers whether it was stored.
pub(crate) async fn update(tx: &impl ConnectionTrait, session: Model, read: &Model) -> Result<bool, DbErr> {
    let stored = Entity::update_many()
        .set(ActiveModel { id: sea_orm::ActiveValue::NotSet, ..ActiveModel::from(session).reset_all() })
        .filter(Column::Id.eq(read.id))
        .filter(Column::SecretHash.eq(read.secret_hash.clone()))
        // Each use that is stored changes it.
        .filter(Column::LastSeenAt.eq(read.last_seen_at))
        .exec(tx)
        .await?;
    Ok(stored.rows_affected == 1)
}

/// Stores the account that the browser works in.
pub(crate) async fn set_account(tx: &impl ConnectionTrait, id: SessionId, account: AccountId) -> Result<(), DbErr> {
    let session = Entity::update_many().col_expr(Column::AccountId, Expr::value(account.0)).filter(Column::Id.eq(id.0));
    session.exec(tx).await.map(drop)
}

/// Notes when the user of the session proved to be the user.
pub(crate) async fn set_proved(tx: &impl ConnectionTrait, id: SessionId, now: UnixMillis) -> Result<(), DbErr> {
    let session = Entity::update_many().col_expr(Column::ProvedAt, Expr::value(now)).filter(Column::Id.eq(id.0));
    session.exec(tx).await.map(drop)
}

/// The user's sessions that have not expired; the one used last first.
pub(crate) async fn of_user(
    db: &impl ConnectionTrait,
    user: UserId,
    now: UnixMillis,
    limit: u64,
) -> Result<Vec<Model>, DbErr> {
    Entity::find()
        .filter(Column::UserId.eq(user.0))
        .filter(Column::ExpiresAt.gt(now))
        .order_by_desc(Column::LastSeenAt)
        .order_by_desc(Column::Id)
        .limit(limit)
        .all(db)
        .await
}

/// The user's sessions but for the ones used last; expired ones are among them.
pub(crate) async fn all_but_latest(
    db: &impl ConnectionTrait,
    user: UserId,
    latest: u64,
) -> Result<Vec<SessionId>, DbErr> {
    let ids = Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::UserId.eq(user.0))
        .order_by_desc(Column::LastSeenAt)
        .order_by_desc(Column::Id)
        .offset(latest)
        // SQLite has no offset without a limit; users are locked, so that there are never many more.
        .limit(1_000)
        .into_tuple::<Uuid>()
        .all(db)
        .await?;
    Ok(ids.into_iter().map(SessionId).collect())
}

/// The user's sessions but for one.
pub(crate) async fn all_but(
    db: &impl ConnectionTrait,
    user: UserId,
    kept: Option<SessionId>,
) -> Result<Vec<SessionId>, DbErr> {
    let ids = Entity::find().select_only().column(Column::Id).filter(are_but(user, kept)).into_tuple::<Uuid>();
    Ok(ids.all(db).await?.into_iter().map(SessionId).collect())
}

/// Whether there is a session with this id.
pub(crate) async fn by_id(db: &impl ConnectionTrait, id: SessionId) -> Result<Option<Model>, DbErr> {
    Entity::find_by_id(id.0).one(db).await
}

/// Whether the session has not ended.
pub(crate) async fn exists(db: &impl ConnectionTrait, id: SessionId) -> Result<bool, DbErr> {
    Ok(Entity::find_by_id(id.0).count(db).await? > 0)
}

/// Deletes sessions of the user. Answers the number of those that there were.
pub(crate) async fn delete(tx: &impl ConnectionTrait, user: UserId, ids: &[SessionId]) -> Result<u64, DbErr> {
    let these = Column::Id.is_in(ids.iter().map(|id| id.0));
    Ok(Entity::delete_many().filter(Column::UserId.eq(user.0)).filter(these).exec(tx).await?.rows_affected)
}

/// Deletes the user's sessions but for one, without notifying nodes: for callers that revoke all tokens of the user.
pub(crate) async fn delete_all_but(
    tx: &impl ConnectionTrait,
    user: UserId,
    kept: Option<SessionId>,
) -> Result<(), DbErr> {
    Entity::delete_many().filter(are_but(user, kept)).exec(tx).await.map(drop)
}

/// Deletes the sessions that expired before. Their tokens have expired as well, or do soon.
pub(crate) async fn delete_expired(db: &impl ConnectionTrait, now: UnixMillis) -> Result<(), DbErr> {
    Entity::delete_many().filter(Column::ExpiresAt.lte(now)).exec(db).await.map(drop)
}

fn are_but(user: UserId, kept: Option<SessionId>) -> Condition {
    Condition::all().add(Column::UserId.eq(user.0)).add_option(kept.map(|kept| Column::Id.ne(kept.0)))
}
