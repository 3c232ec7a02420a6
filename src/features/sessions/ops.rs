//! Rules of sessions.

use std::net::IpAddr;

use entity::{session, user};

use super::cookie::Secret;
use crate::{
    app::App,
    base::{
        clock::Millis,
        error::{ApiError, Code},
        ids::{AccountId, SessionId, UserId},
    },
    clicks::texts,
    features,
    platform::work::audit::{Act, By, Fact},
    records::{
        self,
        sessions::{
            renewal::{self, Renewal, renewal},
            repo,
        },
    },
    redirect::stale::Stale,
};

/// Sessions of a user at most: a new one ends the one that was not used for longest.
pub(crate) const MAX_SESSIONS: u64 = 50;

/// A use of a session: the user with a fresh token, and the secret for the cookie.
pub(crate) struct Use {
    pub(crate) login: features::accounts::login::Login,
    /// The secret that the browser stores, and for how long; `None`: it keeps the one that it has.
    pub(crate) secret: Option<(Secret, Option<Millis>)>,
}

/// Begins a session of a user after a login. Fails with INVALID_CREDENTIALS if the password was changed meanwhile.
pub(crate) async fn create(
    app: &App,
    user: user::Model,
    is_persistent: bool,
    client: IpAddr,
    user_agent: &[u8],
) -> Result<Use, ApiError> {
    let now = app.clock.now();
    let secret = Secret::generate()?;
    let agent = app.clicks.agents.read(&texts::user_agent(user_agent));
    let country = app.clicks.geoip.country(client).map(|code| String::from_utf8_lossy(&code).into_owned());
    let session = session::Model {
        id: SessionId::new().0,
        user_id: user.id,
        account_id: None,
        secret_hash: secret.hash(),
        previous_hash: None,
        rotated_at: now,
        previous_until: None,
        is_persistent,
        browser: agent.browser.map(str::to_owned),
        os: agent.os.map(str::to_owned),
        country,
        created_at: now,
        last_seen_at: now,
        proved_at: now,
        expires_at: renewal::expires_at(now, is_persistent, now),
    };
    let (id, max_age) = (SessionId(session.id), max_age(&session, now));
    let (account, owner) = (AccountId(user.account_id), UserId(user.id));
    let tx = app.begin(By::user(owner, "createSession")).await?;
    // If the password was changed since it was checked, all sessions were ended, and this one must not begin.
    let stored = records::accounts::repo::lock_user(&tx, account, owner).await?;
    if stored.is_none_or(|stored| stored.password_changed_at != user.password_changed_at) {
        return Err(Code::InvalidCredentials.into());
    }
    let membership = features::accounts::login::selected(&tx, &user, None).await?;
    let superfluous = repo::all_but_latest(&tx, owner, MAX_SESSIONS - 1).await?;
    if !superfluous.is_empty() {
        repo::delete(&tx, owner, &superfluous).await?;
        tx.evict(superfluous.into_iter().map(|id| Stale::session(account, id, now)));
    }
    let fact = Fact::created(&session);
    repo::insert(&tx, session).await?;
    tx.commit([fact]).await?;
    Ok(Use {
        login: features::accounts::login::issue_token(app, user, &membership, Some(id), now)?,
        secret: Some((secret, max_age)),
    })
}

/// Makes a user token for the session with this secret. Fails with UNAUTHENTICATED when there is none, and with FORBIDDEN when
/// all accounts of the user are suspended.
pub(crate) async fn refresh(app: &App, secret: &Secret) -> Result<Use, ApiError> {
    let over = || ApiError::new(Code::Unauthenticated, "There is no session, or it has ended.");
    let now = app.clock.now();
    let session = repo::by_secret(app.db.read(), secret.hash()).await?.ok_or_else(over)?;
    let is_newest = secret.is(&session.secret_hash);
    let outcome = renewal(&session, is_newest, now);
    if outcome == Renewal::Refused {
        return Err(over());
    }
    let id = SessionId(session.id);
    let user = records::accounts::repo::user_by_id(app.db.read(), UserId(session.user_id)).await?.ok_or_else(over)?;
    let account = session.account_id.map(AccountId);
    let membership = features::accounts::login::selected(app.db.read(), &user, account).await?;
    let proved_at = session.proved_at;
    let secret = match renew(app, session, is_newest, outcome).await {
        Ok(secret) => secret,
        Err(error) => {
            // The session stays valid: a database that takes no changes ends none.
            tracing::warn!(code = error.code.as_str(), "The use of a session could not be noted");
            None
        }
    };
    Ok(Use { login: features::accounts::login::issue_token(app, user, &membership, Some(id), proved_at)?, secret })
}

/// Stores what a use changes. Answers the new secret, if there is one.
async fn renew(
    app: &App,
    read: session::Model,
    is_newest: bool,
    outcome: Renewal,
) -> Result<Option<(Secret, Option<Millis>)>, ApiError> {
    let (now, mut session) = (app.clock.now(), read.clone());
    let mut secret = None;
    match outcome {
        Renewal::Refused | Renewal::Unchanged => return Ok(None),
        Renewal::Noted { is_confirmed: false } => {}
        Renewal::Noted { is_confirmed: true } => session.previous_until = Some(renewal::previous_until(now)),
        Renewal::Rotated => {
            let new = Secret::generate()?;
            if is_newest {
                session.previous_hash = Some(session.secret_hash);
            }
            session.secret_hash = new.hash();
            session.previous_until = None;
            session.rotated_at = now;
            secret = Some(new);
        }
    }
    session.last_seen_at = now;
    session.expires_at = renewal::expires_at(session.created_at, session.is_persistent, now);
    let max_age = max_age(&session, now);
    let tx = app.begin(By::user(UserId(read.user_id), "refreshSession")).await?;
    let is_stored = repo::update(&tx, session, &read).await?;
    tx.commit(None).await?;
    // Otherwise a concurrent request was first: its response has a new secret, or the next use creates one.
    Ok(secret.filter(|_| is_stored).map(|secret| (secret, max_age)))
}

/// How long the browser keeps the cookie. `None`: until it is closed.
fn max_age(session: &session::Model, now: i64) -> Option<Millis> {
    session.is_persistent.then_some(session.expires_at - now)
}

/// Ends the session with this secret, if there is one.
pub(crate) async fn end_by_secret(app: &App, secret: &Secret) -> Result<(), ApiError> {
    let Some(session) = repo::by_secret(app.db.read(), secret.hash()).await? else { return Ok(()) };
    let Some(user) = records::accounts::repo::user_by_id(app.db.read(), UserId(session.user_id)).await? else {
        return Ok(());
    };
    let (account, user) = (AccountId(user.account_id), UserId(user.id));
    end_all(app, By::user(user, "endSession"), account, user, &[SessionId(session.id)]).await.map(drop)
}

/// The user's sessions, the one used last first.
pub(crate) async fn list(app: &App, user: UserId) -> Result<Vec<session::Model>, ApiError> {
    Ok(repo::of_user(app.db.read(), user, app.clock.now(), MAX_SESSIONS).await?)
}

/// Ends a session of the user. Fails with NOT_FOUND when there is none with this id.
pub(crate) async fn end(app: &App, act: &Act, id: SessionId) -> Result<(), ApiError> {
    match end_all(app, act, act.account, act.call.user()?, &[id]).await? {
        0 => Err(Code::NotFound.into()),
        _ => Ok(()),
    }
}

/// Ends the user's sessions but for that of the call. Answers how many.
pub(crate) async fn end_others(app: &App, act: &Act) -> Result<u64, ApiError> {
    let user = act.call.user()?;
    let others = repo::all_but(app.db.read(), user, act.call.session()).await?;
    if others.is_empty() { Ok(0) } else { end_all(app, act, act.account, user, &others).await }
}

async fn end_all(
    app: &App,
    by: impl Into<By>,
    account: AccountId,
    user: UserId,
    ids: &[SessionId],
) -> Result<u64, ApiError> {
    let now = app.clock.now();
    let tx = app.begin(by).await?;
    let ended = repo::delete(&tx, user, ids).await?;
    if ended > 0 {
        tx.evict(ids.iter().map(|id| Stale::session(account, *id, now)));
    }
    tx.commit(ids.iter().filter(|_| ended > 0).map(|id| Fact::gone::<session::Model>(&id.0))).await?;
    Ok(ended)
}
