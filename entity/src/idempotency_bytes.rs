//! `idempotency_bytes`: see [`Model`].

use sea_orm::entity::prelude::*;

/// How much was stored of an account's answers in an hour.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "idempotency_bytes")]
pub struct Model {
    /// The account that got the answers.
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    /// Hours since 1970.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hour: i32,
    /// Bytes that the rows of `idempotency_keys` take which were stored in this hour.
    pub bytes: i64,
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

impl ActiveModelBehavior for ActiveModel {}
