//! `clicks`: see [`Model`].

use sea_orm::entity::prelude::*;

/// One followed redirect. Holds no client address: only a keyed hash whose key is gone after the day.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "clicks")]
pub struct Model {
    /// UUIDv7 of the time of the click.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The link followed. No foreign key: a link goes at once, its clicks in small batches.
    #[sea_orm(primary_key, auto_increment = false)]
    pub link_id: Uuid,
    /// Unix time in milliseconds.
    #[sea_orm(primary_key, auto_increment = false)]
    pub clicked_at: i64,
    /// 16 bytes: a hash of the visitor, comparable within one account and day only.
    pub visitor: Vec<u8>,
    /// User agent of a bot, or a prefetch.
    pub is_bot: bool,
    /// Browser family.
    pub browser: Option<String>,
    /// Operating system family.
    pub os: Option<String>,
    /// desktop, mobile, tablet, tv or console.
    pub device: Option<String>,
    /// Host of the referring page.
    pub referrer_host: Option<String>,
    /// ISO 3166-1 alpha-2.
    pub country: Option<String>,
    /// ISO 3166-2.
    pub region: Option<String>,
    /// Code of the country, colon and English name: `DE:Munich`.
    pub city: Option<String>,
    /// First language of Accept-Language.
    pub language: Option<String>,
    /// From the query of the visit.
    pub utm_source: Option<String>,
    /// From the query of the visit.
    pub utm_medium: Option<String>,
    /// From the query of the visit.
    pub utm_campaign: Option<String>,
    /// From the query of the visit.
    pub utm_term: Option<String>,
    /// From the query of the visit.
    pub utm_content: Option<String>,
    /// `QR`: a printed code was scanned. Null: the short URL was followed.
    pub trigger: Option<String>,
    /// Number of the destination among those of the link, in decimal digits. Null: the link's own.
    pub destination: Option<String>,
    /// Number of the rule that led there, from 1 on, in decimal digits. Null: none did.
    pub rule: Option<String>,
    /// Number of the kind of ad click that the visit's query told, in decimal digits. Null: none.
    pub ad_click: Option<String>,
    /// Whether it is the first click of its visitor on this link on the UTC day. Null: the roll-ups don't count it yet.
    pub new_to_link: Option<bool>,
    /// Whether it is the first click of its visitor on any link of the account on the UTC day.
    pub new_to_account: Option<bool>,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
