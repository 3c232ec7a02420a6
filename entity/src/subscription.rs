//! `subscriptions`: see [`Model`].

use sea_orm::entity::prelude::*;

/// The account's subscription, as the payment provider showed it last.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "subscriptions")]
pub struct Model {
    /// UUIDv7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The account that subscribes.
    #[sea_orm(unique)]
    pub account_id: Uuid,
    /// The provider's id.
    pub provider_id: String,
    /// The provider's id of the price.
    pub price_id: String,
    /// The plan that is paid for.
    pub plan: String,
    /// `month` or `year`.
    pub interval: String,
    /// `ACTIVE`, `TRIALING`, `PAST_DUE` or `CANCELED`.
    pub status: String,
    /// Unix time in milliseconds.
    pub current_period_start: i64,
    /// Unix time in milliseconds.
    pub current_period_end: i64,
    /// Whether it ends at the end of the period.
    pub cancel_at_period_end: bool,
    /// Unix time in milliseconds; null unless it is `PAST_DUE`.
    pub past_due_since: Option<i64>,
    /// Unix time in milliseconds.
    pub created_at: i64,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
