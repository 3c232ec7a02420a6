//! Queries on webhooks.

use entity::webhook;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Select, sea_query::Expr,
};
use uuid::Uuid;

use crate::{
    base::{
        clock::UnixMillis,
        ids::{AccountId, WebhookId},
        page::PageArgs,
    },
    records::webhooks::disabled::DisabledReason,
};

fn in_account(account: AccountId) -> Select<webhook::Entity> {
    webhook::Entity::find().filter(webhook::Column::AccountId.eq(account.0))
}

/// One page of the account's webhooks, newest first.
pub(crate) async fn page(
    db: &impl ConnectionTrait,
    account: AccountId,
    page: PageArgs,
) -> Result<Vec<webhook::Model>, DbErr> {
    in_account(account).order_by_desc(webhook::Column::Id).offset(page.offset()).limit(page.limit()).all(db).await
}

/// Number of the account's webhooks.
pub(crate) async fn count(db: &impl ConnectionTrait, account: AccountId) -> Result<u64, DbErr> {
    in_account(account).count(db).await
}

/// The webhook of this account.
pub(crate) async fn webhook(
    db: &impl ConnectionTrait,
    account: AccountId,
    id: WebhookId,
) -> Result<Option<webhook::Model>, DbErr> {
    in_account(account).filter(webhook::Column::Id.eq(id.0)).one(db).await
}

/// The webhook of this account, locked until the transaction ends.
pub(crate) async fn lock_webhook(
    tx: &impl ConnectionTrait,
    account: AccountId,
    id: WebhookId,
) -> Result<Option<webhook::Model>, DbErr> {
    in_account(account).filter(webhook::Column::Id.eq(id.0)).lock_exclusive().one(tx).await
}

/// The webhooks of this account, in no order.
pub(crate) async fn webhooks(
    db: &impl ConnectionTrait,
    account: AccountId,
    ids: &[WebhookId],
) -> Result<Vec<webhook::Model>, DbErr> {
    in_account(account).filter(webhook::Column::Id.is_in(ids.iter().map(|id| id.0))).all(db).await
}

/// The webhook, for the job that writes about it.
pub(crate) async fn by_id(db: &impl ConnectionTrait, id: Uuid) -> Result<Option<webhook::Model>, DbErr> {
    webhook::Entity::find_by_id(id).one(db).await
}

/// Ids of all webhooks of the account.
pub(crate) async fn ids(tx: &impl ConnectionTrait, account: AccountId) -> Result<Vec<Uuid>, DbErr> {
    in_account(account).select_only().column(webhook::Column::Id).into_tuple().all(tx).await
}

/// Stores a new webhook.
pub(crate) async fn insert(tx: &impl ConnectionTrait, webhook: webhook::Model) -> Result<webhook::Model, DbErr> {
    webhook::ActiveModel::from(webhook).reset_all().insert(tx).await
}

/// Stores the changed webhook, which was read and locked in the transaction.
pub(crate) async fn update(tx: &impl ConnectionTrait, webhook: webhook::Model) -> Result<webhook::Model, DbErr> {
    webhook::ActiveModel::from(webhook).reset_all().update(tx).await
}

pub(crate) async fn delete(tx: &impl ConnectionTrait, account: AccountId, id: WebhookId) -> Result<(), DbErr> {
    webhook::Entity::delete_by_id(id.0).filter(webhook::Column::AccountId.eq(account.0)).exec(tx).await?;
    Ok(())
}

/// Deletes all webhooks of the account.
pub(crate) async fn delete_all(tx: &impl ConnectionTrait, account: AccountId) -> Result<(), DbErr> {
    webhook::Entity::delete_many().filter(webhook::Column::AccountId.eq(account.0)).exec(tx).await?;
    Ok(())
}

/// Disables the webhook: nothing more is delivered to it.
pub(crate) async fn disable(
    tx: &impl ConnectionTrait,
    id: Uuid,
    reason: DisabledReason,
    now: UnixMillis,
    updated_at: UnixMillis,
) -> Result<(), DbErr> {
    webhook::Entity::update_many()
        .col_expr(webhook::Column::IsActive, Expr::value(false))
        .col_expr(webhook::Column::DisabledAt, Expr::value(now))
        .col_expr(webhook::Column::DisabledReason, Expr::value(reason.as_str()))
        .col_expr(webhook::Column::UpdatedAt, Expr::value(updated_at))
        .col_expr(webhook::Column::NextDueAt, Expr::value(None::<UnixMillis>))
        .filter(webhook::Column::Id.eq(id))
        .exec(tx)
        .await?;
    Ok(())
}
