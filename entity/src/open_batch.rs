//! `open_batches`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A batch that takes more events; nothing is sent of it before it is closed.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "open_batches")]
pub struct Model {
    /// The delivery of the batch.
    #[sea_orm(primary_key, auto_increment = false)]
    pub delivery_id: Uuid,
    /// The webhook.
    pub webhook_id: Uuid,
    /// Name of its events; unique per webhook.
    pub event: String,
    /// Length of its events as they are sent.
    pub bytes: i32,
    /// Unix time in milliseconds; when it is closed at the latest.
    pub closes_at: i64,
}

/// Tables it refers to.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    /// By `DeliveryId`.
    #[sea_orm(
        belongs_to = "super::delivery::Entity",
        from = "Column::DeliveryId",
        to = "super::delivery::Column::Id",
        on_delete = "Cascade"
    )]
    Delivery,
}

impl Related<super::delivery::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Delivery.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}
