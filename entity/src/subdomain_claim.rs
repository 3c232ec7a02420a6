//! `subdomain_claims`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A claim of a subdomain by an account, kept for a day after it, whatever became of the subdomain.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "subdomain_claims")]
pub struct Model {
    /// UUIDv7 of the claim.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The account that claimed.
    pub account_id: Uuid,
    /// Unix time in milliseconds.
    pub claimed_at: i64,
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
