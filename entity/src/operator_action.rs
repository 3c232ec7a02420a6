//! `operator_actions`: see [`Model`].

use sea_orm::entity::prelude::*;

/// An act of an operator, recorded in the transaction that did it. Rows are never changed nor deleted.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "operator_actions")]
pub struct Model {
    /// UUIDv7: newest last.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Name of the operating system's user who ran the command.
    pub actor: String,
    /// `account.suspend`, `link.block` and so on.
    pub action: String,
    /// The account that it concerns, which may be gone by now. Null: no account.
    pub account_id: Option<Uuid>,
    /// The short URL or host. Null: the account itself.
    pub target: Option<String>,
    /// Why. Null: the operator did not say.
    pub reason: Option<String>,
    /// Unix time in milliseconds.
    pub recorded_at: i64,
}

/// Tables it refers to: none. The record stays when the account is gone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
