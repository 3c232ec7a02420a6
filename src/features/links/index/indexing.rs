//! Makes indexes of links, and brings them up to date, a block in each transaction.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use entity::link_index;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    app::{App, change::Change},
    base::{error::ApiError, ids::AccountId},
    platform::work::audit::By,
    records::{
        accounts,
        links::index::{
            block::{blocks, parts},
            directory::{Directory, Entry},
            indexed::Indexed,
            limits::{BLOCK, INDEXED_FROM, are_many},
            repo,
        },
    },
};

/// How long to wait for transactions that began before an index was made.
const OTHERS: Duration = Duration::from_millis(100);
/// Changes that are looked at to find the block that has the most of them.
const LOOKED_AT: u64 = 20_000;
/// Accounts that the hourly look asks to be indexed.
const ACCOUNTS: u64 = 1_000;

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// There is more to do.
    More,
    /// There is more to do when other transactions have ended.
    Wait,
    Done,
}

/// Indexes accounts that lists ask for, one block of each in turn, until told to stop.
pub(crate) async fn run(app: Arc<App>, stop: CancellationToken) {
    while let Some(account) = stop.run_until_cancelled(app.link_indexes.next()).await {
        match step(&app, account).await {
            Ok(Step::More) => app.link_indexes.ask(account),
            Ok(Step::Wait) => {
                stop.run_until_cancelled(sleep(OTHERS)).await;
                app.link_indexes.ask(account);
            }
            Ok(Step::Done) => {}
            // The next list asks again.
            Err(error) => tracing::warn!(code = error.code.as_str(), "Indexing links of an account failed"),
        }
    }
}

/// Asks for the indexes of accounts that have changed but were not listed since.
pub(crate) async fn sweep(app: &App) -> Result<(), ApiError> {
    for account in repo::changed_accounts(app.db.read(), ACCOUNTS).await? {
        app.link_indexes.ask(account);
    }
    Ok(())
}

fn written(directory: &Directory) -> Result<Vec<u8>, ApiError> {
    directory.written().map_err(ApiError::internal)
}

/// Makes the account's index, or indexes the links of a range.
async fn step(app: &App, account: AccountId) -> Result<Step, ApiError> {
    let tx = app.begin(By::service("index_links")).await?;
    let Some(index) = repo::lock(&tx, account).await? else {
        if repo::has_index(&tx, account).await? {
            return Ok(Step::Done);
        }
        let links = accounts::repo::account(&tx, account).await?.map_or(0, |account| account.link_count);
        if links < INDEXED_FROM {
            return Ok(Step::Done);
        }
        repo::create(&tx, account, written(&Directory::default())?).await?;
        tx.commit(None).await?;
        return Ok(Step::More);
    };
    let (is_noted, noted_after) = repo::is_noted(&tx, index.noted_after).await?;
    if !is_noted {
        repo::store(&tx, account, index.directory, noted_after).await?;
        tx.commit(None).await?;
        return Ok(Step::Wait);
    }
    let index = link_index::Model { noted_after, ..index };
    let step = match Directory::read(&index.directory) {
        Some(directory) => index_range(&tx, account, &index, directory).await?,
        // Of another version, or damaged.
        None => {
            repo::delete_blocks(&tx, account).await?;
            repo::store(&tx, account, written(&Directory::default())?, noted_after).await?;
            Step::More
        }
    };
    tx.commit(None).await?;
    Ok(step)
}

/// Indexes the links of a range anew: of one that is not indexed, or of the one with the most changes, if there are many.
async fn index_range(
    tx: &Change<'_>,
    account: AccountId,
    index: &link_index::Model,
    mut directory: Directory,
) -> Result<Step, ApiError> {
    // Before the links: what changes between is still noted afterwards.
    let changes = repo::changes(tx, account, LOOKED_AT).await?;
    let mut changes_of: BTreeMap<usize, usize> = BTreeMap::new();
    changes.iter().for_each(|(_, link)| *changes_of.entry(directory.of(*link)).or_default() += 1);
    let most_changed = changes_of.into_iter().max_by_key(|(_, changes)| *changes).map(|(range, _)| range);
    let most_changed = most_changed.filter(|_| are_many(2 * changes.len(), directory.entries().len()));
    let Some(range) = directory.missing().or(most_changed) else { return Ok(Step::Done) };
    let Some(entry) = directory.entries().get(range).cloned() else { return Ok(Step::Done) };
    let (limit, end) = (if entry.block().is_some() { 2 * BLOCK } else { BLOCK }, directory.end(range));
    let links = repo::links(tx, account, (entry.first(), end), limit).await?;
    // The links after the last one that was read, if there may be any.
    let rest = links.last().filter(|_| links.len() == limit).map(|last| Uuid::from_u128(last.id.as_u128() + 1));
    let mut entries = Vec::new();
    // A range without links becomes a part of the one before, if there is one.
    if !links.is_empty() || range == 0 {
        for block in blocks(&links) {
            let first = if entries.is_empty() { entry.first() } else { first_of(block) };
            let id = Uuid::now_v7();
            repo::insert_block(tx, account, id, parts(block).map_err(ApiError::internal)?).await?;
            entries.push(Entry::new(first, Some(id)));
        }
    }
    entries.extend(rest.map(|rest| Entry::new(rest, None)));
    if let Some(block) = entry.block() {
        repo::delete_block(tx, block).await?;
    }
    directory.replace(range, entries);
    repo::store(tx, account, written(&directory)?, index.noted_after).await?;
    let is_indexed = |link: Uuid| link >= entry.first() && rest.or(end).is_none_or(|end| link < end);
    let indexed: Vec<i64> = changes.iter().filter(|(_, link)| is_indexed(*link)).map(|(id, _)| *id).collect();
    repo::delete_changes(tx, &indexed).await?;
    Ok(Step::More)
}

fn first_of(block: &[Indexed]) -> Uuid {
    block.first().map(|link| link.id).unwrap_or_default()
}
