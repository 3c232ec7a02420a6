//! `link_rules`: see [`Model`].

use sea_orm::entity::prelude::*;

/// The rules and the split of a link. A link without a row never had any.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "link_rules")]
pub struct Model {
    /// The link.
    #[sea_orm(primary_key, auto_increment = false)]
    pub link_id: Uuid,
    /// Its rules in their order, as JSON: see `src/redirect/rules.rs`.
    pub rules: String,
    /// The parts of its split, as JSON; null: all visitors that no rule leads elsewhere go to its own destination.
    pub split: Option<String>,
    /// Unix time in milliseconds from which it is not split any more; null: it is split until the split is taken away.
    pub split_stops_at: Option<i64>,
    /// Unix time in milliseconds at which the rules were last set.
    pub rules_set_at: i64,
    /// Unix time in milliseconds at which the split was last set.
    pub split_set_at: i64,
    /// The number that its next destination gets, 65,536 at most: that many there can't be.
    pub next_number: i64,
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
