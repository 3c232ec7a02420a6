//! `passkeys`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A user's passkey (W3C Web Authentication, Level 3).
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "passkeys")]
pub struct Model {
    /// UUIDv7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The user.
    pub user_id: Uuid,
    /// The credential id of the authenticator: at most 1,023 bytes, unique.
    pub credential_id: Vec<u8>,
    /// The name that the user gave.
    pub name: String,
    /// Public key, counter and flags, as `webauthn-rs` writes them: JSON.
    pub credential: String,
    /// Unix time in milliseconds.
    pub created_at: i64,
    /// When it last proved its user: Unix time in milliseconds. Null: it was not used yet.
    pub last_used_at: Option<i64>,
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
