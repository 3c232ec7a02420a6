//! Queries on memberships.

use std::collections::HashMap;

use entity::{
    account,
    membership::{ActiveModel, Column, Entity, Model},
    user,
};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Select, sea_query::Expr,
};
use uuid::Uuid;

use crate::{
    base::{
        clock::UnixMillis,
        ids::{AccountId, UserId},
        page::PageArgs,
    },
    platform::auth::role::Role,
};

/// Accounts that a user is a member of at most: all of them are listed at once.
pub(crate) const MAX_ACCOUNTS: u64 = 100;

fn of_account(account: AccountId) -> Select<Entity> {
    Entity::find().filter(Column::AccountId.eq(account.0))
}

/// The user's membership in the account. `None`: the user is no member.
pub(crate) async fn membership(
    db: &impl ConnectionTrait,
    account: AccountId,
    user: UserId,
) -> Result<Option<Model>, DbErr> {
    of_account(account).filter(Column::UserId.eq(user.0)).one(db).await
}

/// The user's memberships with their accounts, the first one first.
pub(crate) async fn of_user(
    db: &impl ConnectionTrait,
    user: UserId,
) -> Result<Vec<(Model, Option<account::Model>)>, DbErr> {
    Entity::find()
        .find_also_related(account::Entity)
        .filter(Column::UserId.eq(user.0))
        .order_by_asc(Column::CreatedAt)
        .order_by_asc(Column::Id)
        .limit(MAX_ACCOUNTS)
        .all(db)
        .await
}

/// One page of the account's members, in the order in which they came.
pub(crate) async fn page(
    db: &impl ConnectionTrait,
    account: AccountId,
    page: PageArgs,
) -> Result<Vec<(Model, Option<user::Model>)>, DbErr> {
    of_account(account)
        .find_also_related(user::Entity)
        .order_by_asc(Column::Id)
        .offset(page.offset())
        .limit(page.limit())
        .all(db)
        .await
}

/// A member of the account.
pub(crate) async fn member(
    db: &impl ConnectionTrait,
    account: AccountId,
    user: UserId,
) -> Result<Option<(Model, user::Model)>, DbErr> {
    let found = of_account(account).filter(Column::UserId.eq(user.0)).find_also_related(user::Entity).one(db).await?;
    Ok(found.and_then(|(membership, user)| Some((membership, user?))))
}

/// Number of members.
pub(crate) async fn count(db: &impl ConnectionTrait, account: AccountId) -> Result<u64, DbErr> {
    of_account(account).count(db).await
}

/// Members with one of these roles, the first ones first.
pub(crate) async fn with_roles(
    db: &impl ConnectionTrait,
    account: AccountId,
    roles: &[Role],
    limit: u64,
) -> Result<Vec<user::Model>, DbErr> {
    let found = of_account(account)
        .find_also_related(user::Entity)
        .filter(Column::Role.is_in(roles.iter().map(|role| role.as_str())))
        .order_by_asc(Column::Id)
        .limit(limit)
        .all(db)
        .await?;
    Ok(found.into_iter().filter_map(|(_, user)| user).collect())
}

/// Number of members but for this user.
pub(crate) async fn count_others(tx: &impl ConnectionTrait, account: AccountId, user: UserId) -> Result<u64, DbErr> {
    of_account(account).filter(Column::UserId.ne(user.0)).count(tx).await
}

/// Number of owners but for this user.
pub(crate) async fn count_other_owners(
    tx: &impl ConnectionTrait,
    account: AccountId,
    user: UserId,
) -> Result<u64, DbErr> {
    of_account(account).filter(Column::Role.eq(Role::Owner.as_str())).filter(Column::UserId.ne(user.0)).count(tx).await
}

/// The names of the first owners of these accounts.
pub(crate) async fn first_owners(
    db: &impl ConnectionTrait,
    accounts: Vec<Uuid>,
) -> Result<HashMap<Uuid, String>, DbErr> {
    if accounts.is_empty() {
        return Ok(HashMap::new());
    }
    let owners = Entity::find()
        .find_also_related(user::Entity)
        .filter(Column::AccountId.is_in(accounts))
        .filter(Column::Role.eq(Role::Owner.as_str()))
        .order_by_desc(Column::Id)
        .all(db)
        .await?;
    // The last one that is put in is the first one.
    Ok(owners.into_iter().filter_map(|(membership, user)| Some((membership.account_id, user?.name))).collect())
}

pub(crate) async fn insert(tx: &impl ConnectionTrait, membership: Model) -> Result<(), DbErr> {
    Entity::insert(ActiveModel::from(membership).reset_all()).exec_without_returning(tx).await.map(drop)
}

/// Stores another role.
pub(crate) async fn set_role(
    tx: &impl ConnectionTrait,
    membership: &Model,
    role: Role,
    changed_at: UnixMillis,
) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::Role, Expr::value(role.as_str()))
        .col_expr(Column::ChangedAt, Expr::value(changed_at))
        .filter(Column::Id.eq(membership.id))
        .exec(tx)
        .await
        .map(drop)
}

pub(crate) async fn delete(tx: &impl ConnectionTrait, membership: &Model) -> Result<(), DbErr> {
    Entity::delete_by_id(membership.id).exec(tx).await.map(drop)
}
