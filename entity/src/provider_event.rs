//! `provider_events`: see [`Model`].

use sea_orm::entity::prelude::*;

/// An event of the payment provider that was acted on: it is not acted on again.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "provider_events")]
pub struct Model {
    /// The provider's id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// Its type.
    pub kind: String,
    /// The account that it is about. No foreign key: an account goes, its events are swept later.
    pub account_id: Uuid,
    /// Unix time in milliseconds.
    pub received_at: i64,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
