//! `import_rows`: see [`Model`].

use sea_orm::entity::prelude::*;

/// Some rows of an import that follow each other, with what became of them.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "import_rows")]
pub struct Model {
    /// The import.
    #[sea_orm(primary_key, auto_increment = false)]
    pub import_id: Uuid,
    /// How many rows come before the first of these.
    #[sea_orm(primary_key, auto_increment = false)]
    pub first: i64,
    /// How many rows these are.
    pub rows: i32,
    /// A list of them in JSON, compressed (DEFLATE).
    pub data: Vec<u8>,
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
