//! `import_errors`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A row of an import that can't become a link.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "import_errors")]
pub struct Model {
    /// The import.
    #[sea_orm(primary_key, auto_increment = false)]
    pub import_id: Uuid,
    /// Its number in the file.
    #[sea_orm(primary_key, auto_increment = false)]
    pub row_number: i64,
    /// The code of an error of the API.
    pub code: String,
    /// The column as the file has it; null: the error is about the whole row.
    pub field: Option<String>,
    /// Why, for a person.
    pub message: String,
    /// The slug that the row asks for; null: none, or it can't be read.
    pub slug: Option<String>,
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
