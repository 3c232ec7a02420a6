//! `invitations`: see [`Model`].

use sea_orm::entity::prelude::*;

/// An e-mail address that is invited to an account.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "invitations")]
pub struct Model {
    /// UUIDv7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The account.
    pub account_id: Uuid,
    /// The invited address, in lower case; an account has one invitation of it at most.
    pub email: String,
    /// The role that the user gets: as that of a membership.
    pub role: String,
    /// SHA-256 of the token in the mail. Null: the mail is not made yet.
    #[sea_orm(unique)]
    pub token_hash: Option<Vec<u8>>,
    /// Unix time in milliseconds.
    pub created_at: i64,
    /// Unix time in milliseconds.
    pub expires_at: i64,
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
