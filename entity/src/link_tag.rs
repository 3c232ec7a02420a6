//! `link_tags`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A link has a tag.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "link_tags")]
pub struct Model {
    /// The tag.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tag_id: Uuid,
    /// The link, of the same account.
    #[sea_orm(primary_key, auto_increment = false)]
    pub link_id: Uuid,
}

/// Tables it refers to.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    /// By `TagId`.
    #[sea_orm(
        belongs_to = "super::tag::Entity",
        from = "Column::TagId",
        to = "super::tag::Column::Id",
        on_delete = "Cascade"
    )]
    Tag,
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
