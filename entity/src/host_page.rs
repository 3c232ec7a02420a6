//! `host_pages`: see [`Model`].

use sea_orm::entity::prelude::*;

/// The look of the pages that visitors see on a host of an account's own, and its texts in them. The row goes with the domain or
/// the subdomain; another account that gets the host has its own.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "host_pages")]
pub struct Model {
    /// In lower case, without port and final dot.
    #[sea_orm(primary_key, auto_increment = false)]
    pub host: String,
    /// The account that they are of.
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    /// Colour of buttons, as six hexadecimal digits in lower case; null: the service's.
    pub accent_color: Option<String>,
    /// Colour of the ground, in the same form; null: white or black, as the visitor's browser is set.
    pub background_color: Option<String>,
    /// Path of the image that is the logo, on the service's own host; null: there is none.
    pub logo: Option<String>,
    /// Texts by page and language, in JSON.
    pub texts: String,
    /// Unix time in milliseconds of the last change.
    pub updated_at: i64,
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
    /// The host, while it is served for the account.
    #[sea_orm(
        belongs_to = "super::host::Entity",
        from = "(Column::Host, Column::AccountId)",
        to = "(super::host::Column::Name, super::host::Column::AccountId)"
    )]
    Host,
}

impl Related<super::account::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Account.def()
    }
}

impl Related<Entity> for super::host::Entity {
    fn to() -> RelationDef {
        Relation::Host.def().rev()
    }
}

impl ActiveModelBehavior for ActiveModel {}
