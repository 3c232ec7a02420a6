//! Queries on custom domains.

use std::collections::HashSet;

use entity::{domain, host_setting};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Select,
};

use crate::{
    base::{
        ids::{AccountId, DomainId},
        page::PageArgs,
    },
    records::domains::state::DomainStatus,
};

/// A domain as the API shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownDomain {
    /// The domain.
    pub domain: domain::Model,
    /// The account's settings for it. `None`: the account has set nothing.
    pub settings: Option<host_setting::Model>,
}

impl From<(domain::Model, Option<host_setting::Model>)> for ShownDomain {
    fn from((domain, settings): (domain::Model, Option<host_setting::Model>)) -> Self {
        ShownDomain { domain, settings }
    }
}

fn in_account(account: AccountId) -> Select<domain::Entity> {
    domain::Entity::find().filter(domain::Column::AccountId.eq(account.0))
}

/// One page of the account's domains, newest first.
pub(crate) async fn page(
    db: &impl ConnectionTrait,
    account: AccountId,
    page: PageArgs,
) -> Result<Vec<ShownDomain>, DbErr> {
    let page = in_account(account).order_by_desc(domain::Column::Id).offset(page.offset()).limit(page.limit());
    let found = page.find_also_related(host_setting::Entity).all(db).await?;
    Ok(found.into_iter().map(ShownDomain::from).collect())
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
) -> Result<Option<ShownDomain>, DbErr> {
    let found = in_account(account).filter(domain::Column::Id.eq(id.0)).find_also_related(host_setting::Entity);
    Ok(found.one(db).await?.map(ShownDomain::from))
}

/// The domain of any account: for the job that checks it, and for subscriptions to its changes.
pub(crate) async fn of_any_account(db: &impl ConnectionTrait, id: DomainId) -> Result<Option<ShownDomain>, DbErr> {
    let found = domain::Entity::find_by_id(id.0).find_also_related(host_setting::Entity);
    Ok(found.one(db).await?.map(ShownDomain::from))
}

/// The account's domains with these names, in no order.
pub(crate) async fn named(
    db: &impl ConnectionTrait,
    account: AccountId,
    names: Vec<String>,
) -> Result<Vec<ShownDomain>, DbErr> {
    let found = in_account(account).filter(domain::Column::Name.is_in(names)).find_also_related(host_setting::Entity);
    Ok(found.all(db).await?.into_iter().map(ShownDomain::from).collect())
}

/// Whether the account has the name.
pub(crate) async fn has(db: &impl ConnectionTrait, account: AccountId, name: &str) -> Result<bool, DbErr> {
    Ok(in_account(account).filter(domain::Column::Name.eq(name)).count(db).await? > 0)
}

/// Selects the names that are domains of the account, verified or not.
pub(crate) async fn names(
    db: &impl ConnectionTrait,
    account: AccountId,
    names: HashSet<String>,
) -> Result<Vec<String>, DbErr> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let found = in_account(account).filter(domain::Column::Name.is_in(names));
    found.select_only().column(domain::Column::Name).into_tuple().all(db).await
}

/// Whether any account has the name and proved it. Not scoped to an account, like the name itself.
pub(crate) async fn is_active(db: &impl ConnectionTrait, name: &str) -> Result<bool, DbErr> {
    let active = domain::Entity::find()
        .filter(domain::Column::Name.eq(name))
        .filter(domain::Column::Status.eq(DomainStatus::Active.as_str()));
    Ok(active.count(db).await? > 0)
}

/// The domains of all accounts with this name, locked until the transaction ends: only one transaction at a time decides which
/// account gets the name.
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

/// Deletes all domains of the account.
pub(crate) async fn delete_all(tx: &impl ConnectionTrait, account: AccountId) -> Result<(), DbErr> {
    domain::Entity::delete_many().filter(domain::Column::AccountId.eq(account.0)).exec(tx).await?;
    Ok(())
}
