//! `images`: see [`Model`].

use sea_orm::entity::prelude::*;

/// An image that an account has uploaded, as it was written anew.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "images")]
pub struct Model {
    /// UUIDv7: newest last. It is in the image's public URL.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Its account.
    pub account_id: Uuid,
    /// SHA-256 of the file as it was uploaded, unique in the account.
    pub sha256: Vec<u8>,
    /// `image/png` or `image/jpeg`.
    pub media_type: String,
    /// Pixels.
    pub width: i32,
    /// Pixels.
    pub height: i32,
    /// Bytes of the content.
    pub size: i32,
    /// Unix time in milliseconds.
    pub created_at: i64,
    /// The file. Last, so that SQLite reads the columns before it without it.
    pub content: Vec<u8>,
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
