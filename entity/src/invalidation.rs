//! `invalidations`: see [`Model`].

use sea_orm::entity::prelude::*;

/// What every node forgets since it changed. Kept for an hour or two; revocations of user tokens until those have expired.
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
