//! `idempotency_keys`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A request that was executed with an idempotency key, and its answer.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "idempotency_keys")]
pub struct Model {
    /// The account that sent the key.
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    /// 16 bytes of a hash of account and key: the key itself is not stored.
    #[sea_orm(primary_key, auto_increment = false)]
    pub key: Vec<u8>,
    /// SHA-256 of the credential's id and the request, as far as it makes a difference.
    pub fingerprint: Vec<u8>,
    /// The operation's answer, compressed and encrypted. Opening it takes the key and a secret of the service.
    pub answer: Vec<u8>,
    /// Unix time in milliseconds; when it was executed.
    pub created_at: i64,
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
