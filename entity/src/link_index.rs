//! `link_indexes`: see [`Model`].

use sea_orm::entity::prelude::*;

/// The index of an account's links. While there is one, triggers note in `link_changes` which links change.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "link_indexes")]
pub struct Model {
    /// The account.
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    /// Its blocks and their ranges, as `src/records/links/index/directory.rs` writes them.
    pub directory: Vec<u8>,
    /// Number of a transaction of PostgreSQL: those after it note what they change. Null: it is not known yet. On SQLite without meaning.
    pub noted_after: Option<i64>,
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
