//! `click_day_deltas`: see [`Model`].

use sea_orm::entity::prelude::*;

/// An addition of a batch of clicks to a large document of a day, until it is merged.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "click_day_deltas")]
pub struct Model {
    /// Id of the link or of the account.
    #[sea_orm(primary_key, auto_increment = false)]
    pub subject: Uuid,
    /// The day, UTC, in days since 1970.
    #[sea_orm(primary_key, auto_increment = false)]
    pub day: i32,
    /// Number of the addition.
    #[sea_orm(primary_key, auto_increment = false)]
    pub seq: i32,
    /// As the document's.
    pub slots: Vec<u8>,
    /// As the document's.
    pub tops: Vec<u8>,
    /// As the document's.
    pub parts: Vec<u8>,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
