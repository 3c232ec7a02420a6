//! `billing_customers`: see [`Model`].

use sea_orm::entity::prelude::*;

/// An account as the payment provider knows it.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "billing_customers")]
pub struct Model {
    /// The account.
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    /// Which provider, in which mode: `stripe`, `stripe-test` or `sandbox`.
    pub provider: String,
    /// Idempotency key of the request that makes the customer: whoever repeats it gets the same one.
    pub request_key: Uuid,
    /// E-mail address in that request.
    pub email: String,
    /// Name in that request.
    pub name: String,
    /// The provider's id of the customer; null until it is made.
    #[sea_orm(unique)]
    pub customer_id: Option<String>,
    /// Unix time in milliseconds.
    pub created_at: i64,
    /// Tickets taken so far: one before each look at the provider.
    pub tickets: i64,
    /// Ticket of the look that the stored state comes from. What an older look saw is not stored.
    pub synced: i64,
    /// Unix time in milliseconds of that look; null before the first.
    pub synced_at: Option<i64>,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
