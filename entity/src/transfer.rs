//! `transfers`: see [`Model`].

use sea_orm::entity::prelude::*;

/// Links, or a custom domain with its links, that one account gives to another.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "transfers")]
pub struct Model {
    /// UUIDv7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The account that gives.
    pub account_id: Uuid,
    /// The account that gets.
    pub to_account_id: Uuid,
    /// The custom domain. Null: links of the service's own host, in `transfer_links`.
    pub domain_id: Option<Uuid>,
    /// The domain's name when it was offered. Null as `domain_id` is.
    pub domain: Option<String>,
    /// `OFFERED`, `MOVING` or `DONE`.
    pub state: String,
    /// Number of links: when they were offered, and once accepted, then.
    pub link_count: i64,
    /// Number of links that belong to the other account already.
    pub moved_links: i64,
    /// Unix time in milliseconds.
    pub created_at: i64,
    /// When an offer expires, or what is done is forgotten: Unix time in milliseconds.
    pub expires_at: i64,
}

/// Tables it refers to.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    /// By `AccountId`.
    #[sea_orm(
        belongs_to = "super::account::Entity",
        from = "Column::AccountId",
        to = "super::account::Column::Id",
        on_delete = "Cascade"
    )]
    Account,
    /// By `ToAccountId`.
    #[sea_orm(
        belongs_to = "super::account::Entity",
        from = "Column::ToAccountId",
        to = "super::account::Column::Id",
        on_delete = "Cascade"
    )]
    ToAccount,
}

impl ActiveModelBehavior for ActiveModel {}
