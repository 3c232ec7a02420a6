//! `deliveries`: see [`Model`].

use sea_orm::entity::prelude::*;

/// One event, or a batch of one kind, on its way to one webhook.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "deliveries")]
pub struct Model {
    /// UUIDv7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The webhook.
    pub webhook_id: Uuid,
    /// The outbox event, or an id of the batch's own; unique per webhook.
    pub event_id: Uuid,
    /// Name of the event.
    pub event: String,
    /// Events of the batch. Null: it is one event, and no batch.
    pub batch_size: Option<i32>,
    /// `PENDING`, `RETRYING`, `SUCCEEDED` or `FAILED`.
    pub status: String,
    /// Attempts made.
    pub attempts: i32,
    /// Attempts made since it was last asked for; these follow the schedule.
    pub tries: i32,
    /// Unix time in milliseconds; the next attempt. Null: none will be made.
    pub due_at: Option<i64>,
    /// Unix time in milliseconds; when the event happened.
    pub created_at: i64,
    /// Unix time in milliseconds; when it succeeded or failed.
    pub completed_at: Option<i64>,
    /// Unix time in milliseconds of the last request for a redelivery. Null: there was none, or to an earlier version.
    pub asked_again_at: Option<i64>,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
