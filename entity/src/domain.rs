//! `domains`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A custom domain, as one account has it.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "domains")]
pub struct Model {
    /// UUIDv7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Its account.
    pub account_id: Uuid,
    /// A-labels in lower case, without final dot; unique per account.
    pub name: String,
    /// The token that the TXT record must have.
    pub token: String,
    /// `PENDING`, `ACTIVE`, `FAILING` or `SUSPENDED`.
    pub status: String,
    /// Unix time in milliseconds.
    pub created_at: i64,
    /// Unix time in milliseconds; when it was first proved.
    pub activated_at: Option<i64>,
    /// Unix time in milliseconds; the first failed check since the last good one.
    pub failing_since: Option<i64>,
    /// Unix time in milliseconds; the last check.
    pub checked_at: Option<i64>,
    /// JSON; what the last check found.
    pub found: Option<String>,
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
