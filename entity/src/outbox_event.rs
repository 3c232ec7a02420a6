//! `outbox_events`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A fact that other parts act on, recorded in the transaction of the change.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "outbox_events")]
pub struct Model {
    /// UUIDv7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The account of the resource.
    pub account_id: Uuid,
    /// Event name, such as link.created.
    pub kind: String,
    /// The resource it is about.
    pub subject_id: Uuid,
    /// JSON.
    pub payload: String,
    /// Unix time in milliseconds.
    pub recorded_at: i64,
    /// Whether its deliveries exist.
    pub fanned_out: bool,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
