//! Rules of publishable keys.

use std::collections::BTreeSet;

use entity::publishable_key;

use crate::{
    app::{App, change::Pending},
    base::{
        error::{ApiError, Code, Violations},
        ids::AccountId,
        page::{PageArgs, Selected},
        random,
        validate::check_name,
        version::{self, Expected},
    },
    features::{
        accounts::change,
        links::checks::{stored_host, usable},
    },
    platform::{
        auth::api_key::base62,
        work::audit::{Act, Fact},
    },
    records::apps::{PublishableKeyId, key_repo as repo},
};

/// Keys that an account may have.
const MAX_KEYS: i64 = 20;
/// Hosts of a key.
pub(crate) const MAX_HOSTS: i32 = 20;
/// The text in front of publishable keys, by which they are told from secret ones.
const PREFIX: &str = "lgp_";
/// Random bytes of a key, and the digits that they have in base 62: two keys that are alike, or one that is guessed, need luck of 1 in 2^128.
const RANDOM: (usize, usize) = (16, 22);

/// One page of keys, newest first, and their number on all pages; each only if selected.
pub(crate) async fn list(
    app: &App,
    account: AccountId,
    page: PageArgs,
    selected: Selected,
) -> Result<(Vec<publishable_key::Model>, i64), ApiError> {
    let db = app.db.read();
    let keys = if selected.items { repo::page(db, account, page).await? } else { Vec::new() };
    let total = if selected.total { repo::count(db, account).await? } else { 0 };
    Ok((keys, total))
}

pub(crate) async fn key(
    app: &App,
    account: AccountId,
    id: PublishableKeyId,
) -> Result<publishable_key::Model, ApiError> {
    repo::key(app.db.read(), account, id).await?.ok_or_else(|| Code::NotFound.into())
}

pub(crate) async fn create<'a>(
    app: &'a App,
    act: &Act,
    name: &str,
    hosts: &[String],
) -> Result<Pending<'a, publishable_key::Model>, ApiError> {
    let account = act.account;
    let hosts = checked(app, account, Some(name), Some(hosts)).await?.unwrap_or_default();
    let random: [u8; RANDOM.0] = random::bytes().map_err(ApiError::internal)?;
    let now = app.clock.now();
    let key = publishable_key::Model {
        id: PublishableKeyId::new().0,
        account_id: account.0,
        name: name.to_owned(),
        key: format!("{PREFIX}{}", base62(&random, RANDOM.1)),
        hosts,
        created_at: now,
        updated_at: now,
    };
    let tx = change::begin(app, act).await?;
    let count = repo::count(&*tx, account).await?;
    if count >= MAX_KEYS {
        return Err(ApiError::plan_limit(MAX_KEYS, count, "publishableKeys"));
    }
    repo::insert(&*tx, key.clone()).await?;
    let fact = Fact::created(&key);
    Ok(tx.with(key, [fact]))
}

/// Changes name and hosts of a key; apps that have it go on with it.
pub(crate) async fn update(
    app: &App,
    act: &Act,
    id: PublishableKeyId,
    name: Option<String>,
    hosts: Option<Vec<String>>,
    expected: &Expected,
) -> Result<publishable_key::Model, ApiError> {
    let account = act.account;
    let hosts = checked(app, account, name.as_deref(), hosts.as_deref()).await?;
    let tx = change::begin(app, act).await?;
    let Some(before) = repo::key(&*tx, account, id).await? else { return Err(Code::NotFound.into()) };
    expected.check(before.updated_at)?;
    let key = publishable_key::Model {
        name: name.unwrap_or_else(|| before.name.clone()),
        hosts: hosts.unwrap_or_else(|| before.hosts.clone()),
        updated_at: version::next(before.updated_at, app.clock.now()),
        ..before.clone()
    };
    repo::update(&*tx, key.clone()).await?;
    tx.commit([Fact::changed(&before, &key)]).await?;
    Ok(key)
}

/// Deletes a key: apps that have it are told nothing any more.
pub(crate) async fn delete(app: &App, act: &Act, id: PublishableKeyId) -> Result<(), ApiError> {
    let account = act.account;
    let tx = change::begin(app, act).await?;
    let Some(key) = repo::key(&*tx, account, id).await? else { return Err(Code::NotFound.into()) };
    repo::delete(&*tx, account, id).await?;
    Ok(tx.commit([Fact::deleted(&key)]).await?)
}

/// Checks name and hosts, and returns the hosts as they are stored.
async fn checked(
    app: &App,
    account: AccountId,
    name: Option<&str>,
    hosts: Option<&[String]>,
) -> Result<Option<String>, ApiError> {
    let mut violations = Violations::default();
    if let Some(name) = name {
        violations.take("name", check_name(name));
    }
    let mut stored = BTreeSet::new();
    if let Some(hosts) = hosts {
        let usable = usable(app, account, hosts.iter().map(String::as_str)).await?;
        for (place, host) in hosts.iter().enumerate() {
            match stored_host(app, host).filter(|host| host.is_empty() || usable.contains(host)) {
                Some(host) => {
                    stored.insert(host);
                }
                None => violations.add(format!("hosts.{place}"), "must be a host of the account's links"),
            }
        }
    }
    violations.finish()?;
    Ok(hosts.map(|_| stored.into_iter().collect::<Vec<_>>().join(",")))
}
