//! `click_months`: see [`Model`].

use sea_orm::entity::prelude::*;

/// The clicks of one UTC month on a link, or on all links of an account, added up: where the documents of its days are large.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "click_months")]
pub struct Model {
    /// Id of the link or of the account.
    #[sea_orm(primary_key, auto_increment = false)]
    pub subject: Uuid,
    /// The month, UTC, in months since the year 0.
    #[sea_orm(primary_key, auto_increment = false)]
    pub month: i32,
    /// Clicks by country, referrer and so on.
    pub tops: Vec<u8>,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
