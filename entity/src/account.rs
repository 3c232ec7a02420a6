//! `accounts`: see [`Model`].

use sea_orm::entity::prelude::*;

/// The tenant: what owns links, keys, domains, webhooks and a subscription.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "accounts")]
pub struct Model {
    /// UUIDv7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Display name. Null: it is named for its first owner.
    pub name: Option<String>,
    /// Plan set by a subscription; null means the configured default plan.
    pub plan: Option<String>,
    /// Unix time in milliseconds: from then on `plan` does not apply, since it is not paid. Null: no end.
    pub plan_until: Option<i64>,
    /// A better plan that it had before, by which its clicks are kept for a while.
    pub earlier_plan: Option<String>,
    /// Unix time in milliseconds: from then on `earlier_plan` does not apply.
    pub earlier_plan_until: Option<i64>,
    /// Number of links, kept in the transaction of each change: the plan limit and an unfiltered `total` need no count.
    pub link_count: i64,
    /// Unix time in milliseconds.
    pub created_at: i64,
    /// When the name was last changed: Unix time in milliseconds. 0: it never was.
    pub updated_at: i64,
    /// Unix time in milliseconds: since then the operator has it suspended. Null: it is not.
    pub suspended_at: Option<i64>,
    /// Unix time in milliseconds of its deletion. A job deletes its remaining links and then this row. Null: it is not deleted.
    pub deleted_at: Option<i64>,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
