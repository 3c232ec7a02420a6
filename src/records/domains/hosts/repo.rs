//! Queries on hosts.

use entity::host;
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect,
    sea_query::{Expr, OnConflict},
};

use uuid::Uuid;

use crate::base::ids::AccountId;

/// The names that are hosts of the account.
pub(crate) async fn of_account(
    db: &impl ConnectionTrait,
    account: AccountId,
    names: impl IntoIterator<Item = String>,
) -> Result<Vec<String>, DbErr> {
    let found = host::Entity::find()
        .select_only()
        .column(host::Column::Name)
        .filter(host::Column::AccountId.eq(account.0))
        .filter(host::Column::Name.is_in(names));
    found.into_tuple().all(db).await
}

/// Finds the account that owns the host, and locks the host until the transaction ends; `None`: nobody owns it. The
/// query is not scoped to an account because it is how the owner is found.
pub(crate) async fn lock_owner(tx: &impl ConnectionTrait, name: &str) -> Result<Option<AccountId>, DbErr> {
    let host = host::Entity::find_by_id(name).lock_exclusive().one(tx).await?;
    Ok(host.map(|host| AccountId(host.account_id)))
}

/// Makes the account the owner of a host without one. `false`: it has an owner (the primary key decides).
pub(crate) async fn insert(tx: &impl ConnectionTrait, account: AccountId, name: &str) -> Result<bool, DbErr> {
    let host =
        host::ActiveModel { name: Set(name.to_owned()), account_id: Set(account.0), former_account_id: Set(None) };
    let taken = OnConflict::column(host::Column::Name).do_nothing().to_owned();
    let inserted = host::Entity::insert(host).on_conflict(taken).exec_without_returning(tx).await?;
    Ok(inserted > 0)
}

/// Hands the account's host over to another account. `former`: the account whose links it serves, too, until they are moved.
pub(crate) async fn hand_over(
    tx: &impl ConnectionTrait,
    account: AccountId,
    name: &str,
    to: AccountId,
    former: Option<AccountId>,
) -> Result<(), DbErr> {
    host::Entity::update_many()
        .col_expr(host::Column::AccountId, Expr::value(to.0))
        .col_expr(host::Column::FormerAccountId, Expr::value(former.map(|former| former.0)))
        .filter(host::Column::Name.eq(name))
        .filter(host::Column::AccountId.eq(account.0))
        .exec(tx)
        .await?;
    Ok(())
}

/// Serves no links of the former account any more, since all are moved.
pub(crate) async fn forget_former(tx: &impl ConnectionTrait, name: &str, former: AccountId) -> Result<(), DbErr> {
    host::Entity::update_many()
        .col_expr(host::Column::FormerAccountId, Expr::value(None::<Uuid>))
        .filter(host::Column::Name.eq(name))
        .filter(host::Column::FormerAccountId.eq(former.0))
        .exec(tx)
        .await?;
    Ok(())
}

/// Deletes the account's host.
pub(crate) async fn delete(tx: &impl ConnectionTrait, account: AccountId, name: &str) -> Result<(), DbErr> {
    host::Entity::delete_by_id(name).filter(host::Column::AccountId.eq(account.0)).exec(tx).await?;
    Ok(())
}

/// Deletes all hosts of the account.
pub(crate) async fn delete_all(tx: &impl ConnectionTrait, account: AccountId) -> Result<(), DbErr> {
    host::Entity::delete_many().filter(host::Column::AccountId.eq(account.0)).exec(tx).await?;
    Ok(())
}
