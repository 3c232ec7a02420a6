//! `import_parts`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A part of a file that is imported, until the import has ended.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "import_parts")]
pub struct Model {
    /// The import.
    #[sea_orm(primary_key, auto_increment = false)]
    pub import_id: Uuid,
    /// From 1.
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i32,
    /// Bytes of the parts before it.
    pub starts_at: i64,
    /// Its text.
    pub data: String,
}

/// Tables it refers to.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    /// By `ImportId`.
    #[sea_orm(
        belongs_to = "super::import::Entity",
        from = "Column::ImportId",
        to = "super::import::Column::Id",
        on_delete = "Cascade"
    )]
    Import,
}

impl Related<super::import::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Import.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}
