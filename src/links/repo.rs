//! Queries on links.

use entity::link;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, DatabaseBackend, DbErr, EntityTrait, ExprTrait,
    PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::{Expr, LikeExpr, OnConflict, extension::postgres::PgExpr},
};
use uuid::Uuid;

use crate::{
    ids::{AccountId, LinkId},
    page::PageArgs,
};

/// Which links of an account to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkFilter {
    /// Substring of slug or destination, in any case.
    pub search: Option<String>,
    /// Only active, or only inactive ones.
    pub is_active: Option<bool>,
}

fn in_account(account: AccountId) -> Select<link::Entity> {
    link::Entity::find().filter(link::Column::AccountId.eq(account.0))
}

fn filtered(account: AccountId, filter: &LinkFilter, backend: DatabaseBackend) -> Select<link::Entity> {
    let mut links = in_account(account);
    if let Some(is_active) = filter.is_active {
        links = links.filter(link::Column::IsActive.eq(is_active));
    }
    if let Some(search) = filter.search.as_deref().filter(|search| !search.is_empty()) {
        // `%` and `_` stand for themselves.
        let pattern = search.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        let like = || LikeExpr::new(format!("%{pattern}%"));
        let contains = |column: link::Column| match backend {
            // Only this form is served by the trigram index. What is stored is ASCII, so cases fold alike. `\` is
            // PostgreSQL's escape by itself; written out here, sea-query brackets it into a syntax error.
            DatabaseBackend::Postgres => Expr::col((link::Entity, column)).ilike(like()),
            _ => Expr::col((link::Entity, column)).like(like().escape('\\')),
        };
        links = links
            .filter(Condition::any().add(contains(link::Column::Slug)).add(contains(link::Column::DestinationUrl)));
    }
    links
}

/// One page of the account's links, newest first.
pub async fn page(
    db: &impl ConnectionTrait,
    account: AccountId,
    filter: &LinkFilter,
    page: PageArgs,
) -> Result<Vec<link::Model>, DbErr> {
    filtered(account, filter, db.get_database_backend())
        .order_by_desc(link::Column::Id)
        .offset(page.offset())
        .limit(page.limit())
        .all(db)
        .await
}

/// Number of the account's links that pass the filter.
pub async fn count(db: &impl ConnectionTrait, account: AccountId, filter: &LinkFilter) -> Result<u64, DbErr> {
    filtered(account, filter, db.get_database_backend()).count(db).await
}

/// The link of this account.
pub async fn link(db: &impl ConnectionTrait, account: AccountId, id: LinkId) -> Result<Option<link::Model>, DbErr> {
    in_account(account).filter(link::Column::Id.eq(id.0)).one(db).await
}

/// The link of this account, locked until the transaction ends: what is written back is what was read.
pub async fn lock_link(
    tx: &impl ConnectionTrait,
    account: AccountId,
    id: LinkId,
) -> Result<Option<link::Model>, DbErr> {
    in_account(account).filter(link::Column::Id.eq(id.0)).lock_exclusive().one(tx).await
}

/// The links of this account, in no order.
pub async fn links(db: &impl ConnectionTrait, account: AccountId, ids: &[LinkId]) -> Result<Vec<link::Model>, DbErr> {
    in_account(account).filter(link::Column::Id.is_in(ids.iter().map(|id| id.0))).all(db).await
}

/// Stores the links whose slug is free on their host, and answers their ids.
pub async fn insert_free(tx: &impl ConnectionTrait, links: Vec<link::Model>) -> Result<Vec<Uuid>, DbErr> {
    if links.is_empty() {
        return Ok(Vec::new());
    }
    let rows = links.into_iter().map(|link| link::ActiveModel::from(link).reset_all());
    // The index that refuses a slug is on an expression, which has no name as a target.
    let taken = OnConflict::new().do_nothing().to_owned();
    let inserted = link::Entity::insert_many(rows).on_conflict(taken).exec_with_returning(tx).await?;
    Ok(inserted.into_iter().map(|link| link.id).collect())
}

/// Stores the changed link. A taken slug violates a unique index.
pub async fn update(tx: &impl ConnectionTrait, link: link::Model) -> Result<link::Model, DbErr> {
    use sea_orm::ActiveValue::{NotSet, Set, Unchanged};
    // The click count is ingest's: writing back what was read would lose clicks.
    let row = link::ActiveModel {
        id: Unchanged(link.id),
        slug: Set(link.slug),
        destination_url: Set(link.destination_url),
        is_active: Set(link.is_active),
        updated_at: Set(link.updated_at),
        account_id: NotSet,
        host: NotSet,
        click_count: NotSet,
        expired_clicks: NotSet,
        created_at: NotSet,
    };
    row.update(tx).await
}

/// Deletes the link of this account.
pub async fn delete(tx: &impl ConnectionTrait, account: AccountId, id: LinkId) -> Result<(), DbErr> {
    link::Entity::delete_by_id(id.0).filter(link::Column::AccountId.eq(account.0)).exec(tx).await?;
    Ok(())
}

/// Ids of all links of the account, locked until the transaction ends, in the order in which ingest locks them.
pub async fn lock_ids(tx: &impl ConnectionTrait, account: AccountId) -> Result<Vec<Uuid>, DbErr> {
    let ids = in_account(account).select_only().column(link::Column::Id).order_by_asc(link::Column::Id);
    ids.lock_exclusive().into_tuple().all(tx).await
}
