//! `tags`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A word by which an account groups its links.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tags")]
pub struct Model {
    /// UUIDv7: newest last.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Its account.
    pub account_id: Uuid,
    /// As it was written.
    pub name: String,
    /// The name in lower case, unique in the account.
    pub key: String,
    /// Number of its links, kept by triggers on `link_tags`.
    pub link_count: i64,
    /// Unix time in milliseconds.
    pub created_at: i64,
    /// Unix time in milliseconds of the last change of its name.
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
