//! Facts that other parts act on, recorded in the transaction of the change: they exist exactly if the change does.

use std::collections::HashMap;

use entity::outbox_event;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::{Expr, LockBehavior, LockType, OnConflict},
};
use serde::Serialize;
use uuid::Uuid;

use crate::{
    base::{
        clock::{UnixMillis, rfc3339},
        error::ApiError,
        ids::AccountId,
    },
    platform::{
        db::{Db, ROWS_PER_STATEMENT, Transaction},
        work::event_kind::{EventKind, MAX_DATA},
    },
};

/// An event to record in the outbox.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) kind: EventKind,
    /// The resource it is about.
    pub(crate) subject: Uuid,
    /// JSON: the resource as the API shows it.
    data: String,
}

impl Event {
    /// An event about a resource, with the data that its type in the schema has.
    pub(crate) fn new(kind: EventKind, subject: Uuid, data: &impl Serialize) -> Result<Self, ApiError> {
        let data = serde_json::to_string(data).map_err(ApiError::internal)?;
        // The API bounds the length of all that it stores, so that only a new field without a bound could get here.
        if data.len() > MAX_DATA {
            return Err(ApiError::internal(format_args!("{} would be too large to send", kind.as_str())));
        }
        Ok(Event { kind, subject, data })
    }
}

/// Records events. It takes the open transaction, so that it can't be called outside one.
pub(crate) async fn record(
    tx: &Transaction,
    account: AccountId,
    events: impl IntoIterator<Item = Event>,
    now: UnixMillis,
) -> Result<(), DbErr> {
    let rows: Vec<_> = events.into_iter().map(|event| row(account, event, now, false)).map(active).collect();
    for rows in rows.chunks(ROWS_PER_STATEMENT) {
        outbox_event::Entity::insert_many(rows.to_vec()).exec_without_returning(tx).await?;
    }
    Ok(())
}

/// Records an event with this id, unless there is one already: for jobs, which may run twice.
pub(crate) async fn record_once(
    tx: &Transaction,
    id: Uuid,
    account: AccountId,
    event: Event,
    now: UnixMillis,
) -> Result<(), DbErr> {
    let row = outbox_event::Model { id, ..row(account, event, now, false) };
    let known = OnConflict::column(outbox_event::Column::Id).do_nothing().to_owned();
    outbox_event::Entity::insert(active(row)).on_conflict(known).exec_without_returning(tx).await?;
    Ok(())
}

/// Records an event whose deliveries the caller makes. Answers its id.
pub(crate) async fn record_delivered(
    tx: &Transaction,
    account: AccountId,
    event: Event,
    now: UnixMillis,
) -> Result<Uuid, DbErr> {
    let row = row(account, event, now, true);
    let id = row.id;
    outbox_event::Entity::insert(active(row)).exec_without_returning(tx).await?;
    Ok(id)
}

fn row(account: AccountId, event: Event, now: UnixMillis, fanned_out: bool) -> outbox_event::Model {
    outbox_event::Model {
        id: Uuid::now_v7(),
        account_id: account.0,
        kind: event.kind.as_str().to_owned(),
        subject_id: event.subject,
        payload: event.data,
        recorded_at: now,
        fanned_out,
    }
}

fn active(row: outbox_event::Model) -> outbox_event::ActiveModel {
    outbox_event::ActiveModel::from(row).reset_all()
}

/// The oldest events without deliveries, locked until the transaction ends; events that another node has locked are left out.
pub(crate) async fn take_waiting(tx: &impl ConnectionTrait, limit: u64) -> Result<Vec<outbox_event::Model>, DbErr> {
    waiting().limit(limit).lock_with_behavior(LockType::Update, LockBehavior::SkipLocked).all(tx).await
}

/// Whether there are events without deliveries.
pub(crate) async fn is_waiting(db: &impl ConnectionTrait) -> Result<bool, DbErr> {
    let first: Option<Uuid> =
        waiting().select_only().column(outbox_event::Column::Id).limit(1).into_tuple().one(db).await?;
    Ok(first.is_some())
}

fn waiting() -> Select<outbox_event::Entity> {
    // Written as in the partial index: with a parameter the index would not be used.
    outbox_event::Entity::find().filter(Expr::cust("NOT fanned_out")).order_by_asc(outbox_event::Column::Id)
}

/// Notes that the deliveries of these events exist.
pub(crate) async fn mark_fanned_out(tx: &impl ConnectionTrait, events: Vec<Uuid>) -> Result<(), DbErr> {
    outbox_event::Entity::update_many()
        .col_expr(outbox_event::Column::FannedOut, Expr::value(true))
        .filter(outbox_event::Column::Id.is_in(events))
        .exec(tx)
        .await?;
    Ok(())
}

/// Events by id, as far as they are kept.
pub(crate) async fn events(
    db: &impl ConnectionTrait,
    ids: impl IntoIterator<Item = Uuid>,
) -> Result<HashMap<Uuid, outbox_event::Model>, DbErr> {
    let events = outbox_event::Entity::find().filter(outbox_event::Column::Id.is_in(ids)).all(db).await?;
    Ok(events.into_iter().map(|event| (event.id, event)).collect())
}

/// The JSON body of an event's delivery: `{type, timestamp, data}`.
pub(crate) fn body(event: &outbox_event::Model) -> String {
    format!(r#"{{"type":"{}","timestamp":"{}","data":{}}}"#, event.kind, rfc3339(event.recorded_at), event.payload)
}

/// Deletes old events, in batches that hold the writer briefly.
pub(crate) async fn delete_before(db: &Db, before: UnixMillis) -> Result<(), DbErr> {
    loop {
        let old: Vec<Uuid> = outbox_event::Entity::find()
            .select_only()
            .column(outbox_event::Column::Id)
            .filter(outbox_event::Column::RecordedAt.lt(before))
            .order_by_asc(outbox_event::Column::RecordedAt)
            .limit(ROWS_PER_STATEMENT as u64)
            .into_tuple()
            .all(db.read())
            .await?;
        if old.is_empty() {
            return Ok(());
        }
        outbox_event::Entity::delete_many().filter(outbox_event::Column::Id.is_in(old)).exec(db.write()).await?;
    }
}
