//! `identities`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A connection between a user and what an identity provider, or a proxy, calls the user.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "identities")]
pub struct Model {
    /// UUIDv7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The user.
    pub user_id: Uuid,
    /// The URL of the identity provider, or `proxy:` and the name of the header.
    pub issuer: String,
    /// What the issuer calls the user: unique with the issuer.
    pub subject: String,
    /// The e-mail address that the issuer told last. Null: it told none.
    pub email: Option<String>,
    /// Unix time in milliseconds.
    pub created_at: i64,
    /// When the user last signed in by it: Unix time in milliseconds.
    pub last_used_at: i64,
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
