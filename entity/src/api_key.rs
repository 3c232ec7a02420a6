//! `api_keys`: see [`Model`].

use sea_orm::entity::prelude::*;

/// An API key, by its hash.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "api_keys")]
pub struct Model {
    /// UUIDv7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The account that it gives access to.
    pub account_id: Uuid,
    /// The user who created it.
    pub user_id: Uuid,
    /// Whether it is the user's own: it may do no more than the user, and ends with the membership. Otherwise it is the account's.
    pub is_personal: bool,
    /// Display name.
    pub name: String,
    /// First characters of the key, to recognise it by.
    pub prefix: String,
    /// SHA-256 of the whole key.
    #[sea_orm(unique)]
    pub hash: Vec<u8>,
    /// Scopes, separated by spaces; empty opens nothing.
    pub scopes: String,
    /// Unix time in milliseconds.
    pub created_at: i64,
    /// Unix time in milliseconds, written at most once a minute.
    pub last_used_at: Option<i64>,
    /// Unix time in milliseconds; null never expires.
    pub expires_at: Option<i64>,
    /// Unix time in milliseconds; null is live.
    pub revoked_at: Option<i64>,
    /// Networks in CIDR notation, separated by spaces. Null: the key may be used from everywhere.
    pub allowed_networks: Option<String>,
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
