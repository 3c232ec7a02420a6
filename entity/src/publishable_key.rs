//! `publishable_keys`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A key that apps ship with, to ask where short links of some hosts lead. It is no secret: whoever has the app can read it.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "publishable_keys")]
pub struct Model {
    /// UUIDv7: newest last.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Its account.
    pub account_id: Uuid,
    /// As it was written.
    pub name: String,
    /// The key itself, unique.
    pub key: String,
    /// Names of the hosts whose links it opens, as `links` have them, separated by commas; the service's own is empty.
    pub hosts: String,
    /// Unix time in milliseconds.
    pub created_at: i64,
    /// Unix time in milliseconds.
    pub updated_at: i64,
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
}

impl ActiveModelBehavior for ActiveModel {}
