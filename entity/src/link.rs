//! `links`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A short link.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "links")]
pub struct Model {
    /// UUIDv7: newest last.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Its account.
    pub account_id: Uuid,
    /// Custom host in lower case without port; empty is the service's own host, whatever its name is.
    pub host: String,
    /// Path, case-sensitive, unique per host; one segment on the service's own host, up to five on others, the last of them `*` for all paths below.
    pub slug: String,
    /// Serialised URL, ASCII.
    pub destination_url: String,
    /// Whether it redirects.
    pub is_active: bool,
    /// Clicks ingested, bots included.
    pub click_count: i64,
    /// Clicks that were deleted after their retention, a part of `click_count`.
    pub expired_clicks: i64,
    /// Unix time in milliseconds.
    pub created_at: i64,
    /// Unix time in milliseconds.
    pub updated_at: i64,
    /// Unix time in milliseconds from which it redirects; null: always.
    pub starts_at: Option<i64>,
    /// Unix time in milliseconds from which it redirects no more; null: never.
    pub expires_at: Option<i64>,
    /// Serialised URL, ASCII: where it redirects to after its end.
    pub expired_url: Option<String>,
    /// Unix time in milliseconds at which it was archived; null: it is not.
    pub archived_at: Option<i64>,
    /// One line that names it; none has no title.
    pub title: Option<String>,
    /// Text for people; none has no notes.
    pub notes: Option<String>,
    /// Its id in another system, unique in the account; none has no such id.
    pub external_id: Option<String>,
    /// How often it was followed before it was imported; null: it was not imported, or the number is unknown.
    pub imported_clicks: Option<i64>,
    /// Whether the query of a visit is forwarded to the destination; null: as its host does.
    pub forwards_query: Option<bool>,
    /// Hash of the password that visitors have to enter, in the PHC string format; null: they need none.
    pub password_hash: Option<String>,
    /// Whether visitors are asked to continue before they are redirected. A notice, or a limit of one redirect, asks them as well.
    pub asks_first: bool,
    /// Text that visitors confirm before they are redirected; null: there is none.
    pub notice: Option<String>,
    /// Its card for messengers and social networks, in JSON; null: they are redirected to the destination.
    pub card: Option<String>,
    /// Apps that it opens, and data for them, in JSON; null: it opens none.
    pub app: Option<String>,
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
    /// By its `LinkId`.
    #[sea_orm(has_one = "super::link_activity::Entity")]
    Activity,
    /// By its `LinkId`.
    #[sea_orm(has_one = "super::link_limit::Entity")]
    Limit,
}

impl Related<super::link_activity::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Activity.def()
    }
}

impl Related<super::link_limit::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Limit.def()
    }
}

impl Related<super::account::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Account.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}
