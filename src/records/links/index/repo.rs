//! Queries on indexes of links.

use entity::{link_block, link_change, link_index};
use sea_orm::{
    ActiveValue::{Set, Unchanged},
    ColumnTrait, ConnectionTrait, DatabaseBackend, DbErr, EntityTrait, FromQueryResult, QueryFilter, QueryOrder,
    QuerySelect, Statement,
    sea_query::{LockBehavior, LockType, OnConflict},
};
use uuid::Uuid;

use super::{indexed::Indexed, limits::MOST_CHANGES, state::PartKey};
use crate::{
    base::{clock::UnixMillis, ids::AccountId},
    platform::db::{ROWS_PER_STATEMENT, filled_up},
    records::links::repo::{IS_BLOCKED, IS_USED_UP, SEARCH_TEXT},
};

/// An index as a list finds it.
#[derive(Debug, FromQueryResult)]
pub(crate) struct Known {
    /// Number of the account's links.
    pub(crate) link_count: i64,
    /// `None`: the account has no index.
    pub(crate) directory: Option<Vec<u8>>,
    /// Ids of links that have changed since they were indexed, each once, in hexadecimal digits, one after another; one more than
    /// [`MOST_CHANGES`] at most.
    pub(crate) changed: Option<String>,
}

/// The account's index, with what has changed: of one moment, since a change that becomes a part of a block is deleted with it.
pub(crate) async fn known(db: &impl ConnectionTrait, account: AccountId) -> Result<Option<Known>, DbErr> {
    let backend = db.get_database_backend();
    let (account_id, limit, all) = match backend {
        DatabaseBackend::Postgres => ("$1", "$2", "string_agg(encode(uuid_send(link_id), 'hex'), '')"),
        _ => ("?1", "?2", "group_concat(hex(link_id), '')"),
    };
    let sql = format!(
        "SELECT accounts.link_count, link_indexes.directory, (SELECT {all} FROM (SELECT DISTINCT link_id FROM link_changes \
         WHERE link_changes.account_id = link_indexes.account_id LIMIT {limit}) AS noted) AS changed \
         FROM accounts LEFT JOIN link_indexes ON link_indexes.account_id = accounts.id WHERE accounts.id = {account_id}"
    );
    let limit = i64::try_from(MOST_CHANGES + 1).unwrap_or(i64::MAX);
    let statement = Statement::from_sql_and_values(backend, sql, [account.0.into(), limit.into()]);
    Known::find_by_statement(statement).one(db).await
}

/// This part of blocks of the account, in no order. One that is missing was replaced meanwhile.
pub(crate) async fn parts(
    db: &impl ConnectionTrait,
    part: i32,
    blocks: Vec<Uuid>,
) -> Result<Vec<(PartKey, Vec<u8>)>, DbErr> {
    if blocks.is_empty() {
        return Ok(Vec::new());
    }
    let rows = link_block::Entity::find()
        .select_only()
        .columns([link_block::Column::Id, link_block::Column::Data])
        .filter(link_block::Column::Id.is_in(filled_up(blocks)))
        .filter(link_block::Column::Part.eq(part));
    let rows: Vec<(Uuid, Vec<u8>)> = rows.into_tuple().all(db).await?;
    Ok(rows.into_iter().map(|(id, data)| ((id, part), data)).collect())
}

/// The account's index, locked until the transaction ends. `None`: it has none, or another node is at it.
pub(crate) async fn lock(tx: &impl ConnectionTrait, account: AccountId) -> Result<Option<link_index::Model>, DbErr> {
    let index = link_index::Entity::find_by_id(account.0);
    index.lock_with_behavior(LockType::NoKeyUpdate, LockBehavior::SkipLocked).one(tx).await
}

/// Whether the account has an index.
pub(crate) async fn has_index(tx: &impl ConnectionTrait, account: AccountId) -> Result<bool, DbErr> {
    let index = link_index::Entity::find_by_id(account.0).select_only().column(link_index::Column::AccountId);
    Ok(index.into_tuple::<Uuid>().one(tx).await?.is_some())
}

/// Makes an index. If another node has made it meanwhile, nothing happens.
pub(crate) async fn create(tx: &impl ConnectionTrait, account: AccountId, directory: Vec<u8>) -> Result<(), DbErr> {
    let index =
        link_index::ActiveModel { account_id: Set(account.0), directory: Set(directory), noted_after: Set(None) };
    let there = OnConflict::column(link_index::Column::AccountId).do_nothing().to_owned();
    link_index::Entity::insert(index).on_conflict(there).exec_without_returning(tx).await?;
    Ok(())
}

/// Whether all transactions that may not have noted their changes have ended. `noted_after`: what this answered before; it is stored by the
/// caller.
pub(crate) async fn is_noted(
    tx: &impl ConnectionTrait,
    noted_after: Option<i64>,
) -> Result<(bool, Option<i64>), DbErr> {
    let backend = tx.get_database_backend();
    if backend != DatabaseBackend::Postgres {
        return Ok((true, noted_after));
    }
    // Only a transaction later than the one that made the index knows a number after which all see it.
    let sql = "SELECT txid_snapshot_xmin(txid_current_snapshot()) AS oldest, txid_current() AS own";
    let Some(row) = tx.query_one_raw(Statement::from_string(backend, sql)).await? else { return Ok((false, None)) };
    let (oldest, own): (i64, i64) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
    Ok((noted_after.is_some_and(|after| oldest > after), noted_after.or(Some(own))))
}

/// Stores the directory of an index.
pub(crate) async fn store(
    tx: &impl ConnectionTrait,
    account: AccountId,
    directory: Vec<u8>,
    noted_after: Option<i64>,
) -> Result<(), DbErr> {
    let index = link_index::ActiveModel {
        account_id: Unchanged(account.0),
        directory: Set(directory),
        noted_after: Set(noted_after),
    };
    link_index::Entity::update(index).exec(tx).await?;
    Ok(())
}

/// Stores a block, one part after another.
pub(crate) async fn insert_block(
    tx: &impl ConnectionTrait,
    account: AccountId,
    id: Uuid,
    parts: impl IntoIterator<Item = (i32, Vec<u8>)>,
) -> Result<(), DbErr> {
    for (part, data) in parts {
        let row = link_block::Model { id, part, account_id: account.0, data };
        let row: link_block::ActiveModel = row.into();
        link_block::Entity::insert(row).exec_without_returning(tx).await?;
    }
    Ok(())
}

/// Deletes a block.
pub(crate) async fn delete_block(tx: &impl ConnectionTrait, id: Uuid) -> Result<(), DbErr> {
    link_block::Entity::delete_many().filter(link_block::Column::Id.eq(id)).exec(tx).await?;
    Ok(())
}

/// Deletes all blocks of the account.
pub(crate) async fn delete_blocks(tx: &impl ConnectionTrait, account: AccountId) -> Result<(), DbErr> {
    link_block::Entity::delete_many().filter(link_block::Column::AccountId.eq(account.0)).exec(tx).await?;
    Ok(())
}

/// Changes of the account's links that are not indexed, the oldest first: their ids, and those of the links.
pub(crate) async fn changes(
    tx: &impl ConnectionTrait,
    account: AccountId,
    limit: u64,
) -> Result<Vec<(i64, Uuid)>, DbErr> {
    let changes = link_change::Entity::find().filter(link_change::Column::AccountId.eq(account.0)).select_only();
    let changes = changes.columns([link_change::Column::Id, link_change::Column::LinkId]);
    changes.order_by_asc(link_change::Column::Id).limit(limit).into_tuple().all(tx).await
}

/// Deletes changes that are indexed now.
pub(crate) async fn delete_changes(tx: &impl ConnectionTrait, ids: &[i64]) -> Result<(), DbErr> {
    for ids in ids.chunks(ROWS_PER_STATEMENT) {
        let indexed = link_change::Column::Id.is_in(filled_up(ids.to_vec()));
        link_change::Entity::delete_many().filter(indexed).exec(tx).await?;
    }
    Ok(())
}

/// Accounts of which changes are noted, some of them.
pub(crate) async fn changed_accounts(db: &impl ConnectionTrait, limit: u64) -> Result<Vec<AccountId>, DbErr> {
    let accounts = link_change::Entity::find().select_only().column(link_change::Column::AccountId).distinct();
    let accounts: Vec<Uuid> = accounts.limit(limit).into_tuple().all(db).await?;
    Ok(accounts.into_iter().map(AccountId).collect())
}

/// Deletes the account's index with all that belongs to it.
pub(crate) async fn forget(tx: &impl ConnectionTrait, account: AccountId) -> Result<(), DbErr> {
    link_index::Entity::delete_by_id(account.0).exec(tx).await?;
    Ok(())
}

#[derive(Debug, FromQueryResult)]
struct Row {
    id: Uuid,
    is_active: bool,
    is_archived: bool,
    is_used_up: bool,
    is_blocked: bool,
    starts_at: Option<UnixMillis>,
    expires_at: Option<UnixMillis>,
    tags: Option<String>,
    slug: String,
    destination_url: String,
    search_text: Option<String>,
}

/// Links of the account from `first` on up to the one before `end`, in the order of their ids, so many at most.
pub(crate) async fn links(
    tx: &impl ConnectionTrait,
    account: AccountId,
    (first, end): (Uuid, Option<Uuid>),
    limit: usize,
) -> Result<Vec<Indexed>, DbErr> {
    let backend = tx.get_database_backend();
    let (numbers, tags) = match backend {
        DatabaseBackend::Postgres => (["$1", "$2", "$3", "$4"], "string_agg(tag_id::text, ',')"),
        _ => (["?1", "?2", "?3", "?4"], "group_concat(hex(tag_id), ',')"),
    };
    let [account_id, from, to, most] = numbers;
    let sql = format!(
        "SELECT links.id, links.is_active, links.archived_at IS NOT NULL AS is_archived, {IS_USED_UP} AS is_used_up, {IS_BLOCKED} AS is_blocked, \
         links.starts_at, links.expires_at, (SELECT {tags} FROM link_tags WHERE link_tags.link_id = links.id) AS tags, \
         links.slug, links.destination_url, links.{SEARCH_TEXT} FROM links WHERE links.account_id = {account_id} \
         AND links.id >= {from} AND links.id < {to} ORDER BY links.id LIMIT {most}"
    );
    let most = i64::try_from(limit).unwrap_or(i64::MAX);
    let values = [account.0.into(), first.into(), end.unwrap_or(Uuid::max()).into(), most.into()];
    let rows = Row::find_by_statement(Statement::from_sql_and_values(backend, sql, values)).all(tx).await?;
    Ok(rows.into_iter().map(Indexed::from).collect())
}

impl From<Row> for Indexed {
    fn from(row: Row) -> Self {
        let tags = row.tags.unwrap_or_default();
        Indexed {
            id: row.id,
            is_active: row.is_active,
            is_archived: row.is_archived,
            is_used_up: row.is_used_up,
            is_blocked: row.is_blocked,
            starts_at: row.starts_at,
            expires_at: row.expires_at,
            tags: tags.split(',').filter_map(|tag| Uuid::parse_str(tag).ok()).collect(),
            texts: [
                row.slug.to_lowercase(),
                row.destination_url.to_ascii_lowercase(),
                row.search_text.unwrap_or_default(),
            ],
        }
    }
}
