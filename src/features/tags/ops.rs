//! Rules of tags.

use entity::tag;
use sea_orm::{DbErr, SqlErr};

use crate::{
    app::{App, change::Pending},
    base::{
        error::{ApiError, Code},
        ids::AccountId,
        page::{PageArgs, Selected},
        validate::length_message,
        version::{self, Expected},
    },
    features::accounts::change,
    platform::work::audit::{Act, Fact},
    records::{
        domains::hosts::settings_repo,
        tags::{
            TagId,
            name::{check, key},
            repo,
        },
    },
};

/// Tags that an account may have.
pub(crate) const MAX_TAGS: i64 = 10_000;
/// Longest text that is searched for.
pub(crate) const MAX_SEARCH: i32 = 200;
/// Links from which one transaction takes a tag: a tag may have a million, and others wait for the writer of SQLite.
const LINKS_AT_ONCE: u64 = 2_000;

/// One page of tags by name, and their number on all pages; each only if selected.
pub(crate) async fn list(
    app: &App,
    account: AccountId,
    search: &str,
    page: PageArgs,
    selected: Selected,
) -> Result<(Vec<tag::Model>, i64), ApiError> {
    if i32::try_from(search.chars().count()).is_ok_and(|length| length > MAX_SEARCH) {
        return Err(ApiError::invalid_field("search", length_message(0, MAX_SEARCH)));
    }
    // Nothing stored has the character, and PostgreSQL refuses it.
    if search.contains('\0') {
        return Ok((Vec::new(), 0));
    }
    let db = app.db.read();
    let tags = if selected.items { repo::page(db, account, search, page).await? } else { Vec::new() };
    let total = if selected.total { repo::count(db, account, search).await? } else { 0 };
    Ok((tags, total))
}

pub(crate) async fn tag(app: &App, account: AccountId, id: TagId) -> Result<tag::Model, ApiError> {
    repo::tag(app.db.read(), account, id).await?.ok_or_else(|| Code::NotFound.into())
}

fn checked(name: &str) -> Result<(String, String), ApiError> {
    check(name).map_err(|message| ApiError::invalid_field("name", message))?;
    Ok((name.trim_end().to_owned(), key(name)))
}

/// Creates a tag that no link has.
pub(crate) async fn create<'a>(app: &'a App, act: &Act, name: &str) -> Result<Pending<'a, tag::Model>, ApiError> {
    let account = act.account;
    let (name, key) = checked(name)?;
    let now = app.clock.now();
    let tx = change::begin(app, act).await?;
    let count = repo::count(&tx, account, "").await?;
    if count >= MAX_TAGS {
        return Err(ApiError::plan_limit(MAX_TAGS, count, "tags"));
    }
    let tag = tag::Model {
        id: TagId::new().0,
        account_id: account.0,
        name,
        key,
        link_count: 0,
        created_at: now,
        updated_at: now,
    };
    repo::insert(&tx, vec![tag.clone()]).await.map_err(taken)?;
    let fact = Fact::created(&tag);
    Ok(tx.with(tag, [fact]))
}

/// Gives a tag another name, if there is one.
pub(crate) async fn rename(
    app: &App,
    act: &Act,
    id: TagId,
    name: Option<&str>,
    expected: &Expected,
) -> Result<tag::Model, ApiError> {
    let account = act.account;
    let Some(name) = name else { return tag(app, account, id).await };
    let (name, key) = checked(name)?;
    let now = app.clock.now();
    let tx = change::begin(app, act).await?;
    let Some(tag) = repo::tag(&tx, account, id).await? else { return Err(Code::NotFound.into()) };
    expected.check(tag.updated_at)?;
    let renamed = tag::Model { name, key, updated_at: version::next(tag.updated_at, now), ..tag.clone() };
    let fact = Fact::changed(&tag, &renamed);
    repo::rename(&tx, renamed.clone()).await.map_err(taken)?;
    settings_repo::replace_tag(&tx, account, &tag.name, Some(&renamed.name), now).await?;
    tx.commit([fact]).await?;
    Ok(renamed)
}

/// Deletes a tag; its links stay.
pub(crate) async fn delete(app: &App, act: &Act, id: TagId) -> Result<(), ApiError> {
    dissolve(app, act, id, None).await
}

/// Gives the links of one tag another one instead, deletes the first, and answers the second.
pub(crate) async fn merge(app: &App, act: &Act, id: TagId, into: TagId) -> Result<tag::Model, ApiError> {
    let account = act.account;
    if id == into {
        tag(app, account, id).await?;
        return Err(ApiError::invalid_field("into", "must be another tag"));
    }
    dissolve(app, act, id, Some(into)).await?;
    tag(app, account, into).await
}

/// Takes a tag from its links, which get the other one if there is one, some at a time, and deletes it with the last of them. After a
/// crash the remaining links still have the tag, and the same request continues.
async fn dissolve(app: &App, act: &Act, id: TagId, into: Option<TagId>) -> Result<(), ApiError> {
    let account = act.account;
    loop {
        let tx = change::begin(app, act).await?;
        let Some(tag) = repo::tag(&tx, account, id).await? else { return Err(Code::NotFound.into()) };
        let into = match into {
            None => None,
            Some(into) => Some(repo::tag(&tx, account, into).await?.ok_or_else(|| {
                let unknown = ApiError::new(Code::NotFound, "The account has no such tag.");
                unknown.with_details(serde_json::json!({ "path": "into" }))
            })?),
        };
        let links = repo::some_links(&tx, id, LINKS_AT_ONCE).await?;
        let is_last = u64::try_from(links.len()).unwrap_or(u64::MAX) < LINKS_AT_ONCE;
        if let Some(into) = &into {
            repo::add(&tx, links.iter().map(|link| (into.id, *link)).collect()).await?;
        }
        repo::remove(&tx, links.iter().map(|link| (id.0, *link)).collect()).await?;
        if is_last {
            settings_repo::replace_tag(&tx, account, &tag.name, into.as_ref().map(|into| &*into.name), app.clock.now())
                .await?;
            repo::delete(&tx, account, id).await?;
        }
        tx.commit(is_last.then(|| Fact::deleted(&tag))).await?;
        if is_last {
            return Ok(());
        }
    }
}

fn taken(error: DbErr) -> ApiError {
    match error.sql_err() {
        Some(SqlErr::UniqueConstraintViolation(_)) => {
            ApiError::conflict("name", "Another tag of the account has this name.")
        }
        _ => error.into(),
    }
}
