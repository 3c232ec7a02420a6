//! `password_resets`: see [`Model`].

use sea_orm::entity::prelude::*;

/// One issued reset token, by its hash.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "password_resets")]
pub struct Model {
    /// SHA-256 of the token.
    #[sea_orm(primary_key, auto_increment = false)]
    pub token_hash: Vec<u8>,
    /// The user whose password it resets.
    pub user_id: Uuid,
    /// Unix time in milliseconds.
    pub expires_at: i64,
    /// Unix time in milliseconds; null while unused.
    pub used_at: Option<i64>,
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
