//! `used_challenges`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A challenge that a passkey has answered, and is not to answer again.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "used_challenges")]
pub struct Model {
    /// The challenge's id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// From when on it is refused for its age: Unix time in milliseconds.
    pub expires_at: i64,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
