//! `link_destinations`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A place that rules or the split of a link lead to, or led to.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "link_destinations")]
pub struct Model {
    /// The link.
    #[sea_orm(primary_key, auto_increment = false)]
    pub link_id: Uuid,
    /// Its number among the link's, from 1 on. No other URL ever gets it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i64,
    /// Serialised URL, ASCII.
    pub url: String,
    /// Its name for people; null: it has none.
    pub label: Option<String>,
    /// Unix time in milliseconds since which nothing leads there; null: something does.
    pub retired_at: Option<i64>,
}

/// Tables it refers to.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    /// By `LinkId`.
    #[sea_orm(
        belongs_to = "super::link::Entity",
        from = "Column::LinkId",
        to = "super::link::Column::Id",
        on_delete = "Cascade"
    )]
    Link,
}

impl ActiveModelBehavior for ActiveModel {}
