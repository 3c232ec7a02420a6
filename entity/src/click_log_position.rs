//! `click_log_positions`: see [`Model`].

use sea_orm::entity::prelude::*;

/// How far each click log is ingested; moves in the transaction that stores its clicks.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "click_log_positions")]
pub struct Model {
    /// Identity of the log directory.
    #[sea_orm(primary_key, auto_increment = false)]
    pub log_id: Uuid,
    /// Number of the segment read next.
    pub segment: i64,
    /// Byte offset in it.
    pub position: i64,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
