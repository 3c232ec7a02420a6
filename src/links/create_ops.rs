//! Rules of new links.

use std::{collections::BTreeMap, sync::Arc};

use entity::link;
use futures_util::future::join_all;
use serde_json::json;

use crate::{
    accounts,
    app::App,
    clock::UnixMillis,
    db::Transaction,
    error::{ApiError, Code, Violations},
    ids::{AccountId, LinkId},
    links::{
        announcements,
        checks::{Known, chosen_slug, destination, served, usable},
        creations::{Created, Creation, NewLink},
        event::event,
        place::{self, site},
        repo::{self, ShownLink},
        slug,
    },
    redirect::{
        cache::Site,
        target::{Parts, Target},
    },
    validate::{MAX_URL, host_name, without_port},
    work::{event_kind::EventKind, outbox},
};

/// How often a random slug may turn out to be taken.
const SLUG_ATTEMPTS: usize = 5;
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
    let limits = results.iter().flatten().filter_map(|shown| Some((shown.link.id, shown.max_clicks?)));
    repo::set_limits(tx, limits.collect()).await?;
    accounts::repo::add_links(tx, account, used - owner.link_count).await?;
    Ok(())
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
