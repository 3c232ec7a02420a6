//! `transfer_links`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A link that is part of a transfer.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "transfer_links")]
pub struct Model {
    /// The transfer.
    #[sea_orm(primary_key, auto_increment = false)]
    pub transfer_id: Uuid,
    /// The link.
    #[sea_orm(primary_key, auto_increment = false)]
    pub link_id: Uuid,
}

/// Tables it refers to.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    /// By `TransferId`.
    #[sea_orm(
        belongs_to = "super::transfer::Entity",
        from = "Column::TransferId",
        to = "super::transfer::Column::Id",
        on_delete = "Cascade"
    )]
    Transfer,
    /// By `LinkId`.
    #[sea_orm(
        belongs_to = "super::link::Entity",
        from = "Column::LinkId",
        to = "super::link::Column::Id",
        on_delete = "Cascade"
    )]
    Link,
}

impl ActiveModelBehavior for ActiveModel {}
