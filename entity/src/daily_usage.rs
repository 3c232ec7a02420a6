//! `daily_usage`: see [`Model`].

use sea_orm::entity::prelude::*;

/// An account's usage of one day.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "daily_usage")]
pub struct Model {
    /// The account. No foreign key: clicks come late, and an account may be gone then.
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    /// The day, UTC, in days since 1970.
    #[sea_orm(primary_key, auto_increment = false)]
    pub day: i32,
    /// Clicks on its links, bots included.
    pub clicks: i64,
    /// Calls by its API keys; a GraphQL request counts each root field.
    pub api_calls: i64,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
