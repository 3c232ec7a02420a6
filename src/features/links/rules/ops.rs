//! Rules of setting the rules and the split of a link, and of reading them.

use entity::{link, link_destination, link_rules as stored};
use link_rules::{Facts, Invalid, Outcome, Rule, Warning, warnings};
use uuid::Uuid;

use super::{
    inputs::{LinkRuleInput, SplitPartInput},
    proposed::{self, Labels},
};
use crate::{
    app::App,
    base::{
        clock::UnixMillis,
        error::{ApiError, Code, Violations},
        ids::{AccountId, LinkId},
        validate::MAX_URL,
        version::{self, Expected},
    },
    clicks::agent::{browsers, systems},
    features::links::{event::event, lookup, place},
    platform::work::{
        audit::{Act, Fact},
        event_kind::EventKind,
        outbox,
    },
    records::links::{
        numbers::{Changes, Numbers},
        repo, rules_repo,
    },
    redirect::rules::{NamedRule, Routes},
};

/// Rules and split of a link, and what they lead to.
#[derive(Clone, Debug)]
pub(crate) struct ShownRoutes {
    pub(crate) link: link::Model,
    pub(crate) routes: Routes,
    /// By number.
    pub(crate) destinations: Vec<link_destination::Model>,
    /// When its rules, and its split, were last set: Unix milliseconds. `None`: never.
    pub(crate) set_at: Option<(UnixMillis, UnixMillis)>,
    /// The number that its next destination gets.
    pub(super) next_number: i64,
}

impl ShownRoutes {
    fn new(
        link: link::Model,
        row: Option<&stored::Model>,
        destinations: Vec<link_destination::Model>,
    ) -> Result<Self, ApiError> {
        Ok(ShownRoutes {
            link,
            routes: read(row)?,
            destinations,
            set_at: row.map(|row| (row.rules_set_at, row.split_set_at)),
            next_number: row.map_or(1, |row| row.next_number),
        })
    }

    /// Warnings about the rules, here and now.
    pub(super) fn warnings(&self, app: &App) -> Vec<Warning> {
        let rules: Vec<Rule> = self.routes.rules.iter().map(|named| named.rule.clone()).collect();
        warnings(&rules, &facts(app))
    }
}

/// What is known of the service, for warnings.
pub(super) fn facts(app: &App) -> Facts<'static> {
    let geoip = &app.clicks.geoip;
    Facts {
        has_countries: geoip.has_countries(),
        has_cities: geoip.has_areas(),
        // The service speaks plain HTTP: an https base URL has a proxy before it.
        trusts_proxies: !app.config.trusted_proxies.is_empty() || !app.config.base_url.is_https(),
        now: app.clock.now(),
        systems: systems(),
        browsers: browsers(),
    }
}

/// Rules and split of a link. Fails with NOT_FOUND when the account has no such link.
pub(crate) async fn routes(app: &App, account: AccountId, id: LinkId) -> Result<ShownRoutes, ApiError> {
    routes_of(app, lookup::link(app, account, id).await?).await
}

/// Rules and split of a link that was read for its account.
pub(crate) async fn routes_of(app: &App, link: link::Model) -> Result<ShownRoutes, ApiError> {
    let row = rules_repo::row(app.db.read(), link.id).await?;
    let destinations = rules_repo::destinations(app.db.read(), &[link.id]).await?;
    ShownRoutes::new(link, row.as_ref(), destinations)
}

/// Rules and splits of links that were read for their account, in the order of the links. `None`: it never had any.
pub(super) async fn routes_of_all(app: &App, links: &[link::Model]) -> Result<Vec<Option<ShownRoutes>>, ApiError> {
    let ids: Vec<Uuid> = links.iter().map(|link| link.id).collect();
    let rows = rules_repo::rows(app.db.read(), &ids).await?;
    let routed: Vec<Uuid> = rows.iter().map(|row| row.link_id).collect();
    let destinations = rules_repo::destinations(app.db.read(), &routed).await?;
    let of = |link: &link::Model| {
        let row = rows.iter().find(|row| row.link_id == link.id)?;
        let destinations = destinations.iter().filter(|row| row.link_id == link.id).cloned().collect();
        Some(ShownRoutes::new(link.clone(), Some(row), destinations))
    };
    links.iter().map(|link| of(link).transpose()).collect()
}

pub(super) fn read(row: Option<&stored::Model>) -> Result<Routes, ApiError> {
    row.map(Routes::of).transpose().map_err(ApiError::internal).map(Option::unwrap_or_default)
}

/// A change of rules or split, whose values are valid.
enum Change {
    Rules(Vec<proposed::ProposedRule>),
    Split(Vec<proposed::ProposedPart>, Option<UnixMillis>),
}

/// Sets the rules of a link. The next redirect on this node follows them; on others, after a moment.
pub(crate) async fn set_rules(
    app: &App,
    act: &Act,
    id: LinkId,
    rules: Vec<LinkRuleInput>,
    expected: &Expected,
) -> Result<ShownRoutes, ApiError> {
    let rules = proposed::rules(app, rules).await?;
    set(app, act, id, Change::Rules(rules), expected).await
}

/// Sets the split of a link, as [`set_rules`] does its rules.
pub(crate) async fn set_split(
    app: &App,
    act: &Act,
    id: LinkId,
    parts: Vec<SplitPartInput>,
    auto_stops_at: Option<UnixMillis>,
    expected: &Expected,
) -> Result<ShownRoutes, ApiError> {
    let parts = proposed::split(app, parts).await?;
    set(app, act, id, Change::Split(parts, auto_stops_at), expected).await
}

async fn set(app: &App, act: &Act, id: LinkId, change: Change, expected: &Expected) -> Result<ShownRoutes, ApiError> {
    let account = act.account;
    let tx = app.begin(act).await?;
    let link = repo::lock_links(&tx, account, &[id]).await?.pop().ok_or(Code::NotFound)?;
    expected.check(link.updated_at)?;
    let now = app.clock.now();
    let before = rules_repo::row(&tx, link.id).await?;
    let known = rules_repo::destinations(&tx, &[link.id]).await?;
    let mut numbers = Numbers::new(link.id, known.clone(), before.as_ref().map_or(1, |row| row.next_number));
    // Only the half that stays is read, so that a half which can't be read can be replaced.
    let routes = before.as_ref().map(|row| match change {
        Change::Rules(_) => Routes::read("[]", row.split.as_deref(), row.split_stops_at),
        Change::Split(..) => Routes::read(&row.rules, None, None),
    });
    let mut routes = routes.transpose().map_err(ApiError::internal)?.unwrap_or_default();
    let mut labels = Labels::new();
    let (mut rules_set_at, mut split_set_at) =
        before.as_ref().map_or((now, now), |row| (row.rules_set_at, row.split_set_at));
    match change {
        Change::Rules(rules) => {
            routes.rules = proposed::numbered_rules(rules, &mut numbers, &mut labels)?;
            rules_set_at = now;
        }
        Change::Split(parts, stops_at) => {
            routes.split = proposed::numbered_split(parts, "parts", &mut numbers, &mut labels)?;
            routes.split_stops_at = stops_at.filter(|_| !routes.split.is_empty());
            split_set_at = now;
        }
    }
    check(&routes, id)?;
    let changes = changes(&numbers, &known, &routes, &labels, now);
    let row = row(link.id, &routes, (rules_set_at, split_set_at), numbers.next)?;
    let after = link::Model { updated_at: version::next(link.updated_at, now), ..link.clone() };
    repo::update(&tx, &[(link.clone(), after.clone())]).await?;
    rules_repo::set(&tx, row.clone()).await?;
    rules_repo::set_destinations(&tx, changes.set).await?;
    rules_repo::forget_destinations(&tx, link.id, changes.forgotten).await?;
    let destinations = rules_repo::destinations(&tx, &[link.id]).await?;
    let shown = repo::shown(&tx, account, &[id]).await?;
    let events = shown.iter().map(|shown| event(EventKind::LinkUpdated, shown, app));
    outbox::record(&tx, account, events.collect::<Result<Vec<_>, _>>()?, now).await?;
    tx.evict([place::stale(&link)]);
    let fact = before.map_or_else(|| Fact::created(&row), |before| Fact::changed(&before, &row));
    tx.commit([Fact::changed(&link, &after), fact]).await?;
    ShownRoutes::new(after, Some(&row), destinations)
}

/// Changes of a link's destinations once it has these rules and this split.
pub(super) fn changes(
    numbers: &Numbers,
    known: &[link_destination::Model],
    routes: &Routes,
    labels: &Labels,
    now: UnixMillis,
) -> Changes {
    let own_split = Outcome::Split(routes.split.clone());
    let outcomes = routes.rules.iter().map(|named| &named.rule.outcome).chain([&own_split]);
    numbers.changes(known, outcomes, labels, now)
}

/// The row of a link with these rules and this split, and when each was set.
pub(super) fn row(
    link: Uuid,
    routes: &Routes,
    (rules_set_at, split_set_at): (UnixMillis, UnixMillis),
    next_number: i64,
) -> Result<stored::Model, ApiError> {
    Ok(stored::Model {
        link_id: link,
        rules: serde_json::to_string(&routes.rules).map_err(ApiError::internal)?,
        split: match routes.split.is_empty() {
            true => None,
            false => Some(serde_json::to_string(&routes.split).map_err(ApiError::internal)?),
        },
        split_stops_at: routes.split_stops_at,
        rules_set_at,
        split_set_at,
        next_number,
    })
}

/// Checks what rules and split are together.
pub(super) fn check(routes: &Routes, link: LinkId) -> Result<(), ApiError> {
    // The program has the link's own destination, which may become as long as URLs may be.
    let longest = "u".repeat(MAX_URL.unsigned_abs() as usize + 1);
    let Err(invalid) = routes.compile(link, &longest) else { return Ok(()) };
    let mut violations = Violations::default();
    for Invalid { at, message } in invalid {
        // Parts of the link's own split are `parts` where they are set.
        let path = at.strip_prefix("split").map(|rest| format!("parts{rest}"));
        violations.add(proposed::dotted(&path.unwrap_or(at)), message);
    }
    Err(violations.into_error())
}

/// Rules that a caller proposes for a link, numbered as if they were set.
pub(super) fn proposed_routes(
    shown: &ShownRoutes,
    rules: Vec<proposed::ProposedRule>,
) -> Result<Vec<NamedRule>, ApiError> {
    let mut numbers = Numbers::new(shown.link.id, shown.destinations.clone(), shown.next_number);
    proposed::numbered_rules(rules, &mut numbers, &mut Labels::new())
}
