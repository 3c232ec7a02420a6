//! `link_changes`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A change of a link that its account's index does not have yet. Triggers insert it.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "link_changes")]
pub struct Model {
    /// In the order of the changes, but not of their commits.
    #[sea_orm(primary_key)]
    pub id: i64,
    /// The link's account.
    pub account_id: Uuid,
    /// The link, which may be deleted. A link may have changed several times.
    pub link_id: Uuid,
}

/// Tables it refers to.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    /// By `AccountId`.
    #[sea_orm(
        belongs_to = "super::link_index::Entity",
        from = "Column::AccountId",
        to = "super::link_index::Column::AccountId",
        on_delete = "Cascade"
    )]
    Index,
}

impl ActiveModelBehavior for ActiveModel {}
