//! `click_visitors`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A visitor who has been seen on a link on a recent day. Holds no client address: only a keyed hash whose key is gone
/// after the day.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "click_visitors")]
pub struct Model {
    /// The day, UTC, in days since 1970.
    #[sea_orm(primary_key, auto_increment = false)]
    pub day: i32,
    /// The link's account.
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    /// 16 bytes: a hash of the visitor, whose last bit says whether it clicked as a bot.
    #[sea_orm(primary_key, auto_increment = false)]
    pub visitor: Vec<u8>,
    /// The link.
    #[sea_orm(primary_key, auto_increment = false)]
    pub link_id: Uuid,
    /// Milliseconds of the day until the visitor's first click on the link. Null: stored by an earlier version.
    pub first_ms: Option<i32>,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
