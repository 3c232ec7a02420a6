//! Rules of changing and deleting links.

use std::collections::{HashMap, HashSet};

use entity::link;
use sea_orm::{DbErr, SqlErr};

use crate::{
    app::App,
    base::{
        clock::UnixMillis,
        error::{ApiError, Code, Violations},
        ids::{AccountId, LinkId},
        version::{self, Expected},
    },
    features::{
        links::{
            announcements,
            any_case::IgnoringHosts,
            checks::{Known, chosen_slug, destination, served, stored_host, usable},
            event::event,
            passwords,
            place::{self, site},
        },
        tags::assign::Tags,
    },
    platform::{
        db::Transaction,
        work::{
            audit::{Act, Fact},
            event_kind::EventKind,
            jobs::Job,
            outbox,
        },
    },
    records::{
        accounts,
        analytics::purge::PurgeClicks,
        links::{
            repo::{self, ShownLink},
            retired_repo,
            texts::search_text,
            values::LinkValues,
        },
        tags::{
            self,
            name::{MAX_LINK_TAGS, key},
        },
    },
};

/// A request's change of a link. `None`: what it is stays.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkChange {
    pub(crate) destination_url: Option<String>,
    pub(crate) slug: Option<String>,
    /// Its host, as written.
    pub(crate) domain: Option<String>,
    /// Its tags.
    pub(crate) tags: TagChange,
    /// Whether lists leave it out.
    pub(crate) is_archived: Option<bool>,
    /// All other values.
    pub(crate) values: LinkValues,
    /// The version that it is made from.
    pub(crate) expected: Expected,
}

/// A change of a link's tags, by name. The default changes nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct TagChange {
    /// Names that replace the link's. `None`: the link keeps its own.
    pub(crate) set: Option<Vec<String>>,
    /// Names to add.
    pub(crate) add: Vec<String>,
    /// Names to remove.
    pub(crate) remove: Vec<String>,
}

impl TagChange {
    fn is_empty(&self) -> bool {
        self.set.is_none() && self.add.is_empty() && self.remove.is_empty()
    }

    /// All names that it has.
    fn named(&self) -> impl Iterator<Item = &String> {
        self.set.iter().flatten().chain(&self.add).chain(&self.remove)
    }

    fn check(&self, violations: &mut Violations) {
        tags::name::check_all("tags", self.set.as_deref().unwrap_or_default(), violations);
        tags::name::check_all("addTags", &self.add, violations);
        tags::name::check_all("removeTags", &self.remove, violations);
    }

    /// The names that a link with these names has afterwards.
    fn apply(&self, before: &[String]) -> Vec<String> {
        let removed: HashSet<String> = self.remove.iter().map(|name| key(name)).collect();
        let all = self.set.as_deref().unwrap_or(before).iter().chain(&self.add);
        all.filter(|name| !removed.contains(&key(name))).cloned().collect()
    }
}

/// The result for one of several links.
pub(crate) type Outcome<T> = (LinkId, Result<T, ApiError>);

/// Changes a link. The next redirect on this node follows it; on others, after a moment.
pub(crate) async fn update(app: &App, act: &Act, id: LinkId, change: LinkChange) -> Result<ShownLink, ApiError> {
    let changed = update_many(app, act, &[id], change).await?.pop();
    changed.unwrap_or_else(|| (id, Err(Code::NotFound.into()))).1
}

/// Changes links in one transaction; each succeeds or fails alone, in the order given. A change of several links must not set an
/// address or an external id: a slug that is retired fails all.
pub(crate) async fn update_many(
    app: &App,
    act: &Act,
    ids: &[LinkId],
    mut change: LinkChange,
) -> Result<Vec<Outcome<ShownLink>>, ApiError> {
    let account = act.account;
    passwords::hash_all(app, &act.call, [&mut change.values].into_iter()).await?;
    let life = &change.values.life;
    let known = known(app, account, &change).await?;
    let now = app.clock.now();
    let tx = app.begin(act).await?;
    let has_tags = !change.tags.is_empty();
    if has_tags || change.slug.is_some() || change.domain.is_some() {
        // One transaction at a time changes the tags of an account, or gives links addresses on hosts that ignore case.
        accounts::repo::lock_account(&tx, account).await?;
    }
    let links = repo::lock_links(&tx, account, ids).await?;
    let tagged = if has_tags { links.iter().map(|link| link.id).collect() } else { Vec::new() };
    let mut tags_before = tags::repo::of_links(&tx, tagged).await?;
    let named = change.tags.named().chain(tags_before.values().flatten());
    let mut tags = Tags::find(&tx, account, named.collect()).await?;
    let (mut added, mut removed) = (Vec::new(), Vec::new());
    let mut refused: HashMap<LinkId, ApiError> = HashMap::new();
    let (mut before, mut changed) = (Vec::new(), Vec::new());
    for link in links {
        let names = tags_before.remove(&link.id).unwrap_or_default();
        let after = match after(app, &link, &change, &known, now) {
            Ok(after) => check_address(app, &tx, account, &link, &after).await?.map_or(Ok(after), Err),
            Err(error) => Err(error),
        };
        let after = after.and_then(|after| {
            Ok((after, if has_tags { tags_after(&mut tags, &change.tags, &names, now)? } else { Vec::new() }))
        });
        match after {
            Ok((after, tags)) => {
                added.extend(tags.iter().filter(|name| !names.contains(name)).map(|name| (link.id, name.clone())));
                removed.extend(
                    names.into_iter().filter(|name| has_tags && !tags.contains(name)).map(|name| (link.id, name)),
                );
                changed.push(LinkId(link.id));
                before.push((link, after));
            }
            Err(error) => {
                refused.insert(LinkId(link.id), error);
            }
        }
    }
    repo::update(&tx, &before).await.map_err(taken)?;
    // After the update, which waits for a deletion of the account that has the slug.
    for (before, after) in before.iter().filter(|(_, after)| after.host.is_empty()) {
        let is_moved = before.host != after.host || before.slug != after.slug;
        if is_moved && retired_repo::holds(&tx, &after.slug, now).await? {
            return Err(place::slug_taken());
        }
    }
    tags.store(&tx, added, removed).await?;
    match (life.max_clicks, life.limit()) {
        (Some(_), Some(limit)) => repo::set_limits(&tx, changed.iter().map(|id| (id.0, limit)).collect()).await?,
        (Some(_), None) => repo::delete_limits(&tx, &changed).await?,
        (None, _) => {}
    }
    let texts = before.iter().map(|(before, after)| (after.id, search_text(before), search_text(after)));
    let texts = texts.filter(|(_, before, after)| before != after).map(|(id, _, after)| (id, after));
    repo::set_search_texts(&tx, texts).await?;
    let shown = repo::shown(&tx, account, &changed).await?;
    let events = shown.iter().map(|shown| event(EventKind::LinkUpdated, shown, app));
    outbox::record(&tx, account, events.collect::<Result<Vec<_>, _>>()?, now).await?;
    announcements::expect(&tx, life.expires_at.flatten().into_iter(), now).await?;
    tx.evict(before.iter().flat_map(|(before, after)| [place::stale(before), place::stale(after)]));
    let moved = before.iter().filter(|(before, after)| before.slug != after.slug || before.host != after.host);
    tx.evict(moved.filter_map(|(_, after)| place::stale_host(after)));
    tx.commit(before.iter().map(|(before, after)| Fact::changed(before, after))).await?;
    let shown: HashMap<_, _> = shown.into_iter().map(|shown| (LinkId(shown.link.id), shown)).collect();
    Ok(outcomes(ids, |id| match refused.get(&id) {
        Some(error) => Err(error.clone()),
        None => shown.get(&id).cloned().ok_or_else(|| Code::NotFound.into()),
    }))
}

fn outcomes<T>(ids: &[LinkId], outcome: impl Fn(LinkId) -> Result<T, ApiError>) -> Vec<Outcome<T>> {
    ids.iter().map(|id| (*id, outcome(*id))).collect()
}

/// A unique index of `links` refused the change.
fn taken(error: DbErr) -> ApiError {
    match error.sql_err() {
        // SQLite names the columns, PostgreSQL the index.
        Some(SqlErr::UniqueConstraintViolation(what)) if what.contains("external_id") => place::external_id_taken(),
        Some(SqlErr::UniqueConstraintViolation(_)) => place::slug_taken(),
        _ => error.into(),
    }
}

/// Why a link can't get its new address. `None`: it can, or the address stays the same.
async fn check_address(
    app: &App,
    tx: &Transaction,
    account: AccountId,
    before: &link::Model,
    after: &link::Model,
) -> Result<Option<ApiError>, ApiError> {
    if before.host == after.host && before.slug == after.slug {
        return Ok(None);
    }
    let ignoring = IgnoringHosts::among(tx, account, [after.host.as_str()].into_iter()).await?;
    // A blocked link keeps its address: otherwise a new link with this address could lead to the same destination.
    let blocked = place::check(app, site(before), &before.slug)
        .and_then(|()| place::check(app, ignoring.site(after), &after.slug));
    if let Err(error) = blocked {
        return Ok(Some(error));
    }
    let clashing = ignoring.clashing(app, tx, account, [after].into_iter()).await?;
    Ok((!clashing.is_empty()).then(place::slug_taken))
}

/// Hosts that the change names.
pub(super) async fn known(app: &App, account: AccountId, change: &LinkChange) -> Result<Known, ApiError> {
    let urls = [Some(&change.destination_url), change.values.life.expired_url.as_ref()].into_iter().flatten();
    Ok(Known {
        usable: usable(app, account, change.domain.as_deref().into_iter()).await?,
        served: served(app, urls.filter_map(Option::as_deref)).await?,
    })
}

/// The link as it is after the change, but for its limit and its tags. A new password has been hashed before, or is left out.
pub(super) fn after(
    app: &App,
    before: &link::Model,
    change: &LinkChange,
    known: &Known,
    now: UnixMillis,
) -> Result<link::Model, ApiError> {
    let LinkChange { destination_url, slug, domain, tags, is_archived, values, expected } = change;
    expected.check(before.updated_at)?;
    let host = match domain {
        None => before.host.clone(),
        // A link may be on a host that is not served now.
        Some(text) => stored_host(app, text)
            .filter(|host| host.is_empty() || *host == before.host || known.usable.contains(host))
            .ok_or_else(place::unknown_domain)?,
    };
    let mut violations = Violations::default();
    let mut url = |path: &str, text: Option<&str>| {
        text.and_then(|text| violations.take(path, destination(app, text, &known.served)))
    };
    let destination_url = match destination_url {
        None => Some(before.destination_url.clone()),
        Some(text) => url("destinationUrl", Some(text)),
    };
    let expired_url = values.life.expired_url.as_ref().map(|text| url("expiredUrl", text.as_deref()));
    values.check(&app.config.app_schemes, &mut violations);
    let destination_url = destination_url.and_then(|url| violations.take("utm", values.utm.written_into(url)));
    let mut slug = slug.clone().unwrap_or_else(|| before.slug.clone());
    // A link may have got its slug before that was reserved.
    if slug != before.slug || host != before.host {
        slug = violations.take("slug", chosen_slug(app, host.is_empty(), &slug)).unwrap_or_default();
    }
    tags.check(&mut violations);
    let mut after = link::Model {
        destination_url: destination_url.unwrap_or_else(|| before.destination_url.clone()),
        slug,
        host,
        archived_at: match is_archived {
            Some(true) => before.archived_at.or(Some(now)),
            Some(false) => None,
            None => before.archived_at,
        },
        updated_at: version::next(before.updated_at, now),
        ..before.clone()
    };
    values.write_into(&mut after, expired_url);
    values.life.check_window(&after, &mut violations);
    violations.finish()?;
    Ok(after)
}

/// The names of a link's tags after the change.
fn tags_after(
    tags: &mut Tags,
    change: &TagChange,
    before: &[String],
    now: UnixMillis,
) -> Result<Vec<String>, ApiError> {
    let names = tags.names(&change.apply(before), now)?;
    if names.len() > MAX_LINK_TAGS.unsigned_abs() as usize {
        let path = if change.add.is_empty() { "tags" } else { "addTags" };
        return Err(ApiError::invalid_field(path, format!("would give the link more than {MAX_LINK_TAGS} tags")));
    }
    Ok(names)
}

/// Deletes a link. It stops redirecting at once; its clicks go in small batches.
pub(crate) async fn delete(app: &App, act: &Act, id: LinkId) -> Result<(), ApiError> {
    let deleted = delete_many(app, act, &[id]).await?.pop();
    deleted.unwrap_or_else(|| (id, Err(Code::NotFound.into()))).1
}

/// Deletes links in one transaction; each succeeds or fails alone, in the order given.
pub(crate) async fn delete_many(app: &App, act: &Act, ids: &[LinkId]) -> Result<Vec<Outcome<()>>, ApiError> {
    let account = act.account;
    let now = app.clock.now();
    let tx = app.begin(act).await?;
    // The account's row first, as when creating: the order of locks is the same everywhere.
    accounts::repo::lock_account(&tx, account).await?;
    repo::lock_links(&tx, account, ids).await?;
    let shown = repo::shown(&tx, account, ids).await?;
    let deleted: Vec<LinkId> = shown.iter().map(|shown| LinkId(shown.link.id)).collect();
    if !deleted.is_empty() {
        repo::delete(&tx, account, &deleted).await?;
        let fewer = -i64::try_from(deleted.len()).unwrap_or(i64::MAX);
        accounts::repo::add_links(&tx, account, fewer, None).await?;
        let events = shown.iter().map(|shown| event(EventKind::LinkDeleted, shown, app));
        outbox::record(&tx, account, events.collect::<Result<Vec<_>, _>>()?, now).await?;
        tx.enqueue(PurgeClicks::of(deleted.iter().copied()).stored()?, account, now).await?;
        tx.evict(shown.iter().map(|shown| place::stale(&shown.link)));
    }
    tx.commit(shown.iter().map(|shown| Fact::deleted(&shown.link))).await?;
    let deleted: HashSet<LinkId> = deleted.into_iter().collect();
    Ok(outcomes(ids, |id| if deleted.contains(&id) { Ok(()) } else { Err(Code::NotFound.into()) }))
}
