//! `batch_events`: see [`Model`].

use sea_orm::entity::prelude::*;

/// One event of a batch.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "batch_events")]
pub struct Model {
    /// The delivery of the batch.
    #[sea_orm(primary_key, auto_increment = false)]
    pub delivery_id: Uuid,
    /// The outbox event. Events of a batch are in the order of their ids.
    #[sea_orm(primary_key, auto_increment = false)]
    pub event_id: Uuid,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
