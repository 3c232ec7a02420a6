//! Facts that other parts act on, recorded in the transaction of the change: they exist exactly if the change does.

use entity::outbox_event;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};
use serde::Serialize;
use uuid::Uuid;

use crate::{
    clock::Millis,
    db::{Db, ROWS_PER_STATEMENT},
    error::ApiError,
    events::EventKind,
    ids::AccountId,
};

/// What happened.
#[derive(Clone, Debug)]
pub struct Event {
    /// Which event.
    pub kind: EventKind,
    /// The resource it is about.
    pub subject: Uuid,
    /// JSON: the resource as the API shows it.
    data: String,
}

impl Event {
    /// An event about a resource, with the data that its type in the schema has.
    pub fn new(kind: EventKind, subject: Uuid, data: &impl Serialize) -> Result<Self, ApiError> {
        let data = serde_json::to_string(data).map_err(ApiError::internal)?;
        Ok(Event { kind, subject, data })
    }
}

/// Records events. It takes the open transaction, so that it can't be called outside one.
pub async fn record(
    tx: &DatabaseTransaction,
    account: AccountId,
    events: impl IntoIterator<Item = Event>,
    now: Millis,
) -> Result<(), DbErr> {
    let rows: Vec<_> = events
        .into_iter()
        .map(|event| outbox_event::ActiveModel {
            id: Set(Uuid::now_v7()),
            account_id: Set(account.0),
            kind: Set(event.kind.as_str().to_owned()),
            subject_id: Set(event.subject),
            payload: Set(event.data),
            recorded_at: Set(now),
            fanned_out: Set(false),
        })
        .collect();
    for rows in rows.chunks(ROWS_PER_STATEMENT) {
        outbox_event::Entity::insert_many(rows.to_vec()).exec_without_returning(tx).await?;
    }
    Ok(())
}

/// Deletes old events, in batches that hold the writer briefly.
pub async fn delete_before(db: &Db, before: Millis) -> Result<(), DbErr> {
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
