//! Rules of subdomains.

use entity::subdomain;
use sea_orm::ConnectionTrait;
use uuid::Uuid;

use crate::{
    app::{App, change::Pending},
    base::{
        clock::{DAY, HOUR, Millis, SECOND, UnixMillis},
        error::{ApiError, Code},
        ids::AccountId,
        validate::check_subdomain,
    },
    features::{
        self,
        domains::hosts::settings::{self, SettingsChange},
        subdomains::event::event,
    },
    platform::{
        db::Transaction,
        work::{
            audit::{Act, Fact},
            event_kind::EventKind,
            outbox,
        },
    },
    records::{
        self,
        domains::hosts::{self, settings_repo},
        subdomains::{
            repo::{self, ShownSubdomain},
            reserved::is_reserved,
            state::SubdomainStatus,
        },
    },
    redirect::stale::Stale,
};

/// How long a released label can't be claimed if other sites may have links to it, in milliseconds.
const QUARANTINE: Millis = 30 * DAY;
/// How long a label must have been active for such links to be likely, in milliseconds. Without this bound one account could block
/// labels for all others by claiming and releasing one after the other.
const SERVED: Millis = HOUR;
/// Claims that an account has in [`CLAIM_WINDOW`]: so one account closes at most 90 labels at a time, three for each day of
/// [`QUARANTINE`].
const MAX_CLAIMS: usize = 3;
/// The time in which claims are counted, back from the one that is tried.
const CLAIM_WINDOW: Millis = DAY;
/// The status of a released label, which the API does not show.
const RELEASED: &str = "RELEASED";

/// The account's subdomain, if it has one.
pub(crate) async fn subdomain(app: &App, account: AccountId) -> Result<Option<ShownSubdomain>, ApiError> {
    let Some(subdomain) = repo::subdomain(app.db.read(), account).await? else { return Ok(None) };
    Ok(Some(shown(app, app.db.read(), account, subdomain).await?))
}

/// The account's subdomain, as the API shows it.
async fn shown(
    app: &App,
    db: &impl ConnectionTrait,
    account: AccountId,
    subdomain: subdomain::Model,
) -> Result<ShownSubdomain, ApiError> {
    let settings = settings_repo::settings(db, account, &app.config.host_of(&subdomain.label)).await?;
    Ok(ShownSubdomain { subdomain, settings })
}

/// Claims a label. Fails with CONFLICT when it is taken or the account has one, and with RATE_LIMITED when the account has
/// claimed as often as it may in a day: a claim counts whatever became of it, and one that failed does not.
pub(crate) async fn claim<'a>(app: &'a App, act: &Act, text: &str) -> Result<Pending<'a, ShownSubdomain>, ApiError> {
    let account = act.account;
    let label = check_subdomain(text)
        .and_then(|label| if is_reserved(&label) { Err("is reserved for the service") } else { Ok(label) });
    let label = label.map_err(|reason| ApiError::invalid_field("subdomain", reason))?;
    let now = app.clock.now();
    let claim = subdomain::Model {
        label,
        id: Uuid::now_v7(),
        account_id: Some(account.0),
        status: SubdomainStatus::Claimed.as_str().to_owned(),
        claimed_at: now,
        activated_at: None,
        released_at: None,
    };
    let tx = features::accounts::change::begin(app, act).await?;
    if repo::subdomain(&tx, account).await?.is_some() {
        return Err(ApiError::conflict("subdomain", "The account has a subdomain already."));
    }
    repo::delete_claims_before(&tx, account, now - CLAIM_WINDOW).await?;
    check_claims(&repo::claims(&tx, account).await?, now)?;
    repo::delete_released(&tx, &claim.label, now - QUARANTINE).await?;
    if !repo::insert(&tx, claim.clone()).await? {
        return Err(taken());
    }
    repo::insert_claim(&tx, account, &claim).await?;
    // A node of an earlier version may have left some with a claim of that label.
    settings_repo::delete(&tx, account, &app.config.host_of(&claim.label)).await?;
    let claim = ShownSubdomain { subdomain: claim, settings: None };
    outbox::record(&tx, account, [event(EventKind::SubdomainClaimed, &claim, &app.config)?], now).await?;
    let fact = Fact::created(&claim.subdomain);
    Ok(tx.with(claim, [fact]))
}

/// Whether there may be another claim beside those of the last day, oldest first.
fn check_claims(claims: &[UnixMillis], now: UnixMillis) -> Result<(), ApiError> {
    let Some(oldest) = claims.len().checked_sub(MAX_CLAIMS).and_then(|first| claims.get(first)) else { return Ok(()) };
    let wait = u64::try_from(oldest + CLAIM_WINDOW - now).unwrap_or(0).div_ceil(SECOND.unsigned_abs());
    let message = format!("An account can claim {MAX_CLAIMS} subdomains a day.");
    Err(ApiError { message: message.into(), ..ApiError::rate_limited(wait) })
}

fn taken() -> ApiError {
    ApiError::conflict("subdomain", "The subdomain is taken.")
}

/// Serves links on the subdomain from now on. Activating an active one changes nothing.
pub(crate) async fn activate(app: &App, act: &Act) -> Result<ShownSubdomain, ApiError> {
    let account = act.account;
    let now = app.clock.now();
    let tx = app.begin(act).await?;
    records::accounts::repo::lock_account(&tx, account).await?;
    let Some(before) = repo::lock_subdomain(&tx, account).await? else { return Err(Code::NotFound.into()) };
    if before.status == SubdomainStatus::Active.as_str() {
        return shown(app, &tx, account, before).await;
    }
    let host = app.config.host_of(&before.label);
    if !hosts::repo::insert(&tx, account, &host).await? {
        return Err(taken());
    }
    let active = subdomain::Model {
        status: SubdomainStatus::Active.as_str().to_owned(),
        activated_at: Some(now),
        ..before.clone()
    };
    let active = shown(app, &tx, account, repo::update(&tx, active).await?).await?;
    outbox::record(&tx, account, [event(EventKind::SubdomainActivated, &active, &app.config)?], now).await?;
    tx.evict([Stale::Host(host)]);
    tx.commit([Fact::changed(&before, &active.subdomain)]).await?;
    Ok(active)
}

/// Changes the settings of the subdomain. The next request to it follows them on this node; on others, after a moment.
pub(crate) async fn update(app: &App, act: &Act, change: SettingsChange) -> Result<ShownSubdomain, ApiError> {
    let account = act.account;
    let now = app.clock.now();
    let change = settings::check(app, account, change).await?;
    let tx = app.begin(act).await?;
    records::accounts::repo::lock_account(&tx, account).await?;
    let Some(subdomain) = repo::lock_subdomain(&tx, account).await? else { return Err(Code::NotFound.into()) };
    let host = app.config.host_of(&subdomain.label);
    let (settings, fact) = settings::apply(&tx, account, &host, subdomain.claimed_at, now, change).await?;
    tx.evict([Stale::Host(host)]);
    let shown = ShownSubdomain { subdomain, settings: Some(settings) };
    outbox::record(&tx, account, [event(EventKind::SubdomainUpdated, &shown, &app.config)?], now).await?;
    tx.commit(fact).await?;
    Ok(shown)
}

/// Gives the subdomain up with its settings, and answers what it was. Its links stay, but nothing serves them.
pub(crate) async fn release(app: &App, act: &Act) -> Result<subdomain::Model, ApiError> {
    let account = act.account;
    let now = app.clock.now();
    let tx = app.begin(act).await?;
    records::accounts::repo::lock_account(&tx, account).await?;
    let Some(released) = take_from(app, &tx, account, now).await? else { return Err(Code::NotFound.into()) };
    tx.evict([Stale::Host(app.config.host_of(&released.label))]);
    tx.commit([Fact::deleted(&released)]).await?;
    Ok(released)
}

/// Releases the label of an account that goes.
pub(crate) async fn release_account(
    app: &App,
    tx: &Transaction,
    account: AccountId,
    now: UnixMillis,
) -> Result<(), ApiError> {
    take_from(app, tx, account, now).await.map(drop)
}

async fn take_from(
    app: &App,
    tx: &Transaction,
    account: AccountId,
    now: UnixMillis,
) -> Result<Option<subdomain::Model>, ApiError> {
    let Some(before) = repo::lock_subdomain(tx, account).await? else { return Ok(None) };
    let host = app.config.host_of(&before.label);
    let released = shown(app, tx, account, before.clone()).await?;
    hosts::repo::delete(tx, account, &host).await?;
    settings_repo::delete(tx, account, &host).await?;
    if before.activated_at.is_some_and(|activated| now - activated >= SERVED) {
        let quarantined = subdomain::Model {
            account_id: None,
            status: RELEASED.to_owned(),
            released_at: Some(now),
            ..before.clone()
        };
        repo::update(tx, quarantined).await?;
    } else {
        repo::delete(tx, account).await?;
    }
    outbox::record(tx, account, [event(EventKind::SubdomainReleased, &released, &app.config)?], now).await?;
    Ok(Some(before))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fourth_claim_of_a_day_waits_until_the_first_is_a_day_old() {
        let day = |claims: &[UnixMillis]| check_claims(claims, 100 * DAY).err().and_then(|error| error.retry_after);
        let ago = |ago: Millis| 100 * DAY - ago;
        assert_eq!(day(&[]), None);
        assert_eq!(day(&[ago(2), ago(1)]), None);
        assert_eq!(day(&[ago(HOUR), ago(2), ago(1)]), Some(23 * 60 * 60));
        // Whole seconds, and never too early.
        assert_eq!(day(&[ago(HOUR - 1), ago(2), ago(1)]), Some(23 * 60 * 60 + 1));
        assert_eq!(day(&[ago(DAY), ago(2), ago(1)]), Some(1));
        assert_eq!(day(&[ago(3 * HOUR), ago(HOUR), ago(2), ago(1)]), Some(23 * 60 * 60));
    }
}
