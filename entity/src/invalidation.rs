//! `invalidations`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A change after which every node evicts cached data or revokes tokens. Kept for one to two hours, revocations until those tokens expire.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "invalidations")]
pub struct Model {
    /// In the order of the changes, but not of their commits.
    #[sea_orm(primary_key)]
    pub id: i64,
    /// JSON.
    pub what: String,
    /// Unix time in milliseconds.
    pub recorded_at: i64,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
