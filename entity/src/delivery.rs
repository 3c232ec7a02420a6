//! `deliveries`: see [`Model`].

use sea_orm::entity::prelude::*;

/// One event on its way to one webhook.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "deliveries")]
pub struct Model {
    /// UUIDv7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Where to.
    pub webhook_id: Uuid,
    /// The outbox event; unique per webhook.
    pub event_id: Uuid,
    /// Name of the event.
    pub event: String,
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
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
