//! Rules of deliveries that callers see: tests, redeliveries, lists, and what is deleted.

use entity::{delivery, webhook};

use crate::{
    app::App,
    base::{
        clock::UnixMillis,
        error::{ApiError, Code},
        ids::{AccountId, DeliveryId, WebhookId},
        page::{PageArgs, Selected},
    },
    features::webhooks::{self, event::event, purge::PURGE_BATCH},
    platform::{
        db::Transaction,
        work::{
            audit::{Act, Fact},
            event_kind::EventKind,
            outbox,
        },
    },
    records::webhooks::{
        delivery::{
            Status,
            batch::batch_of_one,
            batch_repo, new_delivery,
            repo::{insert, wake},
            schedule::ATTEMPTS,
        },
        delivery_repo::{self, DeliveryFilter},
        repo,
    },
};

/// Sends a test event to this webhook alone, whatever events it asks for.
pub(crate) async fn test(app: &App, act: &Act, id: WebhookId) -> Result<delivery::Model, ApiError> {
    let account = act.account;
    let now = app.clock.now();
    let tx = app.begin(act).await?;
    let webhook = lock_active(&tx, account, id).await?;
    let recorded = outbox::record_delivered(&tx, account, event(EventKind::WebhookTest, &webhook)?, now).await?;
    let kind = EventKind::WebhookTest.as_str();
    let (delivery, batched) = match webhook.batch {
        true => {
            let (delivery, event) = batch_of_one(id.0, recorded, kind, now);
            (delivery, vec![event])
        }
        false => (new_delivery(id.0, recorded, kind, now, now), Vec::new()),
    };
    insert(&tx, std::slice::from_ref(&delivery)).await?;
    batch_repo::insert_events(&tx, batched).await?;
    wake(&tx, [id.0], now).await?;
    tx.deliver();
    tx.commit([Fact::created(&delivery)]).await?;
    Ok(delivery)
}

/// Starts a delivery again, now and with a whole new schedule, whatever its status is.
pub(crate) async fn redeliver(
    app: &App,
    act: &Act,
    webhook: WebhookId,
    id: DeliveryId,
) -> Result<delivery::Model, ApiError> {
    let account = act.account;
    let tx = app.begin(act).await?;
    lock_active(&tx, account, webhook).await?;
    // Read under the webhook's lock, so that redeliveries become visible in the order of their times.
    let now = app.clock.now();
    let Some(mut delivery) = delivery_repo::lock_delivery(&tx, webhook, id).await? else {
        return Err(Code::NotFound.into());
    };
    let before = delivery.clone();
    // Attempts of the last schedule are kept, older ones are deleted.
    let kept = i32::try_from(ATTEMPTS).unwrap_or(i32::MAX);
    delivery_repo::delete_attempts(&tx, id, delivery.attempts.saturating_sub(kept)).await?;
    delivery.status = Status::Pending.as_str().to_owned();
    delivery.tries = 0;
    delivery.due_at = Some(now);
    delivery.completed_at = None;
    delivery.asked_again_at = Some(now);
    let delivery = delivery_repo::update(&tx, delivery).await?;
    // If it is an open batch, it is closed, so that its body does not change any more.
    batch_repo::close(&tx, [id.0]).await?;
    wake(&tx, [webhook.0], now).await?;
    tx.deliver();
    tx.commit([Fact::changed(&before, &delivery)]).await?;
    Ok(delivery)
}

async fn lock_active(tx: &Transaction, account: AccountId, id: WebhookId) -> Result<webhook::Model, ApiError> {
    match repo::lock_webhook(tx, account, id).await? {
        Some(webhook) if webhook.is_active => Ok(webhook),
        Some(_) => Err(ApiError::conflict("isActive", "The webhook is not active: nothing is delivered to it.")),
        None => Err(Code::NotFound.into()),
    }
}

/// One page of a webhook's deliveries, and their number; each only if selected.
pub(crate) async fn list(
    app: &App,
    account: AccountId,
    id: WebhookId,
    filter: DeliveryFilter,
    page: PageArgs,
    selected: Selected,
) -> Result<(Vec<delivery::Model>, i64), ApiError> {
    webhooks::ops::webhook(app, account, id).await?;
    let db = &app.db.scans();
    let found = if selected.items {
        delivery_repo::pages(db, &[id], filter, page).await?.remove(&id.0).unwrap_or_default()
    } else {
        Vec::new()
    };
    let total = if selected.total {
        delivery_repo::counts(db, &[id], filter).await?.remove(&id.0).unwrap_or_default()
    } else {
        0
    };
    Ok((found, total))
}

/// Deletes the deliveries of events older than `before`.
pub(crate) async fn delete_before(app: &App, before: UnixMillis) -> Result<(), ApiError> {
    while delivery_repo::delete_before(&app.db, before, PURGE_BATCH).await? > 0 {}
    Ok(())
}
