//! Imported links: created by the rules of new links, with the times and counts that they had in another service.

use std::collections::HashMap;

use crate::{
    app::{App, change::Change},
    base::{
        clock::UnixMillis,
        error::{ApiError, Code},
        ids::{AccountId, LinkId},
    },
    features::links::{
        announcements,
        checks::Known,
        create_ops,
        event::event,
        rules::files::{self, NewRoutes, RouteTexts},
    },
    platform::work::{event_kind::EventKind, outbox},
    records::links::{
        creations::{Created, NewLink},
        repo::{self, ShownLink},
    },
};

/// A link to import.
pub(crate) struct Imported {
    pub(crate) new: NewLink,
    /// When it was created there. `None`: now.
    pub(crate) created_at: Option<UnixMillis>,
    /// Whether lists leave it out.
    pub(crate) is_archived: bool,
    /// How often it was followed in the other service. `None`: unknown.
    pub(crate) clicks: Option<i64>,
    /// How many redirects of its limit are used.
    pub(crate) used_clicks: i64,
    /// Its rules and its split.
    pub(crate) routes: RouteTexts,
}

/// A link that is ready to be stored.
pub(crate) struct Checked(ShownLink, Option<NewRoutes>);

impl Checked {
    /// Host and slug that it is to have.
    pub(crate) fn place(&self) -> (&str, &str) {
        (&self.0.link.host, &self.0.link.slug)
    }

    /// Where it is to lead.
    pub(crate) fn destination_url(&self) -> &str {
        &self.0.link.destination_url
    }

    /// The id that it is to have in the system that it comes from.
    pub(crate) fn external_id(&self) -> Option<&str> {
        self.0.link.external_id.as_deref()
    }
}

/// Host and slug of a link.
pub(crate) type Place = (String, String);

/// The outcome for one link.
pub(crate) enum Fate {
    /// At this host and slug.
    Created(Place),
    /// The account has the link already, at this host and slug.
    Known(Place),
    Failed(ApiError),
}

/// Checks all that can be checked before the transaction. The outer error is that of the lookup of hosts.
pub(crate) async fn check(
    app: &App,
    account: AccountId,
    links: &[&Imported],
) -> Result<Vec<Result<Checked, ApiError>>, ApiError> {
    let now = app.clock.now();
    let known = create_ops::known(app, account, links.iter().map(|link| &link.new)).await?;
    let mut checked = Vec::with_capacity(links.len());
    for link in links {
        checked.push(match prepare(app, account, link, &known, now) {
            Ok(shown) => match files::read(app, shown.link.id, &link.routes).await {
                Ok(routes) => Ok(Checked(shown, routes)),
                // An outage is no reason for a link to fail.
                Err(error) if error.violations.is_empty() => return Err(error),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        });
    }
    Ok(checked)
}

fn prepare(
    app: &App,
    account: AccountId,
    link: &Imported,
    known: &Known,
    now: UnixMillis,
) -> Result<ShownLink, ApiError> {
    let mut shown = create_ops::prepare(app, account, &link.new, known, now)?;
    if let Some(created_at) = link.created_at.map(|time| time.clamp(0, now)) {
        shown.link.created_at = created_at;
        // Lists are sorted by id, so that the id gets the time of creation.
        shown.link.id = LinkId::of_time(created_at).0;
    }
    shown.link.archived_at = link.is_archived.then_some(now);
    shown.link.imported_clicks = link.clicks;
    shown.used_clicks = shown.max_clicks.map(|max| link.used_clicks.clamp(0, max));
    Ok(shown)
}

/// Stores links, each of which succeeds or fails alone. `are_told`: whether events are recorded.
pub(crate) async fn store(
    app: &App,
    tx: &Change<'_>,
    account: AccountId,
    links: Vec<(Imported, Checked)>,
    are_told: bool,
) -> Result<Vec<Fate>, ApiError> {
    if links.is_empty() {
        return Ok(Vec::new());
    }
    let now = app.clock.now();
    let (mut new, mut results, mut routes) = (Vec::<NewLink>::new(), Vec::<Created>::new(), Vec::new());
    for (imported, Checked(shown, its_routes)) in links {
        new.push(imported.new);
        results.push(Ok(shown));
        routes.push(its_routes);
    }
    let wanted: Vec<(String, String, String)> = results
        .iter()
        .flatten()
        .map(|ShownLink { link, .. }| (link.host.clone(), link.slug.clone(), link.destination_url.clone()))
        .collect();
    let (stored, _) = create_ops::store(app, tx, account, &new, &mut results).await?;
    for index in &stored {
        if let Some(routes) = routes[*index].take() {
            files::store(tx, routes).await?;
        }
    }
    if are_told {
        let created: Vec<&ShownLink> = stored.iter().filter_map(|index| results[*index].as_ref().ok()).collect();
        let events = created.iter().map(|shown| event(EventKind::LinkCreated, shown, app));
        outbox::record(tx, account, events.collect::<Result<Vec<_>, _>>()?, now).await?;
        announcements::expect(tx, created.iter().filter_map(|shown| shown.link.expires_at), now).await?;
    }
    let refused = |result: &Created| conflict(result).is_some_and(|path| path == "slug");
    let taken = results.iter().zip(&wanted).filter(|(result, _)| refused(result));
    let taken: Vec<(String, String)> = taken.map(|(_, (host, slug, _))| (host.clone(), slug.clone())).collect();
    let there: HashMap<Place, String> = repo::destinations_at(tx, account, taken).await?;
    let is_known = |result: &&Created| conflict(result).is_some_and(|path| path == "externalId");
    let known = results.iter().zip(&new).filter(|(result, _)| is_known(result));
    let known = known.filter_map(|(_, new)| new.external_id().map(str::to_owned)).collect();
    let by_id: HashMap<String, Place> = repo::places_of(tx, account, known).await?;
    let mut fates = Vec::with_capacity(results.len());
    let mut wanted = wanted.into_iter();
    for (result, new) in results.into_iter().zip(new) {
        let is_asked = wanted.next();
        let id = new.external_id();
        fates.push(match (conflict(&result).as_deref(), is_asked, result) {
            // The link may come from an earlier import of the same file.
            (Some("externalId"), Some((host, slug, _)), _) => {
                Fate::Known(id.and_then(|id| by_id.get(id).cloned()).unwrap_or((host, slug)))
            }
            (Some("slug"), Some((host, slug, destination)), Err(error)) => {
                let place = (host, slug);
                let is_same = there.get(&place).is_some_and(|known| *known == destination);
                if is_same { Fate::Known(place) } else { Fate::Failed(error) }
            }
            (_, _, Ok(shown)) => Fate::Created((shown.link.host, shown.link.slug)),
            (_, _, Err(error)) => Fate::Failed(error),
        });
    }
    Ok(fates)
}

/// The field whose value another link has. `None`: the result is no conflict.
fn conflict(result: &Created) -> Option<String> {
    let error = result.as_ref().err().filter(|error| error.code == Code::Conflict)?;
    error.details()?.get("path")?.as_str().map(str::to_owned)
}
