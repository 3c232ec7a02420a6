//! `webhooks`: see [`Model`].

use sea_orm::entity::prelude::*;

/// Where an account wants its events sent, and how its deliveries stand.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "webhooks")]
pub struct Model {
    /// UUIDv7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Its account.
    pub account_id: Uuid,
    /// Display name.
    pub name: String,
    /// Serialised URL, ASCII.
    pub url: String,
    /// Names of events, separated by spaces.
    pub events: String,
    /// Whether events of one kind are sent together.
    pub batch: bool,
    /// The links whose events are sent: ids, separated by spaces. Null: all.
    pub link_ids: Option<String>,
    /// Whether clicks of bots are left out.
    pub exclude_bots: bool,
    /// Whether events are delivered.
    pub is_active: bool,
    /// Signing secret, `whsec_` and base64.
    pub secret: String,
    /// The secret before the last rotation.
    pub old_secret: Option<String>,
    /// Unix time in milliseconds; until then the old secret signs too.
    pub old_secret_until: Option<i64>,
    /// Unix time in milliseconds.
    pub created_at: i64,
    /// Unix time in milliseconds.
    pub updated_at: i64,
    /// Unix time in milliseconds; when the service disabled it.
    pub disabled_at: Option<i64>,
    /// Why the service disabled it.
    pub disabled_reason: Option<String>,
    /// Unix time in milliseconds; the first failed attempt since the last success.
    pub failing_since: Option<i64>,
    /// Failed attempts since the last success.
    pub failures: i32,
    /// Unix time in milliseconds; no later than its first due delivery. Null: nothing to deliver.
    pub next_due_at: Option<i64>,
    /// Unix time in milliseconds; another node may deliver for it after.
    pub leased_until: Option<i64>,
    /// The node that delivers for it.
    pub leased_by: Option<Uuid>,
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
