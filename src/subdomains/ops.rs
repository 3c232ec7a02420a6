//! Rules of subdomains.

use entity::subdomain;
use uuid::Uuid;

use crate::{
    accounts,
    app::App,
    clock::{DAY, Millis},
    config::Config,
    db::Transaction,
    error::{ApiError, Code},
    events::EventKind,
    hosts,
    ids::AccountId,
    outbox,
    redirect::invalidation::{self, Stale},
    subdomains::{event::event, repo, reserved::is_reserved, state::SubdomainStatus},
    text::check_subdomain,
};

/// How long nobody can claim a label that was released.
const QUARANTINE: Millis = 30 * DAY;
/// The status of a released label, which the API does not show.
const RELEASED: &str = "RELEASED";

/// The host of a subdomain.
pub fn host(label: &str, config: &Config) -> String {
    format!("{label}.{}", config.subdomain_host)
}

/// The account's subdomain.
pub async fn subdomain(app: &App, account: AccountId) -> Result<subdomain::Model, ApiError> {
    repo::subdomain(app.db.read(), account).await?.ok_or_else(|| Code::NotFound.into())
}

/// Claims a label.
pub async fn claim(app: &App, account: AccountId, text: &str) -> Result<subdomain::Model, ApiError> {
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
    let tx = app.db.begin().await?;
    if accounts::repo::lock_account(&tx, account).await?.is_none() {
        return Err(Code::Unauthenticated.into());
    }
    if repo::subdomain(&tx, account).await?.is_some() {
        return Err(ApiError::conflict("subdomain", "The account has a subdomain already."));
    }
    repo::delete_released(&tx, &claim.label, now - QUARANTINE).await?;
    if !repo::insert(&tx, claim.clone()).await? {
        return Err(taken());
    }
    outbox::record(&tx, account, [event(EventKind::SubdomainClaimed, &claim, &app.config)?], now).await?;
    tx.commit().await?;
    Ok(claim)
}

fn taken() -> ApiError {
    ApiError::conflict("subdomain", "The subdomain is taken.")
}

/// Serves links on the subdomain from now on. Activating an active one changes nothing.
pub async fn activate(app: &App, account: AccountId) -> Result<subdomain::Model, ApiError> {
    let now = app.clock.now();
    let tx = app.db.begin().await?;
    accounts::repo::lock_account(&tx, account).await?;
    let Some(before) = repo::lock_subdomain(&tx, account).await? else { return Err(Code::NotFound.into()) };
    if before.status == SubdomainStatus::Active.as_str() {
        return Ok(before);
    }
    let host = host(&before.label, &app.config);
    if !hosts::repo::insert(&tx, account, &host).await? {
        return Err(taken());
    }
    let active =
        subdomain::Model { status: SubdomainStatus::Active.as_str().to_owned(), activated_at: Some(now), ..before };
    let active = repo::update(&tx, active).await?;
    outbox::record(&tx, account, [event(EventKind::SubdomainActivated, &active, &app.config)?], now).await?;
    invalidation::commit(app, tx, &[Stale::Host(host)]).await?;
    Ok(active)
}

/// Gives the subdomain up, and answers what it was. Its links stay, but nothing serves them.
pub async fn release(app: &App, account: AccountId) -> Result<subdomain::Model, ApiError> {
    let now = app.clock.now();
    let tx = app.db.begin().await?;
    accounts::repo::lock_account(&tx, account).await?;
    let Some(released) = take_from(app, &tx, account, now).await? else { return Err(Code::NotFound.into()) };
    invalidation::commit(app, tx, &[Stale::Host(host(&released.label, &app.config))]).await?;
    Ok(released)
}

/// Sees to it that the label of an account that goes is free again only after its time.
pub async fn forget_account(app: &App, tx: &Transaction, account: AccountId, now: Millis) -> Result<(), ApiError> {
    take_from(app, tx, account, now).await.map(drop)
}

async fn take_from(
    app: &App,
    tx: &Transaction,
    account: AccountId,
    now: Millis,
) -> Result<Option<subdomain::Model>, ApiError> {
    let Some(before) = repo::lock_subdomain(tx, account).await? else { return Ok(None) };
    hosts::repo::delete(tx, account, &host(&before.label, &app.config)).await?;
    let released =
        subdomain::Model { account_id: None, status: RELEASED.to_owned(), released_at: Some(now), ..before.clone() };
    repo::update(tx, released).await?;
    outbox::record(tx, account, [event(EventKind::SubdomainReleased, &before, &app.config)?], now).await?;
    Ok(Some(before))
}
