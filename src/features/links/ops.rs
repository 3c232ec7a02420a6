//! Rules of links.

use std::collections::{BTreeSet, HashMap};

use sea_orm::DbErr;
use uuid::Uuid;

use crate::{
    app::{App, change::Change},
    base::{
        clock::UnixMillis,
        error::{ApiError, Code},
        ids::{AccountId, LinkId},
        page::{PageArgs, Selected},
        validate::check_destination_url,
    },
    features::{
        self,
        links::{checks::stored_host, index::find::Found},
    },
    platform::{db::ROWS_PER_STATEMENT, work::jobs::Job},
    records::{
        self, accounts,
        analytics::purge::PurgeClicks,
        links::{
            list_repo::{self, LinkFilter, Word},
            repo::{self, ShownLink},
            retired_repo,
            sort::LinkSort,
            words::{MAX_WORDS, words},
        },
        tags::{self, name::key},
    },
};

/// Longest text that is searched for.
pub(crate) const MAX_SEARCH: i32 = 200;
/// Number of links up to which those that pass a filter are looked up and then sorted by their clicks. If more pass, the account's
/// links are read in that order until a page is full.
const MAX_SORTED: i64 = 10_000;
/// A word also finds the links of tags whose names contain it: of so many tags at most, the first by name.
const MAX_FOUND_TAGS: u64 = 100;
/// Links that a page skips at most for an ordinary read. Beyond that it is looked for in the index, even if nothing is left out.
const SKIPPED: u64 = 1_000;
/// Links of a deleted account that one transaction deletes. It takes less than 0.2 s, in which others wait for SQLite's writer.
const RELEASED: usize = ROWS_PER_STATEMENT;

/// Texts of a filter as its caller wrote them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FilterTexts<'a> {
    /// Words, some of them in quotes. Empty: no link is left out.
    pub(crate) search: &'a str,
    /// Names of tags, each of which a link must have.
    pub(crate) tags: &'a [String],
}

/// One page of links, and their number on all pages; each only if selected. The filter's host is a domain as its caller wrote it.
pub(crate) async fn list(
    app: &App,
    account: AccountId,
    (filter, texts): (LinkFilter, FilterTexts<'_>),
    sort: LinkSort,
    page: PageArgs,
    selected: Selected,
) -> Result<(Vec<ShownLink>, i64), ApiError> {
    let Some(filter) = checked(app, account, filter, texts).await? else { return Ok((Vec::new(), 0)) };
    let is_filtered = filter.narrows();
    let is_deep = page.offset() > SKIPPED;
    let db = &if is_filtered || is_deep { app.db.scans() } else { app.db.read().clone() };
    let found = match is_filtered || (is_deep && !sort.is_by_activity()) {
        true => features::links::index::find::find(app, account, &filter).await?,
        false => None,
    };
    let total = match (&found, is_filtered) {
        (Some(found), _) => found.total(),
        // The total also decides how the page is read.
        (None, true) if selected.total || (selected.items && sort.is_by_activity()) => {
            list_repo::count(db, account, &filter).await?
        }
        (None, false) if selected.total => {
            let all = accounts::repo::account(db, account).await?.map_or(0, |account| account.link_count);
            let left_out = if filter.is_archived.is_some() { list_repo::count_archived(db, account).await? } else { 0 };
            all.saturating_sub(left_out)
        }
        _ => 0,
    };
    if !selected.items {
        return Ok((Vec::new(), total));
    }
    let is_sorted = is_filtered && total <= MAX_SORTED;
    if let Some(found) = found.filter(|_| is_sorted || !sort.is_by_activity())
        && let Some(links) = indexed_page(app, account, &found, sort, page).await?
    {
        return Ok((links, total));
    }
    let links = list_repo::page(db, account, &filter, (sort, is_sorted), page).await?;
    Ok((links, total))
}

/// One page of the links that were found in the index. `None`: the index was changed meanwhile.
async fn indexed_page(
    app: &App,
    account: AccountId,
    found: &Found,
    sort: LinkSort,
    page: PageArgs,
) -> Result<Option<Vec<ShownLink>>, ApiError> {
    let db = app.db.read();
    let ids = match list_repo::activity(sort) {
        None => found.page(app, page, sort == LinkSort::Newest).await?,
        Some(by) => match found.all(app).await? {
            Some(links) => Some(list_repo::by_activity(db, &links, by, page).await?),
            None => None,
        },
    };
    let Some(ids) = ids else { return Ok(None) };
    let links: Vec<LinkId> = ids.iter().copied().map(LinkId).collect();
    let mut shown: HashMap<Uuid, ShownLink> =
        repo::shown(db, account, &links).await?.into_iter().map(|shown| (shown.link.id, shown)).collect();
    Ok(Some(ids.iter().filter_map(|id| shown.remove(id)).collect()))
}

/// Converts a filter with the caller's texts to stored values. `None`: no link can pass the filter.
pub(super) async fn checked(
    app: &App,
    account: AccountId,
    mut filter: LinkFilter,
    FilterTexts { search, tags }: FilterTexts<'_>,
) -> Result<Option<LinkFilter>, ApiError> {
    if i32::try_from(search.chars().count()).is_ok_and(|length| length > MAX_SEARCH) {
        return Err(ApiError::invalid_field("search", crate::base::validate::length_message(0, MAX_SEARCH)));
    }
    let words = words(search);
    if words.len() > MAX_WORDS {
        return Err(ApiError::invalid_field("search", format!("must have at most {MAX_WORDS} words")));
    }
    let external_id = filter.external_id.as_deref().unwrap_or_default();
    // Nothing stored has the character, and PostgreSQL refuses it.
    if search.contains('\0') || external_id.contains('\0') || tags.iter().any(|name| name.contains('\0')) {
        return Ok(None);
    }
    if let Some(domain) = &filter.host {
        let Some(host) = stored_host(app, domain) else { return Ok(None) };
        filter.host = Some(host);
    }
    if let Some(text) = &filter.destination_url {
        let url = check_destination_url(text).map_err(|reason| ApiError::invalid_field("destinationUrl", reason))?;
        filter.destination_url = Some(url.into());
    }
    let db = app.db.read();
    for text in words {
        let tags = tags::repo::ids_matching(db, account, &text, MAX_FOUND_TAGS).await?;
        filter.words.push(Word { text, tags });
    }
    let keys: BTreeSet<String> = tags.iter().map(|name| key(name)).collect();
    let number = keys.len();
    filter.tags =
        tags::repo::by_keys(db, account, keys.into_iter().collect()).await?.into_iter().map(|tag| tag.id).collect();
    if filter.tags.len() < number {
        return Ok(None);
    }
    Ok(Some(filter))
}

/// The link as the API shows it.
pub(crate) async fn shown(app: &App, account: AccountId, id: LinkId) -> Result<ShownLink, ApiError> {
    repo::shown(app.db.read(), account, &[id]).await?.pop().ok_or_else(|| Code::NotFound.into())
}

/// Deletes links of an account that is deleted: up to [`RELEASED`] in the order of their ids, from the one after `after` on. Enqueues the
/// deletion of their clicks, and retires their slugs. Returns the last of them. `None`: there are no more.
pub(crate) async fn release_some(
    tx: &Change<'_>,
    account: AccountId,
    after: LinkId,
    now: UnixMillis,
) -> Result<Option<LinkId>, DbErr> {
    // First of all, so that the deletions are not noted for it.
    records::links::index::repo::forget(tx, account).await?;
    let ids = repo::lock_ids(tx, account, after, RELEASED as u64).await?;
    let ids: Vec<LinkId> = ids.into_iter().map(LinkId).collect();
    for ids in ids.chunks(100) {
        tx.enqueue(PurgeClicks::of(ids.iter().copied()).stored()?, account, now).await?;
    }
    if !ids.is_empty() {
        retired_repo::retire(tx, ids.iter().map(|id| id.0), now).await?;
        repo::delete(tx, account, &ids).await?;
    }
    Ok(ids.last().copied().filter(|_| ids.len() >= RELEASED))
}
