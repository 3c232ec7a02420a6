//! `link_limits`: see [`Model`].

use sea_orm::entity::prelude::*;

/// How often a link may be followed: one row for each link that has a limit.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "link_limits")]
pub struct Model {
    /// The link.
    #[sea_orm(primary_key, auto_increment = false)]
    pub link_id: Uuid,
    /// Redirects that are allowed, at least 1.
    pub max_clicks: i64,
    /// Redirects of `max_clicks` that were answered.
    pub used_clicks: i64,
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

impl Related<super::link::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Link.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}
