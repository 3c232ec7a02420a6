//! Rules of links.

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

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
    domains::hosts,
    error::{ApiError, Code, Violations},
    ids::{AccountId, LinkId},
    links::{
        creations::{Created, Creation, NewLink},
        event::event,
        place::{self, site},
        repo::{self, LinkFilter, ShownLink},
        slug,
        sort::LinkSort,
    },
    page::{PageArgs, Selected},
    redirect::{
        cache::{Site, Target},
        resolve,
        stale::Stale,
    },
    validate::{MAX_URL, check_destination_url, check_slug, host_name, without_port},
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
    let is_filtered = filter != LinkFilter::default();
    let total = match is_filtered {
        // How a page is found depends on how many there are.
        true if selected.total || (selected.items && sort.is_by_activity()) => {
            repo::count(db, account, &filter).await?
        }
        false if selected.total => accounts::repo::account(db, account).await?.map_or(0, |account| account.link_count),
        _ => 0,
    };
    let is_sorted = is_filtered && total <= MAX_SORTED;
    let links =
        if selected.items { repo::page(db, account, &filter, (sort, is_sorted), page).await? } else { Vec::new() };
    Ok((links, total))
}

/// A domain as the host of links is stored, if it can be one: empty for the service's own.
fn stored_host(app: &App, domain: &str) -> Option<String> {
    let domain = without_port(domain);
    if app.config.base_url.is_own_host(domain) { Some(String::new()) } else { host_name(domain) }
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

pub(crate) async fn create(app: &Arc<App>, account: AccountId, new: NewLink) -> Result<link::Model, ApiError> {
    // Refused without waiting for others: what waits is small.
    if [&new.destination_url, &new.slug, &new.domain].into_iter().flatten().any(|text| text.len() > MAX_FIELD) {
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
        served: served(app, new.iter().filter_map(|new| new.destination_url.as_deref())).await?,
    };
    let mut results: Vec<Created> = new.iter().map(|new| prepare(app, account, new, &known, now)).collect();
    if results.iter().any(Result::is_ok) {
        let tx = app.begin().await?;
        store(app, &tx, account, &new, &mut results).await?;
        let created = results.iter().flatten().map(|link| event(EventKind::LinkCreated, &link.clone().into(), app));
        let created = created.collect::<Result<Vec<_>, _>>()?;
        outbox::record(&tx, account, created, now).await?;
        // Active new links are cached after the commit, so that their first redirect needs no lookup.
        let active = results.iter().flatten().filter(|link| link.is_active);
        let known: Vec<_> = active.map(|link| (app.redirects.cache.reserve(site(link), &link.slug), link)).collect();
        tx.commit().await?;
        for (remember, link) in known {
            remember(&Target::new(LinkId(link.id), account, &link.destination_url));
        }
    }
    Ok(results)
}

/// Hosts that new links name, as far as the database has them.
struct Known {
    /// Custom hosts that the account may use.
    usable: HashSet<String>,
    /// Hosts of destinations that links are served on.
    served: HashSet<String>,
}

/// Selects the domains that are custom hosts of the account.
async fn usable(
    app: &App,
    account: AccountId,
    domains: impl Iterator<Item = &str>,
) -> Result<HashSet<String>, ApiError> {
    let custom = domains.filter(|domain| !app.config.base_url.is_own_host(without_port(domain)));
    let names: HashSet<String> = custom.filter_map(|domain| host_name(without_port(domain))).collect();
    if names.is_empty() {
        return Ok(names);
    }
    Ok(hosts::repo::of_account(app.db.read(), account, names).await?.into_iter().collect())
}

/// The hosts of these destinations that links of any account are served on.
async fn served(app: &App, destinations: impl Iterator<Item = &str>) -> Result<HashSet<String>, ApiError> {
    let urls = destinations.filter_map(|text| check_destination_url(text).ok());
    let names: HashSet<String> = urls.filter_map(|url| url.domain().and_then(host_name)).collect();
    let names: Vec<String> = names.into_iter().filter(|name| app.config.can_be_served(name)).collect();
    let owners = resolve::owners(&app.redirects, &names).await?;
    Ok(names.into_iter().zip(owners).filter(|(_, owner)| owner.is_some()).map(|(name, _)| name).collect())
}

/// Checks everything but what the transaction must.
fn prepare(
    app: &App,
    account: AccountId,
    new: &NewLink,
    known: &Known,
    now: UnixMillis,
) -> Result<link::Model, ApiError> {
    let mut violations = Violations::default();
    let destination = match &new.destination_url {
        Some(text) => violations.take("destinationUrl", destination(app, text, &known.served)),
        None => violations.take("destinationUrl", Err::<String, _>("is required")),
    };
    let custom = new.domain.as_deref().map(without_port).filter(|domain| !app.config.base_url.is_own_host(domain));
    let slug = match &new.slug {
        Some(text) => violations.take("slug", chosen_slug(app, custom.is_none(), text)),
        None => Some(slug::random()?),
    };
    let (Some(destination_url), Some(slug)) = (destination, slug) else { return Err(violations.into_error()) };
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
    Ok(link::Model {
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
        let rows = waiting.iter().filter_map(|index| results[*index].as_ref().ok().cloned()).collect();
        let stored = repo::insert_free(tx, rows).await?;
        used += i64::try_from(stored.len()).unwrap_or(i64::MAX);
        waiting.retain(|index| results[*index].as_ref().is_ok_and(|link| !stored.contains(&link.id)));
        for index in std::mem::take(&mut waiting) {
            if new[index].slug.is_some() {
                results[index] = Err(slug_taken());
            } else if let Ok(link) = &mut results[index] {
                link.slug = slug::random()?;
                waiting.push(index);
            }
        }
        attempts += usize::from(!waiting.is_empty());
        if attempts > SLUG_ATTEMPTS {
            return Err(ApiError::internal("random slugs keep colliding"));
        }
        waiting.extend(later);
    }
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
    let served = served(app, change.destination_url.as_deref().into_iter()).await?;
    let now = app.clock.now();
    let tx = app.begin().await?;
    let Some(before) = repo::lock_link(&tx, account, id).await? else { return Err(Code::NotFound.into()) };
    let mut violations = Violations::default();
    let destination_url =
        change.destination_url.and_then(|text| violations.take("destinationUrl", destination(app, &text, &served)));
    // A link may have got its slug before that was reserved.
    let chosen = change.slug.filter(|text| *text != before.slug);
    let slug = chosen.and_then(|text| violations.take("slug", chosen_slug(app, before.host.is_empty(), &text)));
    violations.finish()?;
    if let Some(slug) = &slug {
        // Else the address would be free, and could lead there again.
        place::check(app, site(&before), &before.slug)?;
        place::check(app, site(&before), slug)?;
    }
    let after = link::Model {
        destination_url: destination_url.unwrap_or_else(|| before.destination_url.clone()),
        slug: slug.unwrap_or_else(|| before.slug.clone()),
        is_active: change.is_active.unwrap_or(before.is_active),
        updated_at: now,
        ..before.clone()
    };
    let link = repo::update(&tx, after).await.map_err(|error| match error.sql_err() {
        Some(SqlErr::UniqueConstraintViolation(_)) => slug_taken(),
        _ => error.into(),
    })?;
    let shown = repo::with_last_click(&tx, link).await?;
    outbox::record(&tx, account, [event(EventKind::LinkUpdated, &shown, app)?], now).await?;
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
    let Some(link) = repo::lock_link(&tx, account, id).await? else { return Err(Code::NotFound.into()) };
    let shown = repo::with_last_click(&tx, link).await?;
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

/// Identifies what redirect caches may hold of the link, to invalidate it.
fn stale(link: &link::Model) -> Stale {
    Stale::link(site(link), &link.slug)
}

fn slug_taken() -> ApiError {
    ApiError::conflict("slug", "The slug is taken on this domain.")
}

/// Slugs are reserved on the service's own host alone.
fn chosen_slug(app: &App, on_own_host: bool, text: &str) -> Result<String, &'static str> {
    check_slug(text)?;
    if on_own_host && app.redirects.reserved_slugs.contains(text) {
        Err("is reserved for the service")
    } else {
        Ok(text.to_owned())
    }
}

/// The parsed destination: not on a host of this service, where it could lead in circles. The port makes no difference: a
/// proxy may take any of them to this service.
fn destination(app: &App, text: &str, served: &HashSet<String>) -> Result<String, &'static str> {
    let url = check_destination_url(text)?;
    if url.host().is_some_and(|host| app.redirects.restrictions.is_blocked(&host)) {
        return Err("leads to a host that the operator of the service has blocked");
    }
    let on_this_service = url.host_str().is_some_and(|host| {
        let name = host.strip_suffix('.').unwrap_or(host);
        app.config.base_url.is_own_host(host)
            || name == app.config.subdomain_host
            || app.config.label_of(name).is_some()
            || served.contains(name)
    });
    if on_this_service { Err("must not lead back to this service") } else { Ok(url.into()) }
}
