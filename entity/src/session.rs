//! `sessions`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A login in a browser. Its secret, which the browser has in a cookie, is stored as a hash alone.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sessions")]
pub struct Model {
    /// UUIDv7; user tokens of the session carry it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The user who logged in.
    pub user_id: Uuid,
    /// The account that the browser works in. Null: the user's first one.
    pub account_id: Option<Uuid>,
    /// SHA-256 of the newest secret.
    pub secret_hash: Vec<u8>,
    /// SHA-256 of the secret before; null until the first one is replaced.
    pub previous_hash: Option<Vec<u8>>,
    /// When the newest secret was made: Unix time in milliseconds.
    pub rotated_at: i64,
    /// From when on the secret before is refused: Unix time in milliseconds. Null: no request has had the newest secret yet.
    pub previous_until: Option<i64>,
    /// Whether the browser keeps the cookie when it is closed.
    pub is_persistent: bool,
    /// Browser family; null when it is unknown.
    pub browser: Option<String>,
    /// Operating system; null when it is unknown.
    pub os: Option<String>,
    /// ISO 3166-1 alpha-2 code of the country of the login; null when it is unknown.
    pub country: Option<String>,
    /// Unix time in milliseconds.
    pub created_at: i64,
    /// When the session was used last, give or take five minutes: Unix time in milliseconds.
    pub last_seen_at: i64,
    /// When the user last proved to be the user, by a login or by `confirmAccess`: Unix time in milliseconds.
    pub proved_at: i64,
    /// From when on the session is refused, unless it is used before: Unix time in milliseconds.
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
