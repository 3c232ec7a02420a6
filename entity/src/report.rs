//! `reports`: see [`Model`].

use sea_orm::entity::prelude::*;

/// A question about clicks that is kept, and may have a page for everybody who has its URL.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "reports")]
pub struct Model {
    /// UUIDv7 of the time at which it was created.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Its account.
    pub account_id: Uuid,
    /// The link whose clicks it counts. Null: those of all links.
    pub link_id: Option<Uuid>,
    /// Its name.
    pub name: String,
    /// The last segment of its page's URL, for everybody to read who reads the clicks in this database. Null: it has no page.
    pub token: Option<String>,
    /// Unix time in milliseconds from which on it has no page. Null: no end is set.
    pub expires_at: Option<i64>,
    /// JSON of what it asks and of what its page shows.
    pub definition: String,
    /// Unix time in milliseconds.
    pub created_at: i64,
    /// Unix time in milliseconds.
    pub updated_at: i64,
    /// PHC string of the password that its page asks for. Null: it asks for none.
    pub password_hash: Option<String>,
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
    /// By `LinkId`.
    #[sea_orm(
        belongs_to = "super::link::Entity",
        from = "Column::LinkId",
        to = "super::link::Column::Id",
        on_delete = "Cascade"
    )]
    Link,
}

impl ActiveModelBehavior for ActiveModel {}
