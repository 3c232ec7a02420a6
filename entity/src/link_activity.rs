//! `link_activity`: see [`Model`].

use sea_orm::entity::prelude::*;

/// How much a link is followed: one row for each link, made with it by a trigger.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "link_activity")]
pub struct Model {
    /// The link.
    #[sea_orm(primary_key, auto_increment = false)]
    pub link_id: Uuid,
    /// The link's account.
    pub account_id: Uuid,
    /// The link's `click_count` and `imported_clicks` together.
    pub click_count: i64,
    /// Unix time of its last click in milliseconds; 0 when there was none.
    pub last_clicked_at: i64,
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
