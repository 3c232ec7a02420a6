//! Queries on custom domains.

use entity::domain;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Select,
};

use crate::{
    domains::state::DomainStatus,
    ids::{AccountId, DomainId},
    page::PageArgs,
};

fn in_account(account: AccountId) -> Select<domain::Entity> {
    domain::Entity::find().filter(domain::Column::AccountId.eq(account.0))
}

/// One page of the account's domains, newest first.
pub(crate) async fn page(
    db: &impl ConnectionTrait,
    account: AccountId,
    page: PageArgs,
) -> Result<Vec<domain::Model>, DbErr> {
    in_account(account).order_by_desc(domain::Column::Id).offset(page.offset()).limit(page.limit()).all(db).await
}

/// Number of the account's domains.
pub(crate) async fn count(db: &impl ConnectionTrait, account: AccountId) -> Result<u64, DbErr> {
    in_account(account).count(db).await
}

/// The domain of this account.
pub(crate) async fn domain(
    db: &impl ConnectionTrait,
    account: AccountId,
    id: DomainId,
) -> Result<Option<domain::Model>, DbErr> {
    in_account(account).filter(domain::Column::Id.eq(id.0)).one(db).await
}

/// The domain, whose ever it is: for the job that checks it.
pub(crate) async fn of_any_account(db: &impl ConnectionTrait, id: DomainId) -> Result<Option<domain::Model>, DbErr> {
    domain::Entity::find_by_id(id.0).one(db).await
}

/// Whether the account has the name.
pub(crate) async fn has(db: &impl ConnectionTrait, account: AccountId, name: &str) -> Result<bool, DbErr> {
    Ok(in_account(account).filter(domain::Column::Name.eq(name)).count(db).await? > 0)
}

/// Whether any account has the name and proved it. Not scoped to an account, like the name itself.
pub(crate) async fn is_active(db: &impl ConnectionTrait, name: &str) -> Result<bool, DbErr> {
    let active = domain::Entity::find()
        .filter(domain::Column::Name.eq(name))
        .filter(domain::Column::Status.eq(DomainStatus::Active.as_str()));
    Ok(active.count(db).await? > 0)
}

/// The name as every account has it, locked until the transaction ends: whose it is, is decided by one at a time.
pub(crate) async fn lock_name(tx: &impl ConnectionTrait, name: &str) -> Result<Vec<domain::Model>, DbErr> {
    let rows = domain::Entity::find().filter(domain::Column::Name.eq(name)).order_by_asc(domain::Column::Id);
    rows.lock_exclusive().all(tx).await
}

/// Stores a new domain.
pub(crate) async fn insert(tx: &impl ConnectionTrait, domain: domain::Model) -> Result<domain::Model, DbErr> {
    domain::ActiveModel::from(domain).reset_all().insert(tx).await
}

/// Stores the changed domain, which must be locked.
pub(crate) async fn update(tx: &impl ConnectionTrait, domain: domain::Model) -> Result<domain::Model, DbErr> {
    domain::ActiveModel::from(domain).reset_all().update(tx).await
}

pub(crate) async fn delete(tx: &impl ConnectionTrait, account: AccountId, id: DomainId) -> Result<(), DbErr> {
    domain::Entity::delete_by_id(id.0).filter(domain::Column::AccountId.eq(account.0)).exec(tx).await?;
    Ok(())
}
