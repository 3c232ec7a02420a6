//! Queries on customers, subscriptions, invoices and the provider's events.

use entity::{billing_customer, invoice, provider_event, subscription};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait, OnConflict},
};
use uuid::Uuid;

use crate::base::{clock::UnixMillis, ids::AccountId};

pub(crate) async fn customer(
    db: &impl ConnectionTrait,
    account: AccountId,
) -> Result<Option<billing_customer::Model>, DbErr> {
    billing_customer::Entity::find_by_id(account.0).one(db).await
}

/// The customer with this id of the provider. Not scoped to an account: this is how the account is found.
pub(crate) async fn customer_by_id(
    db: &impl ConnectionTrait,
    provider: &str,
    customer: &str,
) -> Result<Option<billing_customer::Model>, DbErr> {
    billing_customer::Entity::find()
        .filter(billing_customer::Column::CustomerId.eq(customer))
        .filter(billing_customer::Column::Provider.eq(provider))
        .one(db)
        .await
}

/// Stores a new customer.
pub(crate) async fn insert_customer(tx: &impl ConnectionTrait, customer: billing_customer::Model) -> Result<(), DbErr> {
    let customer = billing_customer::ActiveModel::from(customer).reset_all();
    billing_customer::Entity::insert(customer).exec_without_returning(tx).await?;
    Ok(())
}

/// Stores the provider's id of the customer that was requested with this key. `false`: the account is gone, or has another
/// request by now.
pub(crate) async fn set_customer_id(
    db: &impl ConnectionTrait,
    account: AccountId,
    request_key: Uuid,
    customer: &str,
) -> Result<bool, DbErr> {
    let stored = billing_customer::Entity::update_many()
        .col_expr(billing_customer::Column::CustomerId, Expr::value(customer))
        .filter(billing_customer::Column::AccountId.eq(account.0))
        .filter(billing_customer::Column::RequestKey.eq(request_key))
        .exec(db)
        .await?;
    Ok(stored.rows_affected > 0)
}

pub(crate) async fn delete_customer(tx: &impl ConnectionTrait, account: AccountId) -> Result<(), DbErr> {
    billing_customer::Entity::delete_by_id(account.0).exec(tx).await?;
    Ok(())
}

/// Deletes the account's customer if it was requested with this key and has no id yet.
pub(crate) async fn delete_unmade_customer(
    db: &impl ConnectionTrait,
    account: AccountId,
    request_key: Uuid,
) -> Result<(), DbErr> {
    billing_customer::Entity::delete_by_id(account.0)
        .filter(billing_customer::Column::RequestKey.eq(request_key))
        .filter(billing_customer::Column::CustomerId.is_null())
        .exec(db)
        .await?;
    Ok(())
}

/// Takes the ticket of a sync with the provider. `None`: the account has no customer.
pub(crate) async fn take_ticket(
    db: &impl ConnectionTrait,
    account: AccountId,
) -> Result<Option<billing_customer::Model>, DbErr> {
    let taken = billing_customer::Entity::update_many()
        .col_expr(billing_customer::Column::Tickets, Expr::col(billing_customer::Column::Tickets).add(1))
        .filter(billing_customer::Column::AccountId.eq(account.0))
        .exec_with_returning(db)
        .await?;
    Ok(taken.into_iter().next())
}

/// Stores that the account's state is that of the sync with this ticket.
pub(crate) async fn set_synced(
    tx: &impl ConnectionTrait,
    account: AccountId,
    ticket: i64,
    now: UnixMillis,
) -> Result<(), DbErr> {
    billing_customer::Entity::update_many()
        .col_expr(billing_customer::Column::Synced, Expr::value(ticket))
        .col_expr(billing_customer::Column::SyncedAt, Expr::value(now))
        .filter(billing_customer::Column::AccountId.eq(account.0))
        .exec(tx)
        .await?;
    Ok(())
}

/// The account's subscription, ended or not.
pub(crate) async fn subscription(
    db: &impl ConnectionTrait,
    account: AccountId,
) -> Result<Option<subscription::Model>, DbErr> {
    subscription::Entity::find().filter(subscription::Column::AccountId.eq(account.0)).one(db).await
}

/// Stores the account's subscription instead of the one that it had.
pub(crate) async fn put_subscription(tx: &impl ConnectionTrait, new: subscription::Model) -> Result<(), DbErr> {
    subscription::Entity::delete_many()
        .filter(subscription::Column::AccountId.eq(new.account_id))
        .filter(subscription::Column::Id.ne(new.id))
        .exec(tx)
        .await?;
    let replace = OnConflict::column(subscription::Column::Id)
        .update_columns([
            subscription::Column::PriceId,
            subscription::Column::Plan,
            subscription::Column::Interval,
            subscription::Column::Status,
            subscription::Column::CurrentPeriodStart,
            subscription::Column::CurrentPeriodEnd,
            subscription::Column::CancelAtPeriodEnd,
            subscription::Column::PastDueSince,
        ])
        .to_owned();
    let new = subscription::ActiveModel::from(new).reset_all();
    subscription::Entity::insert(new).on_conflict(replace).exec_without_returning(tx).await?;
    Ok(())
}

/// The account's newest invoices, newest first.
pub(crate) async fn invoices(
    db: &impl ConnectionTrait,
    account: AccountId,
    limit: u64,
) -> Result<Vec<invoice::Model>, DbErr> {
    invoice::Entity::find()
        .filter(invoice::Column::AccountId.eq(account.0))
        .order_by_desc(invoice::Column::CreatedAt)
        .order_by_desc(invoice::Column::Id)
        .limit(limit)
        .all(db)
        .await
}

/// The account's invoices with these provider ids.
pub(crate) async fn invoices_by_id(
    db: &impl ConnectionTrait,
    account: AccountId,
    ids: impl IntoIterator<Item = &str>,
) -> Result<Vec<invoice::Model>, DbErr> {
    invoice::Entity::find()
        .filter(invoice::Column::AccountId.eq(account.0))
        .filter(invoice::Column::ProviderId.is_in(ids))
        .all(db)
        .await
}

/// Stores invoices, new or changed.
pub(crate) async fn put_invoices(tx: &impl ConnectionTrait, invoices: Vec<invoice::Model>) -> Result<(), DbErr> {
    if invoices.is_empty() {
        return Ok(());
    }
    let replace = OnConflict::column(invoice::Column::Id)
        .update_columns([
            invoice::Column::Number,
            invoice::Column::Status,
            invoice::Column::Currency,
            invoice::Column::AmountDue,
            invoice::Column::AmountPaid,
            invoice::Column::HostedUrl,
            invoice::Column::PdfUrl,
        ])
        .to_owned();
    let rows = invoices.into_iter().map(|row| invoice::ActiveModel::from(row).reset_all());
    invoice::Entity::insert_many(rows).on_conflict(replace).exec_without_returning(tx).await?;
    Ok(())
}

/// Whether the event was processed before.
pub(crate) async fn has_event(db: &impl ConnectionTrait, id: &str) -> Result<bool, DbErr> {
    Ok(provider_event::Entity::find_by_id(id).one(db).await?.is_some())
}

/// Stores that the event is processed. `false`: it was stored before (the primary key decides).
pub(crate) async fn insert_event(tx: &impl ConnectionTrait, event: provider_event::Model) -> Result<bool, DbErr> {
    let event = provider_event::ActiveModel::from(event).reset_all();
    let known = OnConflict::new().do_nothing().to_owned();
    Ok(provider_event::Entity::insert(event).on_conflict(known).exec_without_returning(tx).await? > 0)
}

/// Deletes events received before.
pub(crate) async fn delete_events_before(db: &impl ConnectionTrait, before: UnixMillis) -> Result<(), DbErr> {
    provider_event::Entity::delete_many().filter(provider_event::Column::ReceivedAt.lt(before)).exec(db).await?;
    Ok(())
}
