//! `shared_secrets`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A secret that all nodes share, created by the first node.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "shared_secrets")]
pub struct Model {
    /// Its purpose.
    #[sea_orm(primary_key, auto_increment = false)]
    pub name: String,
    /// Random bytes.
    pub secret: Vec<u8>,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
