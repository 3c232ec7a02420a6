//! `delivery_attempts`: see [`Model`].

use sea_orm::entity::prelude::*;

/// One attempt of a delivery.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "delivery_attempts")]
pub struct Model {
    /// The delivery.
    #[sea_orm(primary_key, auto_increment = false)]
    pub delivery_id: Uuid,
    /// From 1.
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i32,
    /// Unix time in milliseconds.
    pub attempted_at: i64,
    /// Milliseconds.
    pub duration_ms: i32,
    /// HTTP status; null without an answer.
    pub status_code: Option<i32>,
    /// Start of the answer's body.
    pub response_start: Option<String>,
    /// Why there was no answer.
    pub error: Option<String>,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
