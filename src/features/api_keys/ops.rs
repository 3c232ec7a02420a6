//! Rules of API keys.

use std::{collections::BTreeSet, net::IpAddr};

use entity::{account, api_key};
use sea_orm::ConnectionTrait;

use crate::{
    app::{App, change::Pending},
    base::{
        clock::{MINUTE, UnixMillis},
        error::{ApiError, Code, Reason, Violations},
        ids::{AccountId, ApiKeyId, UserId},
        page::{PageArgs, Selected},
        validate::check_name,
    },
    features::{
        self,
        accounts::notice::{Notice, notify},
        api_keys::{event::event, revocation::revocation_of},
    },
    platform::{
        auth::{
            api_key::{KeyHash, generate},
            caller::{Call, Caller},
            live_key::LiveKey,
            role::Role,
            scope::{Scope, Scopes},
        },
        db::{Db, Transaction, filled_up},
        work::{
            audit::{Act, Fact},
            event_kind::EventKind,
            outbox,
        },
    },
    records::{
        self,
        api_keys::{networks::Networks, repo},
    },
    redirect::stale::Stale,
};

/// Finds a live key. Each request reads it from the database, so that a revoked key is refused at once, on every node. `None`:
/// the key is unknown, revoked or expired, or its account is suspended. Fails with FORBIDDEN when it may not be used from the client's address.
pub(crate) async fn authenticate(app: &App, hash: &KeyHash, client: IpAddr) -> Result<Option<LiveKey>, ApiError> {
    let db = app.db.clone();
    let found = app.presented_keys.ask(hash.clone(), move |hashes| find_keys(db.clone(), hashes)).await?;
    let Some((key, account)) = found else { return Ok(None) };
    let now = app.clock.now();
    let live =
        hash.matches(&key.hash) && key.revoked_at.is_none() && key.expires_at.is_none_or(|expires_at| now < expires_at);
    if !live || account.suspended_at.is_some() {
        return Ok(None);
    }
    if !Networks::from_stored(key.allowed_networks.as_deref()).contain(client) {
        return Err(ApiError::forbidden(Reason::NetworkNotAllowed, "The API key may not be used from this address."));
    }
    let mut scopes = Scopes::from_stored(&key.scopes);
    if key.is_personal {
        // A user's own key may do no more than the user.
        let (account, user) = (AccountId(key.account_id), UserId(key.user_id));
        let Some(membership) = records::memberships::repo::membership(app.db.read(), account, user).await? else {
            return Ok(None);
        };
        scopes = scopes.and(Role::from_stored(&membership.role).scopes());
    }
    let live = LiveKey {
        id: ApiKeyId(key.id),
        account: AccountId(key.account_id),
        user: UserId(key.user_id),
        is_personal: key.is_personal,
        scopes,
        plan: records::accounts::repo::plan_of(&account, app.config.default_plan, now),
        expires_at: key.expires_at,
    };
    if key.last_used_at.is_none_or(|used_at| used_at <= now - MINUTE) {
        note_use(app, live, now);
    }
    Ok(Some(live))
}

async fn find_keys(db: Db, hashes: Vec<KeyHash>) -> Result<Vec<Option<(api_key::Model, account::Model)>>, ApiError> {
    let wanted: BTreeSet<&[u8]> = hashes.iter().map(KeyHash::as_bytes).collect();
    let found = repo::by_hashes(db.read(), filled_up(Vec::from_iter(wanted))).await?;
    let of = |hash: &KeyHash| {
        let (key, account) = found.iter().find(|(key, _)| key.hash == hash.as_bytes())?;
        Some((key.clone(), account.clone()?))
    };
    Ok(hashes.iter().map(of).collect())
}

/// Stores the time of use in the background: a request that only reads does not wait for the writer.
fn note_use(app: &App, key: LiveKey, now: UnixMillis) {
    let db = app.db.clone();
    app.background.spawn(async move {
        if let Err(error) = repo::touch(db.write(), key.account, key.id, now).await {
            tracing::warn!(%error, "The last use of an API key could not be noted");
        }
    });
}

/// A key to create.
#[derive(Debug)]
pub(crate) struct NewApiKey {
    pub(crate) name: String,
    /// Scopes, as written.
    pub(crate) scopes: Vec<String>,
    pub(crate) expires_at: Option<UnixMillis>,
    /// Whether it is the user's own. `None`: as the user's role has it.
    pub(crate) is_personal: Option<bool>,
    /// Networks, as written; none: everywhere.
    pub(crate) allowed_networks: Vec<String>,
}

/// The user whose keys alone the caller sees: a member who does not manage the account's members, and a user's own key, see that user's own keys alone.
/// `None`: all.
fn seen_by(call: &Call) -> Result<Option<UserId>, ApiError> {
    match &call.caller {
        Caller::User(_) if !call.caller.has(Scope::MembersManage) => Ok(Some(call.user()?)),
        Caller::ApiKey(key) if key.is_personal => Ok(Some(key.user)),
        _ => Ok(None),
    }
}

/// Creates a key with at most the scopes that the caller has; answers it with its text, which is not stored.
pub(crate) async fn create<'a>(
    app: &'a App,
    act: &Act,
    new: NewApiKey,
) -> Result<Pending<'a, (api_key::Model, String)>, ApiError> {
    let call = &act.call;
    let (account, user) = (call.account()?, call.user()?);
    features::accounts::fresh_proof::check(app, call).await?;
    let mut violations = Violations::default();
    violations.take("name", check_name(&new.name));
    let mut scopes = Vec::new();
    for (index, text) in new.scopes.iter().enumerate() {
        match Scope::parse(text) {
            Some(scope) => scopes.push(scope),
            None => violations.add(format!("scopes.{index}"), "is not a scope"),
        }
    }
    let mut networks = Networks::default();
    for (index, text) in new.allowed_networks.iter().enumerate() {
        if let Err(reason) = networks.add(text) {
            violations.add(format!("allowedNetworks.{index}"), reason);
        }
    }
    violations.finish()?;
    let scopes: Scopes = scopes.into_iter().collect();
    if let Some(missing) = scopes.beyond(call.caller.scopes()).iter().next() {
        return Err(missing.missing());
    }
    let is_own_alone = seen_by(call)?.is_some();
    if is_own_alone && new.is_personal == Some(false) {
        return Err(Scope::MembersManage.missing());
    }
    let now = app.clock.now();
    let generated = generate()?;
    let key = api_key::Model {
        id: ApiKeyId::new().0,
        account_id: account.0,
        user_id: user.0,
        is_personal: new.is_personal.unwrap_or(is_own_alone),
        name: new.name,
        prefix: generated.prefix,
        hash: generated.hash.as_bytes().to_vec(),
        scopes: scopes.to_string(),
        created_at: now,
        last_used_at: None,
        expires_at: new.expires_at,
        revoked_at: None,
        allowed_networks: networks.stored(),
    };
    let tx = app.begin_once(act).await?;
    let Some(owner) = records::accounts::repo::lock_account(&tx, account).await? else {
        return Err(Code::Unauthenticated.into());
    };
    check_again(&tx, &call.caller, &networks).await?;
    let max = records::accounts::repo::plan_of(&owner, app.config.default_plan, now).max_api_keys();
    let used = i64::try_from(repo::count_live(&tx, account, now).await?).unwrap_or(i64::MAX);
    if used >= max {
        return Err(ApiError::plan_limit(max, used, "apiKeys"));
    }
    let key = repo::insert(&tx, key).await?;
    if let Some(user) = records::accounts::repo::user(&tx, account, user).await? {
        notify(&tx, &user, Notice::ApiKeyCreated { prefix: key.prefix.clone() }, now).await?;
    }
    outbox::record(&tx, account, [event(EventKind::ApiKeyCreated, &key)?], now).await?;
    let fact = Fact::created(&key);
    Ok(tx.with((key, generated.text), [fact]))
}

/// Checks, after the account is locked, that the credential has not ended since the call began: a key that is created must not
/// outlive a revocation of all keys. A key creates keys for its own networks alone.
async fn check_again(tx: &Transaction, caller: &Caller, networks: &Networks) -> Result<(), ApiError> {
    match caller {
        Caller::Anonymous | Caller::Refused => Err(Code::Unauthenticated.into()),
        Caller::User(subject) => features::accounts::owner::check_token(tx, subject).await,
        Caller::ApiKey(key) => match repo::key(tx, key.account, key.id).await? {
            Some(stored) if stored.revoked_at.is_none() => {
                if Networks::from_stored(stored.allowed_networks.as_deref()).cover(networks) {
                    return Ok(());
                }
                let message = "The API key creates keys for its own networks alone.";
                Err(ApiError::forbidden(Reason::NetworkNotAllowed, message))
            }
            _ => Err(Code::Unauthenticated.into()),
        },
    }
}

/// One page of keys, and their number; each only if selected.
pub(crate) async fn list(
    app: &App,
    call: &Call,
    page: PageArgs,
    selected: Selected,
) -> Result<(Vec<api_key::Model>, i64), ApiError> {
    let (db, account, user) = (app.db.read(), call.account()?, seen_by(call)?);
    let keys = if selected.items { repo::page(db, account, user, page).await? } else { Vec::new() };
    let total = if selected.total { repo::count(db, account, user).await? } else { 0 };
    Ok((keys, i64::try_from(total).unwrap_or(i64::MAX)))
}

pub(crate) async fn key(app: &App, call: &Call, id: ApiKeyId) -> Result<api_key::Model, ApiError> {
    visible(app.db.read(), call, id).await
}

/// The key, if the caller sees it.
async fn visible(db: &impl ConnectionTrait, call: &Call, id: ApiKeyId) -> Result<api_key::Model, ApiError> {
    let (key, user) = (repo::key(db, call.account()?, id).await?, seen_by(call)?);
    let is_seen = |key: &api_key::Model| user.is_none_or(|user| key.is_personal && key.user_id == user.0);
    key.filter(is_seen).ok_or_else(|| Code::NotFound.into())
}

/// Revokes a key. Revoking a revoked one changes nothing and succeeds.
pub(crate) async fn revoke(app: &App, act: &Act, id: ApiKeyId) -> Result<(), ApiError> {
    let account = act.account;
    let now = app.clock.now();
    let tx = app.begin(act).await?;
    visible(&tx, &act.call, id).await?;
    let revoked = repo::revoke(&tx, account, id, now).await?;
    let Some(key) = repo::key(&tx, account, id).await? else { return Err(Code::NotFound.into()) };
    if revoked {
        outbox::record(&tx, account, [event(EventKind::ApiKeyRevoked, &key)?], now).await?;
        tx.evict([Stale::Credentials(account.0)]);
    }
    tx.commit(revoked.then(|| revocation_of(&key))).await?;
    Ok(())
}
