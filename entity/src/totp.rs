//! `totps`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A user's authenticator app (RFC 6238).
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "totps")]
pub struct Model {
    /// The user; has one at most.
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: Uuid,
    /// The secret that the app has, too: 20 bytes.
    pub secret: Vec<u8>,
    /// The time step of the last code that was taken: it and those before are refused.
    pub last_step: i64,
    /// Unix time in milliseconds.
    pub created_at: i64,
    /// From when on logins need a code: Unix time in milliseconds. Null: the app has not shown yet that it has the secret.
    pub confirmed_at: Option<i64>,
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
