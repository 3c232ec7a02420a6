//! `email_proofs`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A token that was mailed to an e-mail address: who has it can read that mailbox.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "email_proofs")]
pub struct Model {
    /// UUIDv7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The user whose address it is, shall be or was.
    pub user_id: Uuid,
    /// `verify`: the address becomes the user's proved one. `undo`: it was the user's, and becomes it again.
    pub purpose: String,
    /// The address, in lower case.
    pub email: String,
    /// SHA-256 of the token. Null: the mail is not made yet.
    #[sea_orm(unique)]
    pub token_hash: Option<Vec<u8>>,
    /// Unix time in milliseconds; of `undo`, that of the change.
    pub created_at: i64,
    /// Unix time in milliseconds.
    pub expires_at: i64,
}

/// Tables it refers to.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    /// By `UserId`.
    #[sea_orm(
        belongs_to = "super::user::Entity",
        from = "Column::UserId",
        to = "super::user::Column::Id",
        on_delete = "Cascade"
    )]
    User,
}

impl Related<super::user::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::User.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}
