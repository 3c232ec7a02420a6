//! `blocked_links`: see [`Model`].

use sea_orm::entity::prelude::*;

/// The address of a blocked link, which outlives the link: the owner can delete a blocked link, but not create it anew.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "blocked_links")]
pub struct Model {
    /// As in `links`: empty is the service's own host.
    #[sea_orm(primary_key, auto_increment = false)]
    pub host: String,
    /// Path segment.
    #[sea_orm(primary_key, auto_increment = false)]
    pub slug: String,
    /// The account whose slugs are meant; on the service's own host, where slugs are unique among all accounts, the nil UUID.
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    /// Unix time in milliseconds.
    pub blocked_at: i64,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
