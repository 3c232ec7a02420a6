//! `host_settings`: see [`Model`].

use sea_orm::entity::prelude::*;

/// An account's settings of a host of its own: a custom domain or a subdomain, served or not. A host without a row has the
/// settings of a new one. The row goes with the domain or the subdomain; another account that gets the host has settings of its own.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "host_settings")]
pub struct Model {
    /// In lower case, without port and final dot.
    #[sea_orm(primary_key, auto_increment = false)]
    pub host: String,
    /// The account that they are of.
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    /// Serialised URL, ASCII: where `/` leads; null is nowhere.
    pub root_url: Option<String>,
    /// Serialised URL, ASCII: where what leads nowhere leads; null is nowhere.
    pub not_found_url: Option<String>,
    /// Serialised URL, ASCII: where links lead after their end that have no URL of their own for that; null is nowhere.
    pub expired_url: Option<String>,
    /// Serialised URL, ASCII: where `/favicon.ico` leads; null is nowhere.
    pub favicon_url: Option<String>,
    /// The file `/robots.txt`; null is the usual one.
    pub robots_text: Option<String>,
    /// Whom to tell of a vulnerability, a URI; null is the service's contact.
    pub security_contact: Option<String>,
    /// Whether slugs are found in any case.
    pub ignores_case: bool,
    /// Names of the tags that new links get, between commas; null is none.
    pub default_tags: Option<String>,
    /// Whether links that do not say so themselves forward the query of a visit to their destination.
    pub forwards_query: bool,
    /// Unix time in milliseconds of the last change; 0 if there was none since it is recorded.
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
    /// The custom domain, if it is one.
    #[sea_orm(
        belongs_to = "super::domain::Entity",
        from = "(Column::AccountId, Column::Host)",
        to = "(super::domain::Column::AccountId, super::domain::Column::Name)"
    )]
    Domain,
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

impl Related<Entity> for super::domain::Entity {
    fn to() -> RelationDef {
        Relation::Domain.def().rev()
    }
}

impl Related<Entity> for super::host::Entity {
    fn to() -> RelationDef {
        Relation::Host.def().rev()
    }
}

impl ActiveModelBehavior for ActiveModel {}
