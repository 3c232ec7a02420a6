//! `sandbox_objects`: see [`Model`].

use sea_orm::entity::prelude::*;

/// An object of the built-in payment provider, for development.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sandbox_objects")]
pub struct Model {
    /// As Stripe's ids look.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// `customer`, `checkout.session`, `billing_portal.session`, `subscription` or `invoice`.
    pub kind: String,
    /// The customer that it belongs to; a customer's own id.
    pub customer_id: String,
    /// JSON, in Stripe's shape.
    pub body: String,
    /// Unix time in milliseconds.
    pub created_at: i64,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
