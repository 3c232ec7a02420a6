//! Rules of custom domains.

use std::sync::Arc;

use entity::domain;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    app::{App, change::Pending, jobs::Run},
    base::{
        clock::{MINUTE, Millis, UnixMillis},
        error::{ApiError, Code},
        ids::{AccountId, DomainId},
        page::{PageArgs, Selected},
        random,
        validate::check_domain_name,
    },
    features::domains::{
        check::{Check, Findings, check},
        event::event,
        hosts::settings::{self, SettingsChange},
    },
    platform::{
        db::Transaction,
        work::{
            audit::{Act, By, Fact},
            event_kind::EventKind,
            jobs::{Done, Job, Lane},
            outbox,
        },
    },
    records::{
        accounts,
        domains::{
            hosts::{self, settings_repo},
            repo::{self, ShownDomain},
            state::{CheckState, DomainStatus, Verdict, after, next_check},
        },
    },
    redirect::stale::Stale,
};

/// Time until the first check of a new domain, in milliseconds: its token has to be set in DNS first.
const FIRST_CHECK: Millis = 10 * MINUTE;

/// One page of domains, and their number; each only if selected.
pub(crate) async fn list(
    app: &App,
    account: AccountId,
    page: PageArgs,
    selected: Selected,
) -> Result<(Vec<ShownDomain>, i64), ApiError> {
    let db = app.db.read();
    let domains = if selected.items { repo::page(db, account, page).await? } else { Vec::new() };
    let total = if selected.total { repo::count(db, account).await? } else { 0 };
    Ok((domains, i64::try_from(total).unwrap_or(i64::MAX)))
}

pub(crate) async fn domain(app: &App, account: AccountId, id: DomainId) -> Result<ShownDomain, ApiError> {
    repo::domain(app.db.read(), account, id).await?.ok_or_else(|| Code::NotFound.into())
}

/// Parses the name of a custom domain. Refuses public suffixes, which have no owner, and the service's own names.
fn name(app: &App, text: &str) -> Result<String, &'static str> {
    let name = check_domain_name(text)?;
    if app.config.is_own_name(&name) {
        Err("belongs to this service")
    } else if precompiled::is_public_suffix(&name) {
        Err("is a public suffix, which nobody can own")
    } else {
        Ok(name)
    }
}

/// Adds a domain. Several accounts may, until one of them proves it.
pub(crate) async fn create<'a>(app: &'a App, act: &Act, text: &str) -> Result<Pending<'a, ShownDomain>, ApiError> {
    let account = act.account;
    let name = name(app, text).map_err(|reason| ApiError::invalid_field("domain", reason))?;
    let secret: [u8; 16] = random::bytes().map_err(ApiError::internal)?;
    let now = app.clock.now();
    let id = DomainId::new();
    let domain = domain::Model {
        id: id.0,
        account_id: account.0,
        name,
        token: format!("linkgraph-{}", hex::encode(secret)),
        status: DomainStatus::Pending.as_str().to_owned(),
        created_at: now,
        activated_at: None,
        failing_since: None,
        checked_at: None,
        found: None,
    };
    let tx = app.begin_once(act).await?;
    let Some(owner) = accounts::repo::lock_account(&tx, account).await? else {
        return Err(Code::Unauthenticated.into());
    };
    if repo::has(&tx, account, &domain.name).await? {
        return Err(ApiError::conflict("domain", "The account has this domain already."));
    }
    if repo::is_active(&tx, &domain.name).await? {
        return Err(taken());
    }
    let max = accounts::repo::plan_of(&owner, app.config.default_plan, now).max_domains();
    let used = i64::try_from(repo::count(&tx, account).await?).unwrap_or(i64::MAX);
    if used >= max {
        return Err(ApiError::plan_limit(max, used, "domains"));
    }
    // A node of an earlier version may have left some with a domain of that name.
    settings_repo::delete(&tx, account, &domain.name).await?;
    let domain = ShownDomain { domain: repo::insert(&tx, domain).await?, settings: None };
    outbox::record(&tx, account, [event(EventKind::DomainCreated, &domain, &app.config)?], now).await?;
    tx.enqueue(CheckDomain { domain: id.0 }.stored()?, account, now + FIRST_CHECK).await?;
    let fact = Fact::created(&domain.domain);
    Ok(tx.with(domain, [fact]))
}

fn taken() -> ApiError {
    ApiError::conflict("domain", "The domain has been proved by another account.")
}

/// Checks a domain now.
pub(crate) async fn verify(app: &App, act: &Act, id: DomainId) -> Result<ShownDomain, ApiError> {
    let account = act.account;
    let ShownDomain { domain, .. } = domain(app, account, id).await?;
    let check = check(app, &domain).await?;
    let shown = conclude(app, act, &domain, check).await?;
    if Findings::of(&shown.domain).is_some_and(|findings| findings.is_taken) { Err(taken()) } else { Ok(shown) }
}

/// Check a custom domain, again and again until it is deleted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CheckDomain {
    pub(crate) domain: Uuid,
}

impl Job for CheckDomain {
    const NAME: &'static str = "check_domain";
}

impl Run for CheckDomain {
    /// They wait for DNS.
    const LANE: Lane = Lane::new("domains", 8);

    async fn run(self, app: &Arc<App>, _: Uuid) -> Result<Done, ApiError> {
        let Some(ShownDomain { domain, .. }) = repo::of_any_account(app.db.read(), DomainId(self.domain)).await? else {
            return Ok(Done::Finished);
        };
        let check = check(app, &domain).await?;
        let (verdict, started_at) = (check.verdict, check.started_at);
        match conclude(app, By::service(CheckDomain::NAME), &domain, check).await {
            Ok(ShownDomain { domain, .. }) => {
                Ok(Done::Again(next_check(check_state(&domain), verdict, domain.created_at, started_at)))
            }
            Err(error) if error.code == Code::NotFound => Ok(Done::Finished),
            Err(error) => Err(error),
        }
    }
}

fn check_state(domain: &domain::Model) -> CheckState {
    CheckState { status: DomainStatus::from_stored(&domain.status), failing_since: domain.failing_since }
}

/// Applies the result of a check to a domain, and returns the updated domain.
async fn conclude(
    app: &App,
    by: impl Into<By>,
    checked: &domain::Model,
    check: Check,
) -> Result<ShownDomain, ApiError> {
    let (account, name, now) = (AccountId(checked.account_id), checked.name.as_str(), app.clock.now());
    let tx = app.begin(by).await?;
    // Locks in the same order everywhere: the account, the name, the host.
    accounts::repo::lock_account(&tx, account).await?;
    let rows = repo::lock_name(&tx, name).await?;
    let Some(before) = rows.iter().find(|row| row.id == checked.id).cloned() else {
        return Err(Code::NotFound.into());
    };
    let settings = settings_repo::settings(&tx, account, name).await?;
    if before.checked_at.is_some_and(|at| at > check.started_at) {
        // The result of a later check is already stored.
        return Ok(ShownDomain { domain: before, settings });
    }
    let holder = hosts::repo::lock_owner(&tx, name).await?.filter(|holder| *holder != account);
    let mut findings = check.findings.clone();
    let last_conclusive_at = Findings::of(&before).and_then(|findings| findings.conclusive_at);
    findings.conclusive_at = findings.conclusive_at.or(last_conclusive_at);
    let mut verdict = check.verdict;
    if let (Verdict::Good, Some(holder)) = (verdict, holder) {
        match rows.iter().find(|row| row.account_id == holder.0) {
            // DNS has both tokens: the name stays with its present account.
            Some(theirs) if check.saw(&theirs.token) => {
                findings.is_taken = true;
                verdict = Verdict::Unclear;
            }
            theirs => hand_over(app, &tx, name, holder, theirs, account, now).await?,
        }
    }
    let was = check_state(&before);
    let is = after(was, verdict, last_conclusive_at, now);
    if is.status.is_served() && !was.status.is_served() {
        let free = hosts::repo::insert(&tx, account, name).await?;
        if !free && hosts::repo::lock_owner(&tx, name).await? != Some(account) {
            return Err(taken());
        }
    } else if was.status.is_served() && !is.status.is_served() {
        hosts::repo::delete(&tx, account, name).await?;
    }
    let domain = domain::Model {
        status: is.status.as_str().to_owned(),
        activated_at: before.activated_at.or_else(|| is.status.is_served().then_some(now)),
        failing_since: is.failing_since,
        checked_at: Some(check.started_at),
        found: Some(serde_json::to_string(&findings).map_err(ApiError::internal)?),
        ..before.clone()
    };
    let shown = ShownDomain { domain: repo::update(&tx, domain).await?, settings };
    if is.status != was.status {
        let kind = match is.status {
            DomainStatus::Active => EventKind::DomainActivated,
            _ => EventKind::DomainFailing,
        };
        outbox::record(&tx, account, [event(kind, &shown, &app.config)?], now).await?;
    }
    if is.status != was.status {
        tx.evict([Stale::Host(name.to_owned())]);
    }
    tx.commit([Fact::changed(&before, &shown.domain)]).await?;
    Ok(shown)
}

/// Hands a name over, since DNS proves it for another account, and no longer for its holder, whose domain is suspended.
async fn hand_over(
    app: &App,
    tx: &Transaction,
    name: &str,
    holder: AccountId,
    theirs: Option<&domain::Model>,
    account: AccountId,
    now: UnixMillis,
) -> Result<(), ApiError> {
    hosts::repo::hand_over(tx, holder, name, account, None).await?;
    if let Some(theirs) = theirs {
        let suspended = domain::Model {
            status: DomainStatus::Suspended.as_str().to_owned(),
            failing_since: theirs.failing_since.or(Some(now)),
            ..theirs.clone()
        };
        let settings = settings_repo::settings(tx, holder, name).await?;
        let suspended = ShownDomain { domain: repo::update(tx, suspended).await?, settings };
        outbox::record(tx, holder, [event(EventKind::DomainFailing, &suspended, &app.config)?], now).await?;
    }
    Ok(())
}

/// Changes the settings of a domain. The next request to it follows them on this node; on others, after a moment.
pub(crate) async fn update(
    app: &App,
    act: &Act,
    id: DomainId,
    change: SettingsChange,
) -> Result<ShownDomain, ApiError> {
    let account = act.account;
    let now = app.clock.now();
    let change = settings::check(app, account, change).await?;
    let tx = app.begin(act).await?;
    accounts::repo::lock_account(&tx, account).await?;
    let Some(ShownDomain { domain, .. }) = repo::domain(&tx, account, id).await? else {
        return Err(Code::NotFound.into());
    };
    let (settings, fact) = settings::apply(&tx, account, &domain.name, domain.created_at, now, change).await?;
    tx.evict([Stale::Host(domain.name.clone())]);
    let shown = ShownDomain { domain, settings: Some(settings) };
    outbox::record(&tx, account, [event(EventKind::DomainUpdated, &shown, &app.config)?], now).await?;
    tx.commit(fact).await?;
    Ok(shown)
}

/// Deletes a domain and its settings. Its links stay, but nothing serves them.
pub(crate) async fn delete(app: &App, act: &Act, id: DomainId) -> Result<(), ApiError> {
    let account = act.account;
    let now = app.clock.now();
    let tx = app.begin(act).await?;
    accounts::repo::lock_account(&tx, account).await?;
    let Some(ShownDomain { domain, settings }) = repo::domain(&tx, account, id).await? else {
        return Err(Code::NotFound.into());
    };
    // A check of the name may be concluded at this moment.
    let rows = repo::lock_name(&tx, &domain.name).await?;
    let Some(domain) = rows.into_iter().find(|row| row.id == id.0) else { return Err(Code::NotFound.into()) };
    repo::delete(&tx, account, id).await?;
    hosts::repo::delete(&tx, account, &domain.name).await?;
    settings_repo::delete(&tx, account, &domain.name).await?;
    tx.evict([Stale::Host(domain.name.clone())]);
    let shown = ShownDomain { domain, settings };
    outbox::record(&tx, account, [event(EventKind::DomainDeleted, &shown, &app.config)?], now).await?;
    tx.commit([Fact::deleted(&shown.domain)]).await?;
    Ok(())
}

/// Deletes the domains and hosts of an account that is deleted: nothing is served on them, and other accounts may add them.
pub(crate) async fn release_account(tx: &Transaction, account: AccountId) -> Result<(), ApiError> {
    // Domains are locked before hosts, as in all transactions.
    repo::delete_all(tx, account).await?;
    hosts::repo::delete_all(tx, account).await?;
    Ok(())
}
