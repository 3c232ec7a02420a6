//! Queries on transfers.

use std::collections::HashMap;

use entity::{
    account, link,
    transfer::{ActiveModel, Column, Entity, Model},
    transfer_link,
};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, JoinType, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect, RelationTrait, Select,
};
use uuid::Uuid;

use super::state::TransferState;
use crate::base::{
    clock::UnixMillis,
    ids::{AccountId, DomainId, TransferId},
    page::PageArgs,
};

/// Those that an account gives or gets.
fn of_account(account: AccountId) -> Select<Entity> {
    let gives_or_gets = Condition::any().add(Column::AccountId.eq(account.0)).add(Column::ToAccountId.eq(account.0));
    Entity::find().filter(gives_or_gets)
}

/// A transfer that moves links never expires.
fn is_live(now: UnixMillis) -> Condition {
    Condition::any().add(Column::ExpiresAt.gt(now)).add(Column::State.eq(TransferState::Moving.as_str()))
}

/// One page of the transfers that an account gives or gets, newest first.
pub(crate) async fn page(
    db: &impl ConnectionTrait,
    account: AccountId,
    now: UnixMillis,
    page: PageArgs,
) -> Result<Vec<Model>, DbErr> {
    let newest = of_account(account).filter(is_live(now)).order_by_desc(Column::Id);
    newest.offset(page.offset()).limit(page.limit()).all(db).await
}

/// Number of the transfers that an account gives or gets.
pub(crate) async fn count(db: &impl ConnectionTrait, account: AccountId, now: UnixMillis) -> Result<u64, DbErr> {
    of_account(account).filter(is_live(now)).count(db).await
}

/// The transfer, if the account gives or gets it.
pub(crate) async fn transfer(
    db: &impl ConnectionTrait,
    account: AccountId,
    id: TransferId,
    now: UnixMillis,
) -> Result<Option<Model>, DbErr> {
    of_account(account).filter(is_live(now)).filter(Column::Id.eq(id.0)).one(db).await
}

/// The transfer, locked until the transaction ends: for the job that moves its links.
pub(crate) async fn lock(tx: &impl ConnectionTrait, id: Uuid) -> Result<Option<Model>, DbErr> {
    Entity::find_by_id(id).lock_exclusive().one(tx).await
}

/// Number of offers of the account that wait.
pub(crate) async fn count_offers(db: &impl ConnectionTrait, account: AccountId, now: UnixMillis) -> Result<u64, DbErr> {
    let offers = Entity::find().filter(Column::AccountId.eq(account.0)).filter(Column::ExpiresAt.gt(now));
    offers.filter(Column::State.eq(TransferState::Offered.as_str())).count(db).await
}

/// Whether links are moved from the account, or to it; of one domain, if it is given.
pub(crate) async fn is_moving(
    db: &impl ConnectionTrait,
    account: AccountId,
    domain: Option<DomainId>,
) -> Result<bool, DbErr> {
    let moving = of_account(account).filter(Column::State.eq(TransferState::Moving.as_str()));
    let of_domain = Condition::all().add_option(domain.map(|domain| Column::DomainId.eq(domain.0)));
    Ok(moving.filter(of_domain).count(db).await? > 0)
}

/// Stores a transfer with its links.
pub(crate) async fn insert(tx: &impl ConnectionTrait, transfer: Model, links: &[Uuid]) -> Result<(), DbErr> {
    let transfer_id = transfer.id;
    Entity::insert(ActiveModel::from(transfer).reset_all()).exec_without_returning(tx).await?;
    if links.is_empty() {
        return Ok(());
    }
    let links = links.iter().map(|link_id| transfer_link::Model { transfer_id, link_id: *link_id });
    let links = links.map(|link| transfer_link::ActiveModel::from(link).reset_all());
    transfer_link::Entity::insert_many(links).exec_without_returning(tx).await.map(drop)
}

/// Stores the changed transfer.
pub(crate) async fn update(tx: &impl ConnectionTrait, transfer: Model) -> Result<(), DbErr> {
    ActiveModel::from(transfer).reset_all().update(tx).await.map(drop)
}

/// Deletes a transfer.
pub(crate) async fn delete(tx: &impl ConnectionTrait, id: Uuid) -> Result<(), DbErr> {
    Entity::delete_by_id(id).exec(tx).await.map(drop)
}

/// Deletes transfers that expired before.
pub(crate) async fn delete_expired(db: &impl ConnectionTrait, now: UnixMillis) -> Result<(), DbErr> {
    let expired = Entity::delete_many().filter(Column::ExpiresAt.lte(now));
    expired.filter(Column::State.ne(TransferState::Moving.as_str())).exec(db).await.map(drop)
}

/// Ids of the links of a transfer.
pub(crate) async fn links(db: &impl ConnectionTrait, id: Uuid) -> Result<Vec<Uuid>, DbErr> {
    let links = transfer_link::Entity::find().filter(transfer_link::Column::TransferId.eq(id)).select_only();
    links.column(transfer_link::Column::LinkId).into_tuple().all(db).await
}

/// Hosts and slugs of the links of transfers, by transfer, the oldest link first.
pub(crate) async fn places(
    db: &impl ConnectionTrait,
    transfers: Vec<Uuid>,
) -> Result<HashMap<Uuid, Vec<(String, String)>>, DbErr> {
    let mut places: HashMap<Uuid, Vec<(String, String)>> = HashMap::new();
    if transfers.is_empty() {
        return Ok(places);
    }
    let links = transfer_link::Entity::find()
        .join(JoinType::InnerJoin, transfer_link::Relation::Link.def())
        .filter(transfer_link::Column::TransferId.is_in(transfers))
        .order_by_asc(transfer_link::Column::LinkId)
        .select_only()
        .column(transfer_link::Column::TransferId)
        .columns([link::Column::Host, link::Column::Slug]);
    let links: Vec<(Uuid, String, String)> = links.into_tuple().all(db).await?;
    for (transfer, host, slug) in links {
        places.entry(transfer).or_default().push((host, slug));
    }
    Ok(places)
}

/// The transfer of whatever accounts: for the job that moves its links.
pub(crate) async fn by_id(db: &impl ConnectionTrait, id: Uuid) -> Result<Option<Model>, DbErr> {
    Entity::find_by_id(id).one(db).await
}

/// Accounts with these ids that are not deleted, in no order.
pub(crate) async fn accounts(db: &impl ConnectionTrait, ids: Vec<Uuid>) -> Result<Vec<account::Model>, DbErr> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let found = account::Entity::find().filter(account::Column::Id.is_in(ids));
    found.filter(account::Column::DeletedAt.is_null()).all(db).await
}
