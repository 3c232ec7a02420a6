//! `blocked_hosts`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A host that no link may lead to any more, nor to a name below it.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "blocked_hosts")]
pub struct Model {
    /// As a serialised URL has it, without a final dot: a name in A-labels and lower case, or an address.
    #[sea_orm(primary_key, auto_increment = false)]
    pub name: String,
    /// Unix time in milliseconds.
    pub blocked_at: i64,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
