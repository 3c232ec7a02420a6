//! `users`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A login. Belongs to one account; teams may give an account several.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "users")]
pub struct Model {
    /// UUIDv7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The account that was made with the user, or that the user chose last: logins are to it.
    pub account_id: Uuid,
    /// Address in lower case.
    #[sea_orm(unique)]
    pub email: String,
    /// When the address was proved to be the user's: Unix time in milliseconds. Null: it is not.
    pub email_verified_at: Option<i64>,
    /// Address in lower case that takes the place of `email` once it is proved. Null: none does.
    pub pending_email: Option<String>,
    /// Display name.
    pub name: String,
    /// Argon2id in PHC string format. Empty: the user has no password.
    pub password_hash: String,
    /// Unix time in milliseconds; tokens made with an older password are refused.
    pub password_changed_at: i64,
    /// Unix time in milliseconds.
    pub created_at: i64,
    /// Unix time in milliseconds.
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
}

impl Related<super::account::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Account.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}
