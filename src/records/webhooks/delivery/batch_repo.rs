//! Queries on batches and their events.

use std::collections::HashMap;

use entity::{batch_event, delivery, open_batch, outbox_event};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, Value,
    sea_query::{Expr, ExprTrait, OnConflict},
};
use uuid::Uuid;

use crate::{
    base::clock::UnixMillis,
    platform::{
        db::{ROWS_PER_STATEMENT, of_each, on_rows},
        work::outbox,
    },
};

/// When the first of the open batches is to be closed.
pub(crate) async fn next_closing(db: &impl ConnectionTrait) -> Result<Option<UnixMillis>, DbErr> {
    let first = open_batch::Entity::find().select_only().column(open_batch::Column::ClosesAt);
    first.order_by_asc(open_batch::Column::ClosesAt).limit(1).into_tuple().one(db).await
}

/// Some of the webhooks with a batch that is to be closed.
pub(crate) async fn webhooks_to_close(
    db: &impl ConnectionTrait,
    now: UnixMillis,
    limit: u64,
) -> Result<Vec<Uuid>, DbErr> {
    let overdue = open_batch::Entity::find().select_only().column(open_batch::Column::WebhookId).distinct();
    overdue.filter(open_batch::Column::ClosesAt.lte(now)).limit(limit).into_tuple().all(db).await
}

/// The open batches of these webhooks, with their deliveries.
pub(crate) async fn open(
    tx: &impl ConnectionTrait,
    webhooks: Vec<Uuid>,
) -> Result<Vec<(open_batch::Model, delivery::Model)>, DbErr> {
    let open = open_batch::Entity::find().filter(open_batch::Column::WebhookId.is_in(webhooks));
    let found = open.find_also_related(delivery::Entity).all(tx).await?;
    Ok(found.into_iter().filter_map(|(open, delivery)| Some((open, delivery?))).collect())
}

/// Stores how many events these batches have now, and when they are due.
pub(crate) async fn update(tx: &impl ConnectionTrait, batches: &[delivery::Model]) -> Result<(), DbErr> {
    let row = |batch: &delivery::Model| {
        // Zero stands for no time.
        let due_at = batch.due_at.unwrap_or_default();
        [Value::from(batch.id), batch.batch_size.unwrap_or_default().into(), due_at.into()]
    };
    let sql = |rows: &str| {
        format!(
            "UPDATE deliveries SET batch_size = v.column2, due_at = nullif(v.column3, 0) \
             FROM {rows} AS v WHERE deliveries.id = v.column1"
        )
    };
    let rows = batches.iter().map(row).collect();
    for statement in on_rows(tx.get_database_backend(), ["uuid", "int", "bigint"], rows, sql) {
        tx.execute_raw(statement).await?;
    }
    Ok(())
}

/// Adds events to batches.
pub(crate) async fn insert_events(tx: &impl ConnectionTrait, events: Vec<batch_event::Model>) -> Result<(), DbErr> {
    for events in events.chunks(ROWS_PER_STATEMENT) {
        let rows = events.iter().map(|event| batch_event::ActiveModel::from(event.clone()).reset_all());
        batch_event::Entity::insert_many(rows).exec_without_returning(tx).await?;
    }
    Ok(())
}

/// Stores that these batches take more events.
pub(crate) async fn keep_open(tx: &impl ConnectionTrait, batches: Vec<open_batch::Model>) -> Result<(), DbErr> {
    for batches in batches.chunks(ROWS_PER_STATEMENT) {
        let rows = batches.iter().map(|batch| open_batch::ActiveModel::from(batch.clone()).reset_all());
        let grown =
            OnConflict::column(open_batch::Column::DeliveryId).update_column(open_batch::Column::Bytes).to_owned();
        open_batch::Entity::insert_many(rows).on_conflict(grown).exec_without_returning(tx).await?;
    }
    Ok(())
}

/// Stores that these batches take no more events.
pub(crate) async fn close(tx: &impl ConnectionTrait, batches: impl IntoIterator<Item = Uuid>) -> Result<(), DbErr> {
    let batches: Vec<Uuid> = batches.into_iter().collect();
    if !batches.is_empty() {
        open_batch::Entity::delete_many().filter(open_batch::Column::DeliveryId.is_in(batches)).exec(tx).await?;
    }
    Ok(())
}

/// The same part of the events of several batches, as far as they are kept, in their order.
pub(crate) async fn events(
    db: &impl ConnectionTrait,
    batches: &[Uuid],
    offset: u64,
    limit: u64,
) -> Result<HashMap<Uuid, Vec<outbox_event::Model>>, DbErr> {
    let of_batch = |batch: Expr| {
        batch_event::Entity::find()
            .filter(Expr::col((batch_event::Entity, batch_event::Column::DeliveryId)).eq(batch))
            .order_by_asc(batch_event::Column::EventId)
            .offset(offset)
            .limit(limit)
            .into_query()
    };
    let listed = of_each::<batch_event::Model>(db, batches.to_vec(), of_batch).await?;
    let found = outbox::events(db, listed.iter().map(|listed| listed.event_id)).await?;
    let mut events: HashMap<Uuid, Vec<outbox_event::Model>> = HashMap::new();
    for batch_event::Model { delivery_id, event_id } in listed {
        events.entry(delivery_id).or_default().extend(found.get(&event_id).cloned());
    }
    for events in events.values_mut() {
        events.sort_unstable_by_key(|event| event.id);
    }
    Ok(events)
}
