//! `subdomains`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A label below the service's host: claimed, active, or released and not yet free.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "subdomains")]
pub struct Model {
    /// In lower case.
    #[sea_orm(primary_key, auto_increment = false)]
    pub label: String,
    /// UUIDv7 of the claim.
    pub id: Uuid,
    /// The account that claimed it; null once it is released.
    #[sea_orm(unique)]
    pub account_id: Option<Uuid>,
    /// `CLAIMED`, `ACTIVE` or `RELEASED`.
    pub status: String,
    /// Unix time in milliseconds.
    pub claimed_at: i64,
    /// Unix time in milliseconds.
    pub activated_at: Option<i64>,
    /// Unix time in milliseconds; null unless it is released.
    pub released_at: Option<i64>,
}

/// Tables it refers to.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    /// By `AccountId`.
    #[sea_orm(
        belongs_to = "super::account::Entity",
        from = "Column::AccountId",
        to = "super::account::Column::Id",
        on_delete = "SetNull"
    )]
    Account,
}

impl Related<super::account::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Account.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}
