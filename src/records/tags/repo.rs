//! Queries on tags.

use std::collections::HashMap;

use entity::{link_tag, tag};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, ExprTrait, IntoActiveModel,
    JoinType, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, RelationTrait, Select,
    sea_query::{Expr, LikeExpr, OnConflict},
};
use uuid::Uuid;

use crate::{
    base::{ids::AccountId, page::PageArgs},
    platform::db::ROWS_PER_STATEMENT,
    records::tags::TagId,
};

fn in_account(account: AccountId) -> Select<tag::Entity> {
    tag::Entity::find().filter(tag::Column::AccountId.eq(account.0))
}

/// Tags whose name contains this text; all, if it is empty.
fn matching(account: AccountId, search: &str) -> Select<tag::Entity> {
    if search.is_empty() {
        return in_account(account);
    }
    // `%` and `_` stand for themselves.
    let pattern = search.to_lowercase().replace('!', "!!").replace('%', "!%").replace('_', "!_");
    let contains = Expr::col((tag::Entity, tag::Column::Key)).like(LikeExpr::new(format!("%{pattern}%")).escape('!'));
    in_account(account).filter(contains)
}

/// One page of the account's tags whose name contains this text, by name.
pub(crate) async fn page(
    db: &impl ConnectionTrait,
    account: AccountId,
    search: &str,
    page: PageArgs,
) -> Result<Vec<tag::Model>, DbErr> {
    let tags = matching(account, search).order_by_asc(tag::Column::Key);
    tags.offset(page.offset()).limit(page.limit()).all(db).await
}

/// Number of the account's tags whose name contains this text.
pub(crate) async fn count(db: &impl ConnectionTrait, account: AccountId, search: &str) -> Result<i64, DbErr> {
    Ok(i64::try_from(matching(account, search).count(db).await?).unwrap_or(i64::MAX))
}

/// Ids of the account's tags whose name contains this text, at most so many.
pub(crate) async fn ids_matching(
    db: &impl ConnectionTrait,
    account: AccountId,
    search: &str,
    limit: u64,
) -> Result<Vec<Uuid>, DbErr> {
    let ids = matching(account, search).select_only().column(tag::Column::Id);
    ids.order_by_asc(tag::Column::Key).limit(limit).into_tuple().all(db).await
}

/// The tag of this account.
pub(crate) async fn tag(db: &impl ConnectionTrait, account: AccountId, id: TagId) -> Result<Option<tag::Model>, DbErr> {
    in_account(account).filter(tag::Column::Id.eq(id.0)).one(db).await
}

/// The tags of this account with these keys, in no order.
pub(crate) async fn by_keys(
    db: &impl ConnectionTrait,
    account: AccountId,
    keys: Vec<String>,
) -> Result<Vec<tag::Model>, DbErr> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    in_account(account).filter(tag::Column::Key.is_in(keys)).all(db).await
}

/// Stores new tags. A taken name violates a unique index.
pub(crate) async fn insert(tx: &impl ConnectionTrait, tags: Vec<tag::Model>) -> Result<(), DbErr> {
    if tags.is_empty() {
        return Ok(());
    }
    let rows = tags.into_iter().map(|tag| tag::ActiveModel::from(tag).reset_all());
    tag::Entity::insert_many(rows).exec_without_returning(tx).await?;
    Ok(())
}

/// Stores another name of a tag. A taken name violates a unique index.
pub(crate) async fn rename(tx: &impl ConnectionTrait, renamed: tag::Model) -> Result<(), DbErr> {
    let mut row = renamed.into_active_model();
    for column in [tag::Column::Name, tag::Column::Key, tag::Column::UpdatedAt] {
        row.reset(column);
    }
    row.update(tx).await?;
    Ok(())
}

/// Deletes a tag, and takes it from the links that have it.
pub(crate) async fn delete(tx: &impl ConnectionTrait, account: AccountId, id: TagId) -> Result<(), DbErr> {
    tag::Entity::delete_by_id(id.0).filter(tag::Column::AccountId.eq(account.0)).exec(tx).await?;
    Ok(())
}

/// Some links that have the tag.
pub(crate) async fn some_links(db: &impl ConnectionTrait, id: TagId, limit: u64) -> Result<Vec<Uuid>, DbErr> {
    let links = link_tag::Entity::find().filter(link_tag::Column::TagId.eq(id.0)).select_only();
    links
        .column(link_tag::Column::LinkId)
        .order_by_asc(link_tag::Column::LinkId)
        .limit(limit)
        .into_tuple()
        .all(db)
        .await
}

/// Names of the tags of these links, by link, each in the order of the names.
pub(crate) async fn of_links(db: &impl ConnectionTrait, links: Vec<Uuid>) -> Result<HashMap<Uuid, Vec<String>>, DbErr> {
    if links.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = link_tag::Entity::find()
        .join(JoinType::InnerJoin, link_tag::Relation::Tag.def())
        .filter(link_tag::Column::LinkId.is_in(links))
        .select_only()
        .column(link_tag::Column::LinkId)
        .column(tag::Column::Name)
        .order_by_asc(tag::Column::Key);
    let mut names: HashMap<Uuid, Vec<String>> = HashMap::new();
    for (link, name) in rows.into_tuple::<(Uuid, String)>().all(db).await? {
        names.entry(link).or_default().push(name);
    }
    Ok(names)
}

/// Gives tags to links, pairs of tag and link, as far as they lack them.
pub(crate) async fn add(tx: &impl ConnectionTrait, pairs: Vec<(Uuid, Uuid)>) -> Result<(), DbErr> {
    for pairs in pairs.chunks(ROWS_PER_STATEMENT) {
        let rows = pairs.iter().map(|(tag_id, link_id)| {
            link_tag::ActiveModel::from(link_tag::Model { tag_id: *tag_id, link_id: *link_id }).reset_all()
        });
        let there = OnConflict::columns([link_tag::Column::TagId, link_tag::Column::LinkId]).do_nothing().to_owned();
        link_tag::Entity::insert_many(rows).on_conflict(there).exec_without_returning(tx).await?;
    }
    Ok(())
}

/// Takes tags from links, pairs of tag and link.
pub(crate) async fn remove(tx: &impl ConnectionTrait, pairs: Vec<(Uuid, Uuid)>) -> Result<(), DbErr> {
    let mut links_of: HashMap<Uuid, Vec<Uuid>> = HashMap::new();
    for (tag, link) in pairs {
        links_of.entry(tag).or_default().push(link);
    }
    for (tag, links) in links_of {
        let of_tag = Condition::all().add(link_tag::Column::TagId.eq(tag)).add(link_tag::Column::LinkId.is_in(links));
        link_tag::Entity::delete_many().filter(of_tag).exec(tx).await?;
    }
    Ok(())
}
