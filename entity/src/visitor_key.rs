//! `visitor_keys`: see [`Model`].

use sea_orm::entity::prelude::*;

/// The key with which all nodes hash the visitors of a day. Deleted when the day is over.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "visitor_keys")]
pub struct Model {
    /// The day, UTC, in days since 1970.
    #[sea_orm(primary_key, auto_increment = false)]
    pub day: i32,
    /// 32 random bytes.
    pub key: Vec<u8>,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
