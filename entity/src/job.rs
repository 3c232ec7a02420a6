//! `jobs`: see [`Model`].

use sea_orm::entity::prelude::*;

/// Work to do later, at least once, claimed with a lease.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "jobs")]
pub struct Model {
    /// UUIDv7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The variant of the service's `Job`, in snake case.
    pub kind: String,
    /// JSON.
    pub payload: String,
    /// The account that the job is done for. `None`: it is for no account, or a node of an earlier version enqueued it.
    pub account_id: Option<Uuid>,
    /// Unix time in milliseconds; not before.
    pub run_at: i64,
    /// How often it was tried.
    pub attempts: i32,
    /// Unix time in milliseconds; another worker may take it after.
    pub leased_until: Option<i64>,
    /// Unix time in milliseconds.
    pub created_at: i64,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
