//! `nodes`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A node that serves, or did so within the last hours.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "nodes")]
pub struct Model {
    /// Identity of its click log.
    #[sea_orm(primary_key, auto_increment = false)]
    pub log_id: Uuid,
    /// Its `LINKGRAPH_BASE_URL`, which is the issuer of its tokens.
    pub base_url: String,
    /// When it last said that it serves, in Unix milliseconds.
    pub seen_at: i64,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
