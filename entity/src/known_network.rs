//! `known_networks`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A network that a user has logged in from. Holds no address: only a keyed hash, whose key is not in this table.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "known_networks")]
pub struct Model {
    /// The user.
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: Uuid,
    /// 16 bytes: the hash of user and network.
    #[sea_orm(primary_key, auto_increment = false)]
    pub network: Vec<u8>,
    /// Unix time in milliseconds of a login from there: the last one, or one of the day before it.
    pub seen_at: i64,
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
