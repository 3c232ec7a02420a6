//! `invoices`: see [`Model`].

use sea_orm::entity::prelude::*;

/// An invoice of the payment provider.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "invoices")]
pub struct Model {
    /// UUIDv7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The account that the invoice is for.
    pub account_id: Uuid,
    /// The provider's id.
    #[sea_orm(unique)]
    pub provider_id: String,
    /// The number on it; null until it is final.
    pub number: Option<String>,
    /// `draft`, `open`, `paid`, `uncollectible` or `void`.
    pub status: String,
    /// ISO 4217, in lower case.
    pub currency: String,
    /// In the currency's minor unit.
    pub amount_due: i64,
    /// In the currency's minor unit.
    pub amount_paid: i64,
    /// Unix time in milliseconds.
    pub created_at: i64,
    /// The provider's page; null until it is final.
    pub hosted_url: Option<String>,
    /// The provider's PDF; null until it is final.
    pub pdf_url: Option<String>,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
