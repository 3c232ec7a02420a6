//! `hosts`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A host that links are served on now, beside the service's own: an active custom domain or subdomain.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "hosts")]
pub struct Model {
    /// In lower case, without port and final dot.
    #[sea_orm(primary_key, auto_increment = false)]
    pub name: String,
    /// The account whose links it serves.
    pub account_id: Uuid,
    /// The account that it belonged to, whose links it serves until a transfer has moved them. Null: there is none.
    pub former_account_id: Option<Uuid>,
}

/// Tables it refers to.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    /// By `AccountId`.
    #[sea_orm(
        belongs_to = "super::account::Entity",
        from = "Column::AccountId",
        to = "super::account::Column::Id",
        on_delete = "Cascade"
    )]
    Account,
}

impl Related<super::account::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Account.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}
