//! Rules of transfers: an account offers, another one accepts, and links change hands with their clicks.

use std::collections::{BTreeSet, HashMap};

use entity::{account, transfer};
use serde_json::json;
use uuid::Uuid;

use super::moving::{MoveLinks, hand_over_links, lock_both};
use crate::{
    app::{App, change::Change},
    base::{
        clock::{DAY, Millis},
        error::{ApiError, Code},
        ids::{AccountId, DomainId, LinkId, TransferId},
        page::{PageArgs, Selected},
    },
    features::{
        accounts::{fresh_proof, owner, types::accounts as named},
        domains, members,
    },
    platform::work::{
        audit::{Act, Fact},
        event_kind::EventKind,
        jobs::Job,
        outbox,
    },
    records::{
        accounts,
        domains::{hosts, repo as domain_repo, repo::ShownDomain},
        links::repo as link_repo,
        transfers::{
            move_repo::{self, Given},
            repo,
            state::TransferState,
        },
    },
    redirect::stale::Stale,
};

/// How long an offer waits.
const LIFETIME: Millis = 7 * DAY;
/// How long a transfer is listed once it is accepted.
const SHOWN: Millis = 30 * DAY;
/// Offers of an account that wait at most.
const MAX_OFFERS: u64 = 100;
/// External ids that an error names.
const NAMED: u64 = 10;

/// What is offered.
pub(crate) enum Offer {
    /// Links of the service's own host.
    Links(Vec<LinkId>),
    /// A custom domain, with all links on it.
    Domain(DomainId),
}

/// A transfer as the API shows it.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) transfer: transfer::Model,
    /// Name of the account that gives.
    pub(crate) from: String,
    /// Name of the account that gets.
    pub(crate) to: String,
    pub(crate) short_urls: Vec<String>,
}

/// Begins a change of both accounts of a transfer, whose rows are locked. Checks the caller again, since the change before may have taken the
/// caller's role away. Answers the account that gives, and the one that gets.
async fn begin<'a>(
    app: &'a App,
    act: &Act,
    from: AccountId,
    to: AccountId,
) -> Result<(Change<'a>, account::Model, account::Model), ApiError> {
    let tx = app.begin_once(act).await?;
    let [from, to] = lock_both(&tx, from, to).await?;
    let (Some(from), Some(to)) = (from, to) else { return Err(Code::NotFound.into()) };
    owner::check_user(&tx, &act.call).await?;
    Ok((tx, from, to))
}

/// Names of accounts, by id.
async fn names(app: &App, ids: Vec<Uuid>) -> Result<HashMap<Uuid, String>, ApiError> {
    let found = repo::accounts(app.db.read(), ids.clone()).await?;
    let by_id: Vec<Uuid> = found.iter().map(|account| account.id).collect();
    Ok(by_id.into_iter().zip(named(app, found).await?.into_iter().map(|account| account.name)).collect())
}

fn nothing(message: &'static str, path: &str) -> ApiError {
    ApiError::new(Code::NotFound, message).with_details(json!({ "path": path }))
}

/// Offers links or a domain to another account. Nothing changes hands before that account accepts.
pub(crate) async fn offer(app: &App, act: &Act, to: AccountId, offer: Offer) -> Result<Shown, ApiError> {
    fresh_proof::check(app, &act.call).await?;
    let from = act.account;
    if to == from {
        return Err(ApiError::invalid_field("toAccountId", "is the account that gives"));
    }
    let names = names(app, vec![from.0, to.0]).await?;
    let (Some(from_name), Some(to_name)) = (names.get(&from.0), names.get(&to.0)) else {
        return Err(nothing("There is no such account.", "toAccountId"));
    };
    let now = app.clock.now();
    // The row of the other account is not locked: whoever offers much would keep its members waiting.
    let tx = members::ops::begin(app, act).await?;
    let waiting = repo::count_offers(&tx, from, now).await?;
    if waiting >= MAX_OFFERS {
        let [limit, used] = [MAX_OFFERS, waiting].map(|number| i64::try_from(number).unwrap_or(i64::MAX));
        return Err(ApiError::plan_limit(limit, used, "transfers"));
    }
    let (mut ids, mut short_urls, mut domain) = (Vec::new(), Vec::new(), None);
    let link_count = match offer {
        Offer::Links(offered) => {
            let links = link_repo::lock_links(&tx, from, &offered).await?;
            for (place, id) in offered.iter().enumerate() {
                let path = format!("linkIds.{place}");
                match links.iter().find(|link| link.id == id.0) {
                    None => return Err(nothing("The account has no such link.", &path)),
                    Some(link) if !link.host.is_empty() => {
                        let reason =
                            format!("is on {}: a link on a host of the account goes with the domain", link.host);
                        return Err(ApiError::invalid_field(path, reason));
                    }
                    Some(_) => {}
                }
            }
            ids.extend(links.iter().map(|link| link.id));
            short_urls.extend(links.iter().map(|link| app.config.short_url(&link.host, &link.slug)));
            links.len() as u64
        }
        Offer::Domain(id) => {
            let found = domain_repo::domain(&tx, from, id).await?;
            let ShownDomain { domain: found, .. } =
                found.ok_or_else(|| nothing("The account has no such domain.", "domainId"))?;
            let links = move_repo::count_on_host(&tx, from, &found.name).await?;
            domain = Some(found);
            links
        }
    };
    let transfer = transfer::Model {
        id: TransferId::new().0,
        account_id: from.0,
        to_account_id: to.0,
        domain_id: domain.as_ref().map(|domain| domain.id),
        domain: domain.map(|domain| domain.name),
        state: TransferState::Offered.as_str().to_owned(),
        link_count: i64::try_from(link_count).unwrap_or(i64::MAX),
        moved_links: 0,
        created_at: now,
        expires_at: now + LIFETIME,
    };
    repo::insert(&tx, transfer.clone(), &ids).await?;
    tx.commit([Fact::created(&transfer)]).await?;
    Ok(Shown { transfer, from: from_name.clone(), to: to_name.clone(), short_urls })
}

/// One page of the transfers that the account gives or gets, and their number; each only if selected.
pub(crate) async fn list(
    app: &App,
    account: AccountId,
    page: PageArgs,
    selected: Selected,
) -> Result<(Vec<Shown>, i64), ApiError> {
    let (db, now) = (app.db.read(), app.clock.now());
    let found = if selected.items { repo::page(db, account, now, page).await? } else { Vec::new() };
    let total = if selected.total { repo::count(db, account, now).await? } else { 0 };
    Ok((shown(app, found).await?, i64::try_from(total).unwrap_or(i64::MAX)))
}

/// A transfer that the account gives or gets.
pub(crate) async fn transfer(app: &App, account: AccountId, id: TransferId) -> Result<Shown, ApiError> {
    let found = repo::transfer(app.db.read(), account, id, app.clock.now()).await?;
    let shown = shown(app, found.into_iter().collect()).await?.pop();
    shown.ok_or_else(|| Code::NotFound.into())
}

async fn shown(app: &App, transfers: Vec<transfer::Model>) -> Result<Vec<Shown>, ApiError> {
    let parties: BTreeSet<Uuid> = transfers.iter().flat_map(|it| [it.account_id, it.to_account_id]).collect();
    let names = names(app, parties.into_iter().collect()).await?;
    let name = |id: Uuid| names.get(&id).cloned().unwrap_or_default();
    let mut places = repo::places(app.db.read(), transfers.iter().map(|transfer| transfer.id).collect()).await?;
    let shown = transfers.into_iter().map(|transfer| {
        let places = places.remove(&transfer.id).unwrap_or_default();
        let urls = places.iter().map(|(host, slug)| app.config.short_url(host, slug));
        let (from, to) = (name(transfer.account_id), name(transfer.to_account_id));
        Shown { short_urls: urls.collect(), from, to, transfer }
    });
    Ok(shown.collect())
}

/// Takes an offer back, or declines it.
pub(crate) async fn withdraw(app: &App, act: &Act, id: TransferId) -> Result<(), ApiError> {
    let Shown { transfer, .. } = transfer(app, act.account, id).await?;
    let (tx, ..) = begin(app, act, AccountId(transfer.account_id), AccountId(transfer.to_account_id)).await?;
    let transfer = offered(&tx, act, id, app).await?;
    repo::delete(&tx, transfer.id).await?;
    Ok(tx.commit([Fact::deleted(&transfer)]).await?)
}

/// The transfer, which must be on offer.
async fn offered(tx: &Change<'_>, act: &Act, id: TransferId, app: &App) -> Result<transfer::Model, ApiError> {
    let found = repo::transfer(tx, act.account, id, app.clock.now()).await?;
    let transfer = found.ok_or_else(|| ApiError::from(Code::NotFound))?;
    match TransferState::from_stored(&transfer.state) {
        TransferState::Offered => Ok(transfer),
        _ => Err(ApiError::conflict("state", "The transfer is accepted already.")),
    }
}

/// Accepts an offer to the account. Links change hands at once; a domain does, too, and its links follow it.
pub(crate) async fn accept(app: &App, act: &Act, id: TransferId) -> Result<Shown, ApiError> {
    let before = transfer(app, act.account, id).await?;
    let (from, to) = (AccountId(before.transfer.account_id), AccountId(before.transfer.to_account_id));
    if to != act.account {
        return Err(ApiError::new(Code::Forbidden, "The account that gets it accepts it."));
    }
    let now = app.clock.now();
    let (tx, giving, getting) = begin(app, act, from, to).await?;
    let offered = offered(&tx, act, id, app).await?;
    // Its links answer 410, which they would not in another account.
    if giving.suspended_at.is_some() {
        return Err(ApiError::conflict("state", "The account that gives is suspended."));
    }
    let plan = accounts::repo::plan_of(&getting, app.config.default_plan, now);
    let room = |links: u64| match getting.link_count.saturating_add(i64::try_from(links).unwrap_or(i64::MAX)) {
        after if after > plan.max_links() => Err(ApiError::plan_limit(plan.max_links(), getting.link_count, "links")),
        _ => Ok(()),
    };
    let mut facts = Vec::new();
    let (state, link_count, moved_links) = match offered.domain_id.map(DomainId) {
        None => {
            let ids = repo::links(&tx, offered.id).await?;
            room(ids.len() as u64)?;
            check_external_ids(&tx, from, to, &Given::Links(&ids)).await?;
            let ids: Vec<LinkId> = ids.into_iter().map(LinkId).collect();
            let moved = hand_over_links(app, &tx, from, to, &ids, now, &mut facts).await?;
            (TransferState::Done, moved, moved)
        }
        Some(domain) => {
            let max = plan.max_domains();
            let used = i64::try_from(domain_repo::count(&tx, to).await?).unwrap_or(i64::MAX);
            if used >= max {
                return Err(ApiError::plan_limit(max, used, "domains"));
            }
            let links = hand_over_domain(app, &tx, from, to, domain, &mut facts).await?;
            room(links)?;
            tx.enqueue(MoveLinks::of(offered.id).stored()?, to, now).await?;
            (TransferState::Moving, i64::try_from(links).unwrap_or(i64::MAX), 0)
        }
    };
    let state = state.as_str().to_owned();
    let after = transfer::Model { state, link_count, moved_links, expires_at: now + SHOWN, ..offered.clone() };
    repo::update(&tx, after.clone()).await?;
    facts.push(Fact::changed(&offered, &after));
    tx.commit(facts).await?;
    Ok(Shown { transfer: after, ..before })
}

/// Fails with CONFLICT when a link that is given has the external id of a link of the account that gets it.
async fn check_external_ids(
    tx: &Change<'_>,
    from: AccountId,
    to: AccountId,
    given: &Given<'_>,
) -> Result<(), ApiError> {
    let shared = move_repo::shared_external_ids(tx, from, to, given, NAMED).await?;
    if shared.is_empty() {
        return Ok(());
    }
    let details = json!({ "path": "externalId", "externalIds": shared });
    Err(ApiError::conflict("externalId", "Links of the account have external ids of links that are given.")
        .with_details(details))
}

/// Makes the domain the other account's. Its host serves the links of both, until those of the former one are moved. Answers their number.
async fn hand_over_domain(
    app: &App,
    tx: &Change<'_>,
    from: AccountId,
    to: AccountId,
    id: DomainId,
    facts: &mut Vec<Fact>,
) -> Result<u64, ApiError> {
    let no_domain = || ApiError::new(Code::NotFound, "The account that gives has the domain no more.");
    let Some(ShownDomain { domain, settings }) = domain_repo::domain(tx, from, id).await? else {
        return Err(no_domain());
    };
    // A check of the name may be concluded at this moment.
    let rows = domain_repo::lock_name(tx, &domain.name).await?;
    let Some(domain) = rows.iter().find(|row| row.id == id.0 && row.account_id == from.0).cloned() else {
        return Err(no_domain());
    };
    if rows.iter().any(|row| row.account_id == to.0) {
        return Err(ApiError::conflict("domain", "The account has this domain itself: delete it first."));
    }
    if repo::is_moving(tx, from, Some(id)).await? {
        return Err(ApiError::conflict(
            "domain",
            "Links of an earlier transfer of the domain are being moved: try again later.",
        ));
    }
    if move_repo::count_on_host(tx, to, &domain.name).await? > 0 {
        return Err(ApiError::conflict(
            "domain",
            "The account has links on this domain from before: delete them first.",
        ));
    }
    check_external_ids(tx, from, to, &Given::Host(&domain.name)).await?;
    let links = move_repo::count_on_host(tx, from, &domain.name).await?;
    move_repo::give_domain(tx, from, to, &domain).await?;
    hosts::repo::hand_over(tx, from, &domain.name, to, Some(from)).await?;
    let now = app.clock.now();
    let given = ShownDomain { domain: domain.clone(), settings: settings.clone() };
    outbox::record(tx, from, [domains::event::event(EventKind::DomainDeleted, &given, &app.config)?], now).await?;
    let domain = entity::domain::Model { account_id: to.0, ..domain };
    let settings = settings.map(|settings| entity::host_setting::Model { account_id: to.0, ..settings });
    facts.push(Fact::changed(&given.domain, &domain));
    let got = ShownDomain { domain, settings };
    outbox::record(tx, to, [domains::event::event(EventKind::DomainCreated, &got, &app.config)?], now).await?;
    tx.evict([Stale::Host(got.domain.name), Stale::Restrictions]);
    Ok(links)
}
