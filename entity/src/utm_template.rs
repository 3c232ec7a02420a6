//! `utm_templates`: see [`Model`].

use sea_orm::entity::prelude::*;

/// UTM parameters under a name.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "utm_templates")]
pub struct Model {
    /// UUIDv7: newest last.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Its account.
    pub account_id: Uuid,
    /// As it was written.
    pub name: String,
    /// The name in lower case, unique in the account.
    pub key: String,
    /// `utm_source`; none says nothing of it.
    pub source: Option<String>,
    /// `utm_medium`; none says nothing of it.
    pub medium: Option<String>,
    /// `utm_campaign`; none says nothing of it.
    pub campaign: Option<String>,
    /// `utm_term`; none says nothing of it.
    pub term: Option<String>,
    /// `utm_content`; none says nothing of it.
    pub content: Option<String>,
    /// Unix time in milliseconds.
    pub created_at: i64,
    /// Unix time in milliseconds.
    pub updated_at: i64,
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
