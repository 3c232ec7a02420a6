//! `memberships`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A user's place in an account.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "memberships")]
pub struct Model {
    /// UUIDv7; user tokens carry it. That of the account which was made with the user has the user's id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The member.
    pub user_id: Uuid,
    /// The account.
    pub account_id: Uuid,
    /// OWNER, ADMIN, MEMBER, VIEWER or BILLING.
    pub role: String,
    /// Unix time in milliseconds.
    pub created_at: i64,
    /// When the role was last changed: Unix time in milliseconds. Tokens that know an earlier time are refused.
    pub changed_at: i64,
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
    /// By `AccountId`.
    #[sea_orm(
        belongs_to = "super::account::Entity",
        from = "Column::AccountId",
        to = "super::account::Column::Id",
        on_delete = "Cascade"
    )]
    Account,
}

impl Related<super::user::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::User.def()
    }
}

impl Related<super::account::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Account.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}
