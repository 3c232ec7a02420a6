//! Queries on the sandbox's objects. They belong to customers of the sandbox, not to accounts.

use entity::sandbox_object;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, OnConflict},
};

/// Stores an object, unless it is there.
pub(crate) async fn insert(db: &impl ConnectionTrait, object: sandbox_object::Model) -> Result<(), DbErr> {
    let known = OnConflict::new().do_nothing().to_owned();
    let object = sandbox_object::ActiveModel::from(object).reset_all();
    sandbox_object::Entity::insert(object).on_conflict(known).exec_without_returning(db).await?;
    Ok(())
}

/// The object of this kind with this id.
pub(crate) async fn find(
    db: &impl ConnectionTrait,
    kind: &str,
    id: &str,
) -> Result<Option<sandbox_object::Model>, DbErr> {
    sandbox_object::Entity::find_by_id(id).filter(sandbox_object::Column::Kind.eq(kind)).one(db).await
}

/// The object of this kind with this id, locked until the transaction ends.
pub(crate) async fn lock(
    tx: &impl ConnectionTrait,
    kind: &str,
    id: &str,
) -> Result<Option<sandbox_object::Model>, DbErr> {
    sandbox_object::Entity::find_by_id(id).filter(sandbox_object::Column::Kind.eq(kind)).lock_exclusive().one(tx).await
}

/// The customer's objects of these kinds, oldest first.
pub(crate) async fn of_customer(
    db: &impl ConnectionTrait,
    customer: &str,
    kinds: &[&str],
) -> Result<Vec<sandbox_object::Model>, DbErr> {
    sandbox_object::Entity::find()
        .filter(sandbox_object::Column::CustomerId.eq(customer))
        .filter(sandbox_object::Column::Kind.is_in(kinds.iter().copied()))
        .order_by_asc(sandbox_object::Column::CreatedAt)
        .order_by_asc(sandbox_object::Column::Id)
        .all(db)
        .await
}

/// Stores what became of an object.
pub(crate) async fn set_body(tx: &impl ConnectionTrait, id: &str, body: String) -> Result<(), DbErr> {
    sandbox_object::Entity::update_many()
        .col_expr(sandbox_object::Column::Body, Expr::value(body))
        .filter(sandbox_object::Column::Id.eq(id))
        .exec(tx)
        .await?;
    Ok(())
}
