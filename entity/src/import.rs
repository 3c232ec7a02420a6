//! `imports`: see [`Model`].

use sea_orm::entity::prelude::*;

/// An import of links, from a file that is stored in parts or from another service's API.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "imports")]
pub struct Model {
    /// UUIDv7: newest last.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Its account.
    pub account_id: Uuid,
    /// The service that the links are from; null: it is not detected yet.
    pub source: Option<String>,
    /// The encoding that its sender decoded the file from; null: unknown.
    pub encoding: Option<String>,
    /// The caller's choices of columns, as a JSON list of names and fields, of which a null field leaves the column out; null: nothing.
    pub mapping: Option<String>,
    /// The columns that are kept, as a JSON list of names and fields; null: they are not found out.
    pub columns: Option<String>,
    /// Whether the file has a header; null: it is not found out, or the file is no table.
    pub has_header: Option<bool>,
    /// The order of dates, `dmy`, `mdy` or `ymd`, as the caller says or as the file's dates tell; null: neither.
    pub date_format: Option<String>,
    /// Whether dates of the file can be read in several ways.
    pub has_unsure_dates: bool,
    /// Host of all its links, as it is stored in `links`; null: each link keeps its host, if the account has it.
    pub host: Option<String>,
    /// Whether it changes nothing.
    pub is_dry_run: bool,
    /// `open`, `queued`, `running`, `finished`, `failed` or `cancelled`.
    pub state: String,
    /// The API that the links are read from; null: they are read from the parts.
    pub url: Option<String>,
    /// The key of that API; null once it is not needed any more.
    pub secret: Option<String>,
    /// Parts that are stored or were.
    pub parts: i32,
    /// Bytes of these, or of the pages of an API that were read.
    pub bytes: i64,
    /// Bytes of the file that are imported; of an API, pages.
    pub position: i64,
    /// Rows in all; null: unknown.
    pub total: Option<i64>,
    /// Rows that are done with: the sum of the three below.
    pub done: i64,
    /// Rows that became links, or would.
    pub created: i64,
    /// Rows whose link was there.
    pub skipped: i64,
    /// Rows that can't become links.
    pub failed: i64,
    /// Rows of which is kept what became of them.
    pub result_rows: i64,
    /// Why it failed, or can't continue at the moment; null: neither.
    pub error: Option<String>,
    /// Hash of the password for links that had one, in the PHC string format; null: rows with such links fail, or the import has ended.
    pub password_hash: Option<String>,
    /// Unix time in milliseconds.
    pub created_at: i64,
    /// Unix time in milliseconds at which it last went on.
    pub updated_at: i64,
    /// Unix time in milliseconds at which it ended; null: it has not.
    pub finished_at: Option<i64>,
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
