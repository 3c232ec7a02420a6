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
    /// Idempotency key of the request that makes the customer: a repeated request gets the same customer.
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
    /// Number of tickets so far: one is taken before each read of the provider's state.
    pub tickets: i64,
    /// Ticket of the read that the stored state comes from. The result of an older read is not stored.
    pub synced: i64,
    /// Unix time in milliseconds of that read; null before the first.
    pub synced_at: Option<i64>,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
