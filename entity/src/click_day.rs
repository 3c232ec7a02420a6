//! `click_days`: see [`Model`].

use sea_orm::entity::prelude::*;

/// The clicks of one UTC day on a link, or on all links of an account, added up.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "click_days")]
pub struct Model {
    /// The day, UTC, in days since 1970.
    #[sea_orm(primary_key, auto_increment = false)]
    pub day: i32,
    /// Id of the link or of the account.
    #[sea_orm(primary_key, auto_increment = false)]
    pub subject: Uuid,
    /// Clicks by quarter of an hour.
    pub slots: Vec<u8>,
    /// Clicks of the whole day by country, referrer and so on.
    pub tops: Vec<u8>,
    /// Which part of these clicks was in which quarter of an hour. Empty: not known, as the day was counted by an earlier
    /// version.
    pub parts: Vec<u8>,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
