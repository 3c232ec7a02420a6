//! Queries on deliveries for the API and for what is deleted. The webhooks must have been read for the account.

use std::collections::HashMap;

use entity::{delivery, delivery_attempt};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, Select,
    sea_query::{Expr, ExprTrait},
};
use uuid::Uuid;

use crate::{
    base::{
        clock::UnixMillis,
        ids::{DeliveryId, WebhookId},
        page::PageArgs,
    },
    platform::{
        db::{Db, of_each},
        work::event_kind::EventKind,
    },
    records::webhooks::delivery::Status,
};

/// Which deliveries of a webhook to list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct DeliveryFilter {
    /// Only those with this status.
    pub(crate) status: Option<Status>,
    /// Only those of this event.
    pub(crate) event: Option<EventKind>,
}

fn filtered(filter: DeliveryFilter) -> Select<delivery::Entity> {
    let mut deliveries = delivery::Entity::find();
    if let Some(status) = filter.status {
        deliveries = deliveries.filter(delivery::Column::Status.eq(status.as_str()));
    }
    if let Some(event) = filter.event {
        deliveries = deliveries.filter(delivery::Column::Event.eq(event.as_str()));
    }
    deliveries
}

/// The same page of the deliveries of several webhooks, in one statement that reads each page alone from the index.
pub(crate) async fn pages(
    db: &impl ConnectionTrait,
    webhooks: &[WebhookId],
    filter: DeliveryFilter,
    page: PageArgs,
) -> Result<HashMap<Uuid, Vec<delivery::Model>>, DbErr> {
    let page_of = |webhook: Expr| {
        // In the order of the index that keeps events unique.
        filtered(filter)
            .filter(Expr::col((delivery::Entity, delivery::Column::WebhookId)).eq(webhook))
            .order_by_desc(delivery::Column::EventId)
            .offset(page.offset())
            .limit(page.limit())
            .into_query()
    };
    let mut pages: HashMap<Uuid, Vec<delivery::Model>> = HashMap::new();
    for delivery in of_each::<delivery::Model>(db, webhooks.iter().map(|webhook| webhook.0).collect(), page_of).await? {
        pages.entry(delivery.webhook_id).or_default().push(delivery);
    }
    for page in pages.values_mut() {
        page.sort_unstable_by_key(|delivery| std::cmp::Reverse(delivery.event_id));
    }
    Ok(pages)
}

/// The redeliveries of the webhook, the latest request first.
pub(crate) async fn asked_again(
    db: &impl ConnectionTrait,
    webhook: WebhookId,
    limit: u64,
) -> Result<Vec<delivery::Model>, DbErr> {
    delivery::Entity::find()
        .filter(delivery::Column::WebhookId.eq(webhook.0))
        .filter(delivery::Column::AskedAgainAt.is_not_null())
        .order_by_desc(delivery::Column::AskedAgainAt)
        .limit(limit)
        .all(db)
        .await
}

/// Numbers of the deliveries of these webhooks that pass the filter; a webhook without any is left out.
pub(crate) async fn counts(
    db: &impl ConnectionTrait,
    webhooks: &[WebhookId],
    filter: DeliveryFilter,
) -> Result<HashMap<Uuid, i64>, DbErr> {
    if webhooks.is_empty() {
        return Ok(HashMap::new());
    }
    let counted = filtered(filter)
        .filter(delivery::Column::WebhookId.is_in(webhooks.iter().map(|id| id.0)))
        .select_only()
        .column(delivery::Column::WebhookId)
        .column_as(delivery::Column::Id.count(), "number")
        .group_by(delivery::Column::WebhookId);
    Ok(counted.into_tuple::<(Uuid, i64)>().all(db).await?.into_iter().collect())
}

/// The delivery of this webhook, locked until the transaction ends: an attempt that ends meanwhile is noted after it.
pub(crate) async fn lock_delivery(
    tx: &impl ConnectionTrait,
    webhook: WebhookId,
    id: DeliveryId,
) -> Result<Option<delivery::Model>, DbErr> {
    let delivery = delivery::Entity::find_by_id(id.0).filter(delivery::Column::WebhookId.eq(webhook.0));
    delivery.lock_exclusive().one(tx).await
}

/// Deliveries of this webhook, in no order.
pub(crate) async fn deliveries(
    db: &impl ConnectionTrait,
    webhook: WebhookId,
    ids: Vec<Uuid>,
) -> Result<Vec<delivery::Model>, DbErr> {
    let deliveries = delivery::Entity::find().filter(delivery::Column::Id.is_in(ids));
    deliveries.filter(delivery::Column::WebhookId.eq(webhook.0)).all(db).await
}

/// Stores the changed delivery, which was read and locked in the transaction.
pub(crate) async fn update(tx: &impl ConnectionTrait, delivery: delivery::Model) -> Result<delivery::Model, DbErr> {
    delivery::ActiveModel::from(delivery).reset_all().update(tx).await
}

/// The attempts of these deliveries, oldest first.
pub(crate) async fn attempts(
    db: &impl ConnectionTrait,
    deliveries: &[DeliveryId],
) -> Result<HashMap<Uuid, Vec<delivery_attempt::Model>>, DbErr> {
    let mut found: HashMap<Uuid, Vec<delivery_attempt::Model>> = HashMap::new();
    let attempts = delivery_attempt::Entity::find()
        .filter(delivery_attempt::Column::DeliveryId.is_in(deliveries.iter().map(|id| id.0)))
        .order_by_asc(delivery_attempt::Column::DeliveryId)
        .order_by_asc(delivery_attempt::Column::Number);
    for attempt in attempts.all(db).await? {
        found.entry(attempt.delivery_id).or_default().push(attempt);
    }
    Ok(found)
}

/// Deletes the attempts of the delivery up to this number.
pub(crate) async fn delete_attempts(tx: &impl ConnectionTrait, delivery: DeliveryId, up_to: i32) -> Result<(), DbErr> {
    delivery_attempt::Entity::delete_many()
        .filter(delivery_attempt::Column::DeliveryId.eq(delivery.0))
        .filter(delivery_attempt::Column::Number.lte(up_to))
        .exec(tx)
        .await?;
    Ok(())
}

/// Deletes some deliveries of these webhooks, which are gone; answers how many.
pub(crate) async fn purge(db: &Db, webhooks: &[Uuid], limit: u64) -> Result<u64, DbErr> {
    delete_some(db, delivery::Column::WebhookId.is_in(webhooks.iter().copied()), limit).await
}

/// Deletes some deliveries of events that happened before; answers how many.
pub(crate) async fn delete_before(db: &Db, before: UnixMillis, limit: u64) -> Result<u64, DbErr> {
    delete_some(db, delivery::Column::CreatedAt.lt(before), limit).await
}

/// A few at a time, so that the writer is held briefly. Their attempts go with them.
async fn delete_some(db: &Db, which: Expr, limit: u64) -> Result<u64, DbErr> {
    let ids: Vec<Uuid> = delivery::Entity::find()
        .select_only()
        .column(delivery::Column::Id)
        .filter(which)
        .limit(limit)
        .into_tuple()
        .all(db.read())
        .await?;
    if ids.is_empty() {
        return Ok(0);
    }
    Ok(delivery::Entity::delete_many().filter(delivery::Column::Id.is_in(ids)).exec(db.write()).await?.rows_affected)
}
