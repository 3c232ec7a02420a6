//! `retired_slugs`: see [`Model`].

use sea_orm::entity::prelude::*;

/// The slug that a link of a deleted account had on the service's own host: for some time no new link gets it. Nothing tells the account
/// or the destination.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "retired_slugs")]
pub struct Model {
    /// Path segment, unique on the host.
    #[sea_orm(primary_key, auto_increment = false)]
    pub slug: String,
    /// When the link was deleted, in Unix milliseconds.
    pub retired_at: i64,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
