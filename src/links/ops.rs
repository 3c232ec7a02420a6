//! Rules of links.

use std::{collections::BTreeMap, sync::Arc};

use entity::link;
use futures_util::future::join_all;
use sea_orm::{DbErr, SqlErr};
use serde_json::json;

use crate::{
    accounts,
    app::App,
    change::Change,
    clock::UnixMillis,
    db::Transaction,
    error::{ApiError, Code, Violations},
    ids::{AccountId, LinkId},
    links::{
        announcements,
        checks::{Known, chosen_slug, destination, served, stored_host, usable},
        creations::{Created, Creation, NewLink},
        event::event,
        life::Life,
        place::{self, site},
        repo::{self, LinkFilter, ShownLink},
        slug,
        sort::LinkSort,
        state::LinkField,
    },
    page::{PageArgs, Selected},
    redirect::{
        cache::Site,
        stale::Stale,
        target::{Parts, Target},
    },
    validate::{MAX_URL, host_name, without_port},
    work::{event_kind::EventKind, jobs::Job, outbox},
};

/// Longest text that is searched for.
pub(crate) const MAX_SEARCH: i32 = 200;
/// Links that pass a filter and are sorted by how much they are followed. Of more, all of the account's are read in that order
/// until a page is full, since many pass.
const MAX_SORTED: i64 = 10_000;
/// How often a random slug may turn out to be taken.
const SLUG_ATTEMPTS: usize = 5;

/// The fields of a link that a request changes. `None`: the field stays as it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkChange {
    pub(crate) destination_url: Option<String>,
    pub(crate) slug: Option<String>,
    /// Whether it redirects.
    pub(crate) is_active: Option<bool>,
    /// When it begins and ends.
    pub(crate) life: Life,
    /// Whether lists leave it out.
    pub(crate) is_archived: Option<bool>,
    /// Fields to take away.
    pub(crate) clear: Vec<LinkField>,
}

/// One page of links, and their number on all pages; each only if selected. The filter's host is a domain as its caller wrote it.
pub(crate) async fn list(
    app: &App,
    account: AccountId,
    mut filter: LinkFilter,
    sort: LinkSort,
    page: PageArgs,
    selected: Selected,
) -> Result<(Vec<ShownLink>, i64), ApiError> {
    let search = filter.search.as_deref().unwrap_or_default();
    if i32::try_from(search.chars().count()).is_ok_and(|length| length > MAX_SEARCH) {
        return Err(ApiError::invalid_field("search", crate::validate::length_message(0, MAX_SEARCH)));
    }
    // Nothing stored has the character, and PostgreSQL refuses it.
    if search.contains('\0') {
        return Ok((Vec::new(), 0));
    }
    if let Some(domain) = &filter.host {
        let Some(host) = stored_host(app, domain) else { return Ok((Vec::new(), 0)) };
        filter.host = Some(host);
    }
    let db = app.db.read();
    let is_filtered = filter.narrows();
    let total = match is_filtered {
        // How a page is found depends on how many there are.
        true if selected.total || (selected.items && sort.is_by_activity()) => {
            repo::count(db, account, &filter).await?
        }
        false if selected.total => {
            let all = accounts::repo::account(db, account).await?.map_or(0, |account| account.link_count);
            let left_out = if filter.is_archived.is_some() { repo::count_archived(db, account).await? } else { 0 };
            all.saturating_sub(left_out)
        }
        _ => 0,
    };
    let is_sorted = is_filtered && total <= MAX_SORTED;
    let links =
        if selected.items { repo::page(db, account, &filter, (sort, is_sorted), page).await? } else { Vec::new() };
    Ok((links, total))
}

/// The link as the API shows it.
pub(crate) async fn shown(app: &App, account: AccountId, id: LinkId) -> Result<ShownLink, ApiError> {
    repo::shown(app.db.read(), account, &[id]).await?.pop().ok_or_else(|| Code::NotFound.into())
}

pub(crate) async fn link(app: &App, account: AccountId, id: LinkId) -> Result<link::Model, ApiError> {
    repo::link(app.db.read(), account, id).await?.ok_or_else(|| Code::NotFound.into())
}

/// Longest text, in bytes, of a field that may be good: four for each character of the longest destination.
const MAX_FIELD: usize = 4 * MAX_URL.unsigned_abs() as usize;

pub(crate) async fn create(app: &Arc<App>, account: AccountId, new: NewLink) -> Result<ShownLink, ApiError> {
    // Refused without waiting for others: what waits is small.
    if [&new.destination_url, &new.slug, &new.domain, &new.life.expired_url]
        .into_iter()
        .flatten()
        .any(|text| text.len() > MAX_FIELD)
    {
        let refused = create_many(app, account, vec![new]).await?.pop();
        return refused.unwrap_or_else(|| Err(Code::InternalError.into()));
    }
    let Some(batches) = app.creations.of(account) else { return Err(Code::InternalError.into()) };
    let creating = Arc::clone(app);
    batches.ask((account, new), move |creations| create_together(Arc::clone(&creating), creations)).await?
}

/// Creates links of any accounts, each in the transaction of its account's.
async fn create_together(app: Arc<App>, creations: Vec<Creation>) -> Result<Vec<Created>, ApiError> {
    let mut by_account: BTreeMap<AccountId, (Vec<usize>, Vec<NewLink>)> = BTreeMap::new();
    for (place, (account, new)) in creations.into_iter().enumerate() {
        let (places, links) = by_account.entry(account).or_default();
        places.push(place);
        links.push(new);
    }
    let created = by_account.into_iter().map(async |(account, (places, new))| {
        let results = match create_many(&app, account, new).await {
            Ok(results) => results,
            Err(error) => places.iter().map(|_| Err(error.clone())).collect(),
        };
        places.into_iter().zip(results)
    });
    let mut created: Vec<_> = join_all(created).await.into_iter().flatten().collect();
    created.sort_unstable_by_key(|(place, _)| *place);
    Ok(created.into_iter().map(|(_, result)| result).collect())
}

/// Creates links in one transaction; each succeeds or fails alone, in the order given.
pub(crate) async fn create_many(app: &App, account: AccountId, new: Vec<NewLink>) -> Result<Vec<Created>, ApiError> {
    let now = app.clock.now();
    let known = Known {
        usable: usable(app, account, new.iter().filter_map(|new| new.domain.as_deref())).await?,
        served: served(
            app,
            new.iter().flat_map(|new| [&new.destination_url, &new.life.expired_url]).filter_map(Option::as_deref),
        )
        .await?,
    };
    let mut results: Vec<Created> = new.iter().map(|new| prepare(app, account, new, &known, now)).collect();
    if results.iter().any(Result::is_ok) {
        let tx = app.begin().await?;
        store(app, &tx, account, &new, &mut results).await?;
        let created = results.iter().flatten().map(|shown| event(EventKind::LinkCreated, shown, app));
        let created = created.collect::<Result<Vec<_>, _>>()?;
        outbox::record(&tx, account, created, now).await?;
        announcements::expect(&tx, results.iter().flatten().filter_map(|shown| shown.link.expires_at), now).await?;
        // Active new links are cached after the commit, so that their first redirect needs no lookup.
        let active = results.iter().flatten().filter(|shown| shown.link.is_active);
        let known: Vec<_> = active
            .map(|shown| (app.redirects.cache.reserve(site(&shown.link), &shown.link.slug), target(shown)))
            .collect();
        tx.commit().await?;
        for (remember, target) in known {
            remember(&target);
        }
    }
    Ok(results)
}

/// Checks everything but what the transaction must.
fn prepare(app: &App, account: AccountId, new: &NewLink, known: &Known, now: UnixMillis) -> Created {
    let mut violations = Violations::default();
    let destination_url = match &new.destination_url {
        Some(text) => violations.take("destinationUrl", destination(app, text, &known.served)),
        None => violations.take("destinationUrl", Err::<String, _>("is required")),
    };
    let custom = new.domain.as_deref().map(without_port).filter(|domain| !app.config.base_url.is_own_host(domain));
    let slug = match &new.slug {
        Some(text) => violations.take("slug", chosen_slug(app, custom.is_none(), text)),
        None => Some(slug::random()?),
    };
    let expired_url = match &new.life.expired_url {
        Some(text) => violations.take("expiredUrl", destination(app, text, &known.served)).map(Some),
        None => Some(None),
    };
    new.life.check_limit(&mut violations);
    let (Some(destination_url), Some(slug), Some(expired_url)) = (destination_url, slug, expired_url) else {
        return Err(violations.into_error());
    };
    let host = match custom {
        None => String::new(),
        Some(domain) => {
            let unknown = || {
                ApiError::new(Code::NotFound, "The account has no such domain.")
                    .with_details(json!({ "path": "domain" }))
            };
            host_name(domain).filter(|name| known.usable.contains(name)).ok_or_else(unknown)?
        }
    };
    if new.slug.is_some() {
        place::check(app, Site { host: &host, account }, &slug)?;
    }
    let link = link::Model {
        id: LinkId::new().0,
        account_id: account.0,
        host,
        slug,
        destination_url,
        is_active: new.is_active,
        click_count: 0,
        expired_clicks: 0,
        created_at: now,
        updated_at: now,
        starts_at: new.life.starts_at,
        expires_at: new.life.expires_at,
        expired_url,
        archived_at: None,
    };
    new.life.check_window(&link, &mut violations);
    violations.finish()?;
    let limit = new.life.limit();
    Ok(ShownLink {
        link,
        last_clicked_at: None,
        max_clicks: limit.map(|limit| limit.max),
        used_clicks: limit.map(|limit| limit.used),
    })
}

/// Stores what was prepared, as far as the plan allows and slugs are free; what fails becomes its error.
async fn store(
    app: &App,
    tx: &Transaction,
    account: AccountId,
    new: &[NewLink],
    results: &mut [Created],
) -> Result<(), ApiError> {
    // A "signature only" token outlives its account. A suspension of this moment may not be known here yet: a link that is made
    // now would be remembered with its destination.
    let owner = accounts::repo::lock_account(tx, account).await?.filter(|owner| owner.suspended_at.is_none());
    let Some(owner) = owner else { return Err(Code::Unauthenticated.into()) };
    let max = accounts::repo::plan_of(&owner, app.config.default_plan, app.clock.now()).max_links();
    let mut waiting: Vec<usize> = (0..results.len()).filter(|index| results[*index].is_ok()).collect();
    let (mut used, mut attempts) = (owner.link_count, 0);
    while !waiting.is_empty() {
        // A link that fails for another reason takes no place: those beyond the limit wait until it has failed.
        let free = usize::try_from(max.saturating_sub(used)).unwrap_or_default();
        let later = waiting.split_off(free.min(waiting.len()));
        if waiting.is_empty() {
            for index in later {
                results[index] = Err(ApiError::plan_limit(max, used, "links"));
            }
            break;
        }
        let rows =
            waiting.iter().filter_map(|index| results[*index].as_ref().ok().map(|shown| shown.link.clone())).collect();
        let stored = repo::insert_free(tx, rows).await?;
        used += i64::try_from(stored.len()).unwrap_or(i64::MAX);
        waiting.retain(|index| results[*index].as_ref().is_ok_and(|shown| !stored.contains(&shown.link.id)));
        for index in std::mem::take(&mut waiting) {
            if new[index].slug.is_some() {
                results[index] = Err(slug_taken());
            } else if let Ok(shown) = &mut results[index] {
                shown.link.slug = slug::random()?;
                waiting.push(index);
            }
        }
        attempts += usize::from(!waiting.is_empty());
        if attempts > SLUG_ATTEMPTS {
            return Err(ApiError::internal("random slugs keep colliding"));
        }
        waiting.extend(later);
    }
    let limits = results.iter().flatten().filter_map(|shown| Some((shown.link.id, shown.max_clicks?)));
    repo::set_limits(tx, limits.collect()).await?;
    accounts::repo::add_links(tx, account, used - owner.link_count).await?;
    Ok(())
}

/// Changes a link. The next redirect on this node follows it; on others, after a moment.
pub(crate) async fn update(
    app: &App,
    account: AccountId,
    id: LinkId,
    change: LinkChange,
) -> Result<ShownLink, ApiError> {
    let LinkChange { destination_url, slug, is_active, life, is_archived, clear } = change;
    let urls = [&destination_url, &life.expired_url];
    let served = served(app, urls.into_iter().filter_map(Option::as_deref)).await?;
    let now = app.clock.now();
    let tx = app.begin().await?;
    let Some(before) = repo::lock_link(&tx, account, id).await? else { return Err(Code::NotFound.into()) };
    let mut violations = Violations::default();
    let mut url =
        |path: &str, text: Option<&str>| text.and_then(|text| violations.take(path, destination(app, text, &served)));
    let destination_url = url("destinationUrl", destination_url.as_deref());
    let expired_url = url("expiredUrl", life.expired_url.as_deref());
    // A link may have got its slug before that was reserved.
    let chosen = slug.filter(|text| *text != before.slug);
    let slug = chosen.and_then(|text| violations.take("slug", chosen_slug(app, before.host.is_empty(), &text)));
    life.check_limit(&mut violations);
    life.check_clear(&clear, &mut violations);
    let kept = |field: LinkField| !clear.contains(&field);
    let after = link::Model {
        destination_url: destination_url.unwrap_or_else(|| before.destination_url.clone()),
        slug: slug.clone().unwrap_or_else(|| before.slug.clone()),
        is_active: is_active.unwrap_or(before.is_active),
        starts_at: life.starts_at.or(before.starts_at).filter(|_| kept(LinkField::StartsAt)),
        expires_at: life.expires_at.or(before.expires_at).filter(|_| kept(LinkField::ExpiresAt)),
        expired_url: expired_url.or_else(|| before.expired_url.clone()).filter(|_| kept(LinkField::ExpiredUrl)),
        archived_at: match is_archived {
            Some(true) => before.archived_at.or(Some(now)),
            Some(false) => None,
            None => before.archived_at,
        },
        updated_at: now,
        ..before.clone()
    };
    life.check_window(&after, &mut violations);
    violations.finish()?;
    if let Some(slug) = &slug {
        // Else the address would be free, and could lead there again.
        place::check(app, site(&before), &before.slug)?;
        place::check(app, site(&before), slug)?;
    }
    repo::update(&tx, after).await.map_err(|error| match error.sql_err() {
        Some(SqlErr::UniqueConstraintViolation(_)) => slug_taken(),
        _ => error.into(),
    })?;
    if !kept(LinkField::MaxClicks) {
        repo::delete_limit(&tx, id).await?;
    } else if let Some(max) = life.max_clicks {
        repo::set_limits(&tx, vec![(id.0, max.into())]).await?;
    }
    let Some(shown) = repo::shown(&tx, account, &[id]).await?.pop() else { return Err(Code::NotFound.into()) };
    outbox::record(&tx, account, [event(EventKind::LinkUpdated, &shown, app)?], now).await?;
    announcements::expect(&tx, life.expires_at.into_iter(), now).await?;
    tx.evict([stale(&before), stale(&shown.link)]);
    tx.commit().await?;
    Ok(shown)
}

/// Deletes a link. It stops redirecting at once; its clicks go in small batches.
pub(crate) async fn delete(app: &App, account: AccountId, id: LinkId) -> Result<(), ApiError> {
    let now = app.clock.now();
    let tx = app.begin().await?;
    // The account's row first, as when creating: the order of locks is the same everywhere.
    accounts::repo::lock_account(&tx, account).await?;
    repo::lock_link(&tx, account, id).await?;
    let Some(shown) = repo::shown(&tx, account, &[id]).await?.pop() else { return Err(Code::NotFound.into()) };
    repo::delete(&tx, account, id).await?;
    accounts::repo::add_links(&tx, account, -1).await?;
    outbox::record(&tx, account, [event(EventKind::LinkDeleted, &shown, app)?], now).await?;
    tx.enqueue(&Job::purge_clicks([id]), now).await?;
    tx.evict([stale(&shown.link)]);
    tx.commit().await?;
    Ok(())
}

/// Sees to it that nothing of the account's links stays behind; the links themselves go with the account's row.
pub(crate) async fn release_account(tx: &Change<'_>, account: AccountId, now: UnixMillis) -> Result<(), DbErr> {
    let ids = repo::lock_ids(tx, account).await?;
    for ids in ids.chunks(100) {
        tx.enqueue(&Job::purge_clicks(ids.iter().map(|id| LinkId(*id))), now).await?;
    }
    tx.enqueue(&Job::PurgeClicks { links: Vec::new(), account: Some(account.0) }, now).await
}

/// The link as redirect caches keep it.
fn target(shown: &ShownLink) -> Target {
    let link = &shown.link;
    Target::new(&Parts {
        link: LinkId(link.id),
        account: AccountId(link.account_id),
        destination_url: &link.destination_url,
        starts_at: link.starts_at,
        expires_at: link.expires_at,
        expired_url: link.expired_url.as_deref(),
        limit: shown.limit(),
    })
}

/// Identifies what redirect caches may hold of the link, to invalidate it.
fn stale(link: &link::Model) -> Stale {
    Stale::link(site(link), &link.slug)
}

fn slug_taken() -> ApiError {
    ApiError::conflict("slug", "The slug is taken on this domain.")
}
