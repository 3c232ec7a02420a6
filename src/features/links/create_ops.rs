//! Rules of new links.

use std::{collections::BTreeSet, sync::Arc};

use entity::link;
use futures_util::future::join_all;

use crate::{
    app::{
        App,
        change::{Change, Pending},
    },
    base::{
        clock::UnixMillis,
        error::{ApiError, Code, Violations},
        ids::{AccountId, LinkId},
        validate::{host_name, without_port},
    },
    features::{
        links::{
            announcements,
            any_case::IgnoringHosts,
            checks::{Known, chosen_slug, destination, served, usable},
            event::event,
            passwords, place,
        },
        tags::assign::Tags,
    },
    platform::{
        db::{self, Limit, Owner, Transaction, count_statements},
        work::{
            audit::{Act, Fact},
            event_kind::EventKind,
            outbox,
        },
    },
    records::{
        accounts,
        domains::hosts::settings_repo,
        links::{
            creations::{Answered, Created, Creation, NewLink},
            gate::answers_otherwise,
            if_exists::IfExists,
            repo::{self, ShownLink},
            retired_repo, slug,
            state::LinkState,
            texts::search_text,
        },
        tags::{self, name::MAX_LINK_TAGS},
    },
    redirect::{
        cache::Site,
        target::{Parts, Target},
    },
};

/// How often a random slug may turn out to be taken.
const SLUG_ATTEMPTS: usize = 5;
/// Creates a link. With an idempotency key the link has a transaction of its own, which the caller commits. Otherwise, links that the
/// account creates at the same time share a transaction, which is committed on return.
pub(crate) async fn create<'a>(
    app: &'a Arc<App>,
    act: &Act,
    mut new: NewLink,
) -> Result<Pending<'a, Answered>, ApiError> {
    let account = act.account;
    passwords::hash_all(app, &act.call, [&mut new.values].into_iter()).await?;
    // Links with an invalid long text are refused without being queued, which bounds the memory of the queue.
    if new.is_large() || act.once.is_some() {
        let created = create_many(app, act, vec![new]).await?;
        return created.try_map(|mut created| created.pop().unwrap_or_else(|| Err(Code::InternalError.into())));
    }
    let Some(batches) = app.creations.of(account) else { return Err(Code::InternalError.into()) };
    let creating = Arc::clone(app);
    let created = batches.ask((act.clone(), new), move |creations| create_together(Arc::clone(&creating), creations));
    Ok(Pending::settled(created.await??))
}

/// Creates links of several accounts, in one transaction for each account and author.
async fn create_together(app: Arc<App>, creations: Vec<Creation>) -> Result<Vec<Result<Answered, ApiError>>, ApiError> {
    let mut together: Vec<(Act, Vec<usize>, Vec<NewLink>)> = Vec::new();
    for (place, (act, new)) in creations.into_iter().enumerate() {
        match together.iter_mut().find(|(it, ..)| (it.account, &it.by) == (act.account, &act.by)) {
            Some((_, places, links)) => {
                places.push(place);
                links.push(new);
            }
            None => together.push((act, vec![place], vec![new])),
        }
    }
    let created = together.into_iter().map(async |(act, places, new)| {
        // Each takes connections for its own account.
        let creating = Box::pin(create_committed(&app, &act, new));
        let (created, statements) =
            db::request(Limit::InAll(db::REQUEST), Owner::Account(act.account.0), creating).await;
        count_statements(statements);
        let results = match created {
            Ok(results) => results,
            Err(error) => places.iter().map(|_| Err(error.clone())).collect(),
        };
        places.into_iter().zip(results)
    });
    let mut created: Vec<_> = join_all(created).await.into_iter().flatten().collect();
    created.sort_unstable_by_key(|(place, _)| *place);
    Ok(created.into_iter().map(|(_, result)| result).collect())
}

async fn create_committed(
    app: &App,
    act: &Act,
    new: Vec<NewLink>,
) -> Result<Vec<Result<Answered, ApiError>>, ApiError> {
    Ok(create_many(app, act, new).await?.commit().await?)
}

/// Creates links in one transaction, which the caller commits. Each link succeeds or fails by itself; the results are in the order of
/// `new`.
pub(crate) async fn create_many<'a>(
    app: &'a App,
    act: &Act,
    mut new: Vec<NewLink>,
) -> Result<Pending<'a, Vec<Result<Answered, ApiError>>>, ApiError> {
    let account = act.account;
    passwords::hash_all(app, &act.call, new.iter_mut().map(|new| &mut new.values)).await?;
    let now = app.clock.now();
    let known = known(app, account, new.iter()).await?;
    let mut results: Vec<Created> = new.iter().map(|new| prepare(app, account, new, &known, now)).collect();
    if results.iter().all(Result::is_err) {
        return Ok(Pending::settled(answered(results, &[])));
    }
    let tx = app.begin_once(act).await?;
    let new = with_default_tags(&tx, account, new, &mut results).await?;
    let (stored, ignoring) = store(app, &tx, account, &new, &mut results).await?;
    if results.iter().all(Result::is_err) {
        return Ok(Pending::settled(answered(results, &[])));
    }
    let created: Vec<&ShownLink> = stored.iter().filter_map(|index| results[*index].as_ref().ok()).collect();
    let events = created.iter().map(|shown| event(EventKind::LinkCreated, shown, app));
    outbox::record(&tx, account, events.collect::<Result<Vec<_>, _>>()?, now).await?;
    announcements::expect(&tx, created.iter().filter_map(|shown| shown.link.expires_at), now).await?;
    // Active new links are cached after the commit, so that their first redirect needs no lookup.
    for shown in created.iter().filter(|shown| shown.link.is_active) {
        let remember = app.redirects.cache.reserve(ignoring.site(&shown.link), &shown.link.slug);
        let target = target(shown);
        tx.after(move || remember(&target));
    }
    let facts: Vec<_> = created.iter().map(|shown| Fact::created(&shown.link)).collect();
    Ok(tx.with(answered(results, &stored), facts))
}

/// The results of links, of which those at the indexes in `stored` are new.
fn answered(results: Vec<Created>, stored: &[usize]) -> Vec<Result<Answered, ApiError>> {
    let results = results.into_iter().enumerate();
    results.map(|(index, result)| result.map(|shown| Answered { shown, is_new: stored.contains(&index) })).collect()
}

/// Adds the default tags of their hosts to new links. A link that would have too many tags fails.
async fn with_default_tags(
    tx: &Transaction,
    account: AccountId,
    mut new: Vec<NewLink>,
    results: &mut [Created],
) -> Result<Vec<NewLink>, ApiError> {
    let hosts = results.iter().flatten().map(|shown| shown.link.host.as_str()).filter(|host| !host.is_empty());
    let tags_of = settings_repo::default_tags(tx, account, hosts.collect()).await?;
    for (new, result) in new.iter_mut().zip(results) {
        let Some(more) = result.as_ref().ok().and_then(|shown| tags_of.get(&shown.link.host)) else { continue };
        new.tags.extend(more.iter().cloned());
        let number = new.tags.iter().map(|name| tags::name::key(name)).collect::<BTreeSet<_>>().len();
        if number > MAX_LINK_TAGS.unsigned_abs() as usize {
            let message = format!("would be more than {MAX_LINK_TAGS} with the default tags of its host");
            *result = Err(ApiError::invalid_field("tags", message));
        }
    }
    Ok(new)
}

/// The hosts that new links name.
pub(super) async fn known<'a>(
    app: &App,
    account: AccountId,
    new: impl Iterator<Item = &'a NewLink> + Clone,
) -> Result<Known, ApiError> {
    let urls: Vec<&str> = new.clone().flat_map(NewLink::urls).collect();
    Ok(Known {
        usable: usable(app, account, new.filter_map(|new| new.domain.as_deref())).await?,
        served: served(app, urls.into_iter()).await?,
    })
}

/// Checks all that can be checked before the transaction.
pub(super) fn prepare(app: &App, account: AccountId, new: &NewLink, known: &Known, now: UnixMillis) -> Created {
    let mut violations = Violations::default();
    let destination_url = match &new.destination_url {
        Some(text) => violations.take("destinationUrl", destination(app, text, &known.served)),
        None => violations.take("destinationUrl", Err::<String, _>("is required")),
    };
    let values = &new.values;
    let expired_url = match values.life.expired_url.as_ref().and_then(Option::as_ref) {
        Some(text) => violations.take("expiredUrl", destination(app, text, &known.served)).map(Some),
        None => Some(None),
    };
    values.check(&app.config.app_schemes, &mut violations);
    let destination_url = destination_url.and_then(|url| violations.take("utm", values.utm.written_into(url)));
    let custom = new.domain.as_deref().map(without_port).filter(|domain| !app.config.base_url.is_own_host(domain));
    let slug = match &new.slug {
        Some(text) => violations.take("slug", chosen_slug(app, custom.is_none(), text)),
        None => Some(slug::random()?),
    };
    tags::name::check_all("tags", &new.tags, &mut violations);
    let (Some(destination_url), Some(slug), Some(expired_url)) = (destination_url, slug, expired_url) else {
        return Err(violations.into_error());
    };
    let host = match custom {
        None => String::new(),
        Some(domain) => {
            host_name(domain).filter(|name| known.usable.contains(name)).ok_or_else(place::unknown_domain)?
        }
    };
    if new.slug.is_some() {
        place::check(app, Site::exact(&host, account), &slug)?;
    }
    let mut link = link::Model {
        id: LinkId::new().0,
        account_id: account.0,
        host,
        slug,
        destination_url,
        is_active: true,
        click_count: 0,
        expired_clicks: 0,
        created_at: now,
        updated_at: now,
        starts_at: None,
        expires_at: None,
        expired_url: None,
        archived_at: None,
        title: None,
        notes: None,
        external_id: None,
        imported_clicks: None,
        forwards_query: None,
        password_hash: None,
        asks_first: false,
        notice: None,
        card: None,
        app: None,
    };
    values.write_into(&mut link, Some(expired_url));
    values.life.check_window(&link, &mut violations);
    violations.finish()?;
    let limit = values.life.limit();
    Ok(ShownLink {
        link,
        last_clicked_at: None,
        max_clicks: limit.map(|limit| limit.max),
        used_clicks: limit.map(|limit| limit.used),
        tags: None,
    })
}

/// Stores the prepared links, as far as the plan allows and their slugs and external ids are free. The result of a link that fails
/// becomes its error. Returns the indexes of the new links (other successful results are links that existed already), and the hosts
/// that ignore case.
pub(super) async fn store(
    app: &App,
    tx: &Change<'_>,
    account: AccountId,
    new: &[NewLink],
    results: &mut [Created],
) -> Result<(Vec<usize>, IgnoringHosts), ApiError> {
    // A "signature only" token outlives its account. And this node may not have read a new suspension yet: the link would be cached
    // with its destination.
    let owner = accounts::repo::lock_account(tx, account).await?.filter(|owner| owner.suspended_at.is_none());
    let Some(owner) = owner else { return Err(Code::Unauthenticated.into()) };
    let now = app.clock.now();
    let max = accounts::repo::plan_of(&owner, app.config.default_plan, now).max_links();
    let hosts = results.iter().flatten().map(|shown| shown.link.host.as_str());
    let ignoring = IgnoringHosts::among(tx, account, hosts).await?;
    let mut room = Room { max, used: owner.link_count, ignoring };
    let mut left: Vec<usize> = (0..results.len()).filter(|index| results[*index].is_ok()).collect();
    let named = left.iter().flat_map(|index| &new[*index].tags);
    let mut tags = Tags::find(tx, account, named.collect()).await?;
    let mut stored = Vec::new();
    while !left.is_empty() {
        let (mut fresh, mut repeated) = (Vec::new(), Vec::new());
        for index in std::mem::take(&mut left) {
            let Ok(shown) = &results[index] else { continue };
            // A request for a link that asks visitors, has a card or opens apps, gets no other.
            if new[index].if_exists == IfExists::Create || answers_otherwise(&shown.link) {
                fresh.push(index);
                continue;
            }
            let slug = new[index].slug.as_ref().map(|_| shown.link.slug.as_str());
            let earlier =
                fresh.iter().find(|earlier| is_like(results[**earlier].as_ref().ok(), &shown.link, slug, now));
            if let Some(earlier) = earlier {
                repeated.push((index, *earlier));
                continue;
            }
            let site = (shown.link.host.as_str(), slug);
            match repo::like(tx, account, site, &shown.link.destination_url, now).await? {
                Some(known) => results[index] = existing(&new[index], known),
                None => fresh.push(index),
            }
        }
        for index in &fresh {
            let names = tags.names(&new[*index].tags, now);
            if let Ok(shown) = &mut results[*index] {
                match names {
                    Ok(names) => shown.tags = (!names.is_empty()).then(|| names.join(",")),
                    Err(error) => results[*index] = Err(error),
                }
            }
        }
        fresh.retain(|index| results[*index].is_ok());
        insert(app, tx, account, new, results, fresh.clone(), &mut room).await?;
        for (index, earlier) in repeated {
            match &results[earlier] {
                Ok(known) => results[index] = existing(&new[index], known.clone()),
                Err(_) => left.push(index),
            }
        }
        stored.extend(fresh.into_iter().filter(|index| results[*index].is_ok()));
    }
    let created = || stored.iter().filter_map(|index| results[*index].as_ref().ok());
    let limits = created().filter_map(|shown| Some((shown.link.id, shown.limit()?)));
    repo::set_limits(tx, limits.collect()).await?;
    let texts = created().map(|shown| (shown.link.id, search_text(&shown.link)));
    repo::set_search_texts(tx, texts.filter(|(_, text)| text.is_some())).await?;
    let tagged = created().flat_map(|shown| shown.tag_names().into_iter().map(|name| (shown.link.id, name)));
    tags.store(tx, tagged.collect(), Vec::new()).await?;
    tx.evict(created().filter_map(|shown| place::stale_host(&shown.link)));
    // The insert may have waited for the deletion of an account, whose slugs it did not see as retired.
    let slugs: Vec<&str> =
        created().filter(|shown| shown.link.host.is_empty()).map(|shown| shown.link.slug.as_str()).collect();
    let retired = (!slugs.is_empty()).then(|| retired_repo::is_any_retired(slugs, now));
    if !accounts::repo::add_links(tx, account, room.used - owner.link_count, retired).await? {
        return Err(Code::Unavailable.into());
    }
    Ok((stored, room.ignoring))
}

/// A link that exists in place of a new one, unless the caller may not read it.
fn existing(new: &NewLink, known: ShownLink) -> Created {
    match &new.slug {
        _ if new.may_read => Ok(known),
        Some(_) => Err(place::slug_taken()),
        None => Err(ApiError::conflict("destinationUrl", "The account has a link to this destination on this domain.")),
    }
}

/// The account's room for links.
struct Room {
    /// Links that it may have.
    max: i64,
    /// Links that it has.
    used: i64,
    /// The hosts of the new links that ignore case.
    ignoring: IgnoringHosts,
}

/// Whether [`IfExists::Return`] returns `earlier`, which is about to be stored, instead of creating `link`.
fn is_like(earlier: Option<&ShownLink>, link: &link::Model, slug: Option<&str>, now: UnixMillis) -> bool {
    let is_plain = |it: &&ShownLink| {
        it.limit().is_none()
            && !answers_otherwise(&it.link)
            && it.link.expires_at.is_none()
            && LinkState::of(&it.link, None, false, now) == LinkState::Active
    };
    earlier.filter(is_plain).is_some_and(|ShownLink { link: earlier, .. }| {
        earlier.host == link.host
            && earlier.destination_url == link.destination_url
            && slug.is_none_or(|slug| slug == earlier.slug)
    })
}

/// Inserts the links at these indexes.
async fn insert(
    app: &App,
    tx: &Transaction,
    account: AccountId,
    new: &[NewLink],
    results: &mut [Created],
    mut waiting: Vec<usize>,
    room: &mut Room,
) -> Result<(), ApiError> {
    let mut attempts = 0;
    while !waiting.is_empty() {
        // A link that fails for another reason does not count for the limit: links beyond the limit wait until it has failed.
        let free = usize::try_from(room.max.saturating_sub(room.used)).unwrap_or_default();
        let later = waiting.split_off(free.min(waiting.len()));
        if waiting.is_empty() {
            for index in later {
                results[index] = Err(ApiError::plan_limit(room.max, room.used, "links"));
            }
            break;
        }
        let links = || waiting.iter().filter_map(|index| results[*index].as_ref().ok()).map(|shown| &shown.link);
        let clashing = room.ignoring.clashing(app, tx, account, links()).await?;
        let rows = links().filter(|link| !clashing.contains(&link.id)).cloned().collect();
        let stored = repo::insert_free(tx, rows, app.clock.now()).await?;
        room.used += i64::try_from(stored.len()).unwrap_or(i64::MAX);
        waiting.retain(|index| results[*index].as_ref().is_ok_and(|shown| !stored.contains(&shown.link.id)));
        let ids = waiting.iter().filter_map(|index| new[*index].external_id());
        let known_ids = repo::known_external_ids(tx, account, ids.collect()).await?;
        for index in std::mem::take(&mut waiting) {
            if new[index].external_id().is_some_and(|id| known_ids.contains(id)) {
                results[index] = Err(place::external_id_taken());
            } else if new[index].slug.is_some() {
                results[index] = Err(place::slug_taken());
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
    Ok(())
}

/// A link as redirect caches keep it, without rules.
pub(super) fn target(shown: &ShownLink) -> Target {
    let link = &shown.link;
    Target::new(&Parts {
        link: LinkId(link.id),
        account: AccountId(link.account_id),
        destination_url: &link.destination_url,
        starts_at: link.starts_at,
        expires_at: link.expires_at,
        expired_url: link.expired_url.as_deref(),
        limit: shown.limit(),
        forwards_query: link.forwards_query,
        gate: link.into(),
        card: link.card.as_deref().unwrap_or_default(),
        app: link.app.as_deref().unwrap_or_default(),
        program: None,
    })
}
