//! `link_blocks`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A part of a block of an index, which is deleted but never changed.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "link_blocks")]
pub struct Model {
    /// The block: the directory of the index names it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Number of the part: see `src/records/links/index/block.rs`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub part: i32,
    /// The account whose index it belongs to.
    pub account_id: Uuid,
    /// The part.
    pub data: Vec<u8>,
}

/// Tables it refers to.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    /// By `AccountId`.
    #[sea_orm(
        belongs_to = "super::link_index::Entity",
        from = "Column::AccountId",
        to = "super::link_index::Column::AccountId",
        on_delete = "Cascade"
    )]
    Index,
}

impl ActiveModelBehavior for ActiveModel {}
