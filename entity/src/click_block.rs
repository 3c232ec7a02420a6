//! `click_blocks`: see [`Model`].

use sea_orm::entity::prelude::*;

/// Clicks on a link that are days old, in one value. Each click is either here or in `clicks`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "click_blocks")]
pub struct Model {
    /// The link followed. No foreign key, as `clicks`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub link_id: Uuid,
    /// Unix time in milliseconds of the newest click.
    #[sea_orm(primary_key, auto_increment = false)]
    pub last_at: i64,
    /// Id of the newest click: the greatest, if several were at that time.
    #[sea_orm(primary_key, auto_increment = false)]
    pub last_id: Uuid,
    /// Unix time in milliseconds of the oldest click.
    pub first_at: i64,
    /// Number of clicks.
    pub clicks: i32,
    /// Number of clicks of bots, which are among these.
    pub bots: i32,
    /// The clicks, as the service encodes them.
    pub bytes: Vec<u8>,
}

/// Tables it refers to: none.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
