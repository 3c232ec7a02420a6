//! Rules of accounts and logins.

use std::net::IpAddr;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use entity::user;
use sea_orm::{ConnectionTrait, SqlErr};
use sha2::{Digest, Sha256};
use tokio::time::Instant;
use uuid::Uuid;

use crate::{
    accounts::{
        known_networks, mail, owner,
        password_check::{self, Claimed},
        repo,
    },
    api_keys,
    app::App,
    auth::{caller::Call, client::ClientNet, password::Requester},
    billing::{self, usage},
    change::Change,
    clock::{MINUTE, UnixMillis},
    db::{self, Limit, Transaction},
    domains,
    error::{ApiError, Code, Reason, Violations},
    http::rate_limit::Guess,
    ids::{AccountId, LinkId, SessionId, UserId},
    imports, links, random,
    redirect::stale::Stale,
    sessions, subdomains,
    validate::{check_email, check_name, check_password},
    webhooks,
    work::jobs::{Done, Job, TURN},
};

/// How long a reset token works.
const RESET_LIFETIME: i64 = 30 * MINUTE;
/// An id lower than those of all links, after which a deletion begins. Later batches begin after the last deleted link, since PostgreSQL
/// would otherwise read the index entries of all deleted rows again.
const FIRST_LINK: LinkId = LinkId(Uuid::nil());

/// A user who has just logged in, with a new token.
#[derive(Debug)]
pub(crate) struct Login {
    pub(crate) token: String,
    /// Seconds until it expires.
    pub(crate) expires_in: i64,
    pub(crate) user: user::Model,
}

/// The input of a registration.
#[derive(Debug)]
pub(crate) struct Registration {
    pub(crate) email: String,
    pub(crate) password: String,
    pub(crate) name: String,
}

impl Registration {
    /// Fails if a field breaks its rules.
    pub(crate) fn check(&self) -> Result<(), ApiError> {
        let mut violations = Violations::default();
        violations.take("email", check_email(&self.email));
        violations.take("password", check_password(&self.password));
        violations.take("name", check_name(&self.name));
        violations.finish()
    }
}

/// Creates an account with its first user, logs the user in, and stores the client's network as known. Fails with FORBIDDEN while
/// registration is closed and there is a user.
pub(crate) async fn register(app: &App, new: Registration, client: IpAddr) -> Result<Login, ApiError> {
    let is_open = app.config.is_registration_open;
    if !is_open && repo::is_there_a_user(app.db.read()).await? {
        return Err(registration_is_closed());
    }
    new.check()?;
    check_email_is_free(app, &new.email).await?;
    let password_hash = app.passwords.hash(Requester::client(client), &new.password).await?;
    let user = new_user(new, password_hash, app.clock.now());
    let tx = app.begin().await?;
    if !is_open {
        // One of several who register at the same time is the first.
        repo::lock_users(&tx).await?;
        if repo::is_there_a_user(&tx).await? {
            return Err(registration_is_closed());
        }
    }
    let user = store_account(&tx, user).await?;
    tx.commit().await?;
    known_networks::remember(app, UserId(user.id), client, None).await;
    issue_token(app, user, None)
}

/// Fails with CONFLICT when a user has the e-mail address. It may be taken later nevertheless.
async fn check_email_is_free(app: &App, email: &str) -> Result<(), ApiError> {
    match repo::user_by_email(app.db.read(), &email.to_lowercase()).await? {
        Some(_) => Err(email_is_taken()),
        None => Ok(()),
    }
}

/// The first user of a new account; not stored yet.
pub(crate) fn new_user(new: Registration, password_hash: String, now: UnixMillis) -> user::Model {
    user::Model {
        id: UserId::new().0,
        account_id: AccountId::new().0,
        email: new.email.to_lowercase(),
        name: new.name,
        password_hash,
        password_changed_at: now,
        created_at: now,
        updated_at: now,
    }
}

/// Stores a new user and the account of it. Fails with CONFLICT when the e-mail address is taken.
pub(crate) async fn store_account(tx: &Transaction, user: user::Model) -> Result<user::Model, ApiError> {
    repo::insert_account(tx, AccountId(user.account_id), user.created_at).await?;
    repo::insert_user(tx, user).await.map_err(email_taken)
}

/// Answers a token for an e-mail address and a password.
pub(crate) async fn login(app: &App, email: &str, password: &str, client: IpAddr) -> Result<Login, ApiError> {
    issue_token(app, check_login(app, email, password, client).await?, None)
}

/// Checks e-mail address and password. An unknown address takes as long as a wrong password.
pub(crate) async fn check_login(
    app: &App,
    email: &str,
    password: &str,
    client: IpAddr,
) -> Result<user::Model, ApiError> {
    let email = email.to_lowercase();
    let user = password_check::check(app, &email, client, password, Claimed::ByEmail).await?;
    let user = user.ok_or(Code::InvalidCredentials)?;
    check_not_suspended(app.db.read(), AccountId(user.account_id)).await?;
    Ok(user)
}

/// Sends a reset mail if there is such a user. Does the same work, and answers the same, if not.
pub(crate) async fn forgot_password(app: &App, email: &str) -> Result<(), ApiError> {
    let mut violations = Violations::default();
    violations.take("email", check_email(email));
    violations.finish()?;
    let email = email.to_lowercase();
    if app.limits.take_reset_mail(&email).await {
        let tx = app.begin().await?;
        tx.enqueue(&Job::PasswordResetMail { email }, None, app.clock.now()).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// Makes a token and mails it. Runs as a job, which is why the token is made here: it is stored by its hash alone.
pub(crate) async fn send_reset_mail(app: &App, email: &str) -> Result<(), ApiError> {
    let Some(user) = repo::user_by_email(app.db.read(), email).await? else { return Ok(()) };
    if app.redirects.restrictions.is_suspended(AccountId(user.account_id)) {
        return Ok(());
    }
    let random: [u8; 32] = random::bytes().map_err(ApiError::internal)?;
    let token = URL_SAFE_NO_PAD.encode(random);
    let expires_at = app.clock.now() + RESET_LIFETIME;
    repo::insert_reset(app.db.write(), token_hash(&token), UserId(user.id), expires_at).await?;
    app.mailer.send(&mail::password_reset(&app.config, &user, &token)).await
}

/// Sets a new password with a token from a mail, and ends all sessions; on request, it also revokes all API keys of the account.
/// The client's network becomes known, so that wrong passwords from other networks do not slow down the user's next login.
pub(crate) async fn reset_password(
    app: &App,
    token: &str,
    password: &str,
    revoke_api_keys: bool,
    client: IpAddr,
) -> Result<(), ApiError> {
    let mut violations = Violations::default();
    violations.take("password", check_password(password));
    violations.finish()?;
    let no_token = || ApiError::new(Code::Unauthenticated, "The reset token is unknown, used or expired.");
    let token = token_hash(token);
    let account = repo::account_of_reset(app.db.read(), &token, app.clock.now()).await?.ok_or_else(no_token)?;
    check_not_suspended(app.db.read(), account).await?;
    let password_hash = app.passwords.hash(Requester::client(client), password).await?;
    let now = app.clock.now();
    let tx = app.begin().await?;
    if revoke_api_keys {
        // Accounts are locked before users, as everywhere: else two transactions might wait for each other.
        repo::lock_account(&tx, account).await?;
    }
    let mut user = repo::use_reset(&tx, &token, now).await?.ok_or_else(no_token)?;
    check_not_suspended(&tx, AccountId(user.account_id)).await?;
    repo::delete_resets(&tx, UserId(user.id)).await?;
    sessions::repo::delete_all_but(&tx, UserId(user.id), None).await?;
    tx.evict([set_password(&mut user, password_hash, now)]);
    user.updated_at = now;
    let user = repo::update_user(&tx, user).await?;
    if revoke_api_keys {
        api_keys::ops::revoke_all(&tx, AccountId(user.account_id), now).await?;
    }
    tx.commit().await?;
    app.limits.reset_login_failures(Guess::new(&user.email, ClientNet::from(client))).await;
    known_networks::remember(app, UserId(user.id), client, None).await;
    Ok(())
}

/// Sets the password, and returns the revocation of all earlier tokens. The time of the change is always later than that of the
/// change before, even if another node's clock was ahead.
fn set_password(user: &mut user::Model, hash: String, now: UnixMillis) -> Stale {
    user.password_hash = hash;
    user.password_changed_at = after(user.password_changed_at, now);
    Stale::user_tokens(AccountId(user.account_id), UserId(user.id), user.password_changed_at)
}

/// `now`, or the first millisecond after `other` if that is later.
fn after(other: UnixMillis, now: UnixMillis) -> UnixMillis {
    now.max(other + 1)
}

/// The fields of a user that a request changes. `None` as name, address or password: the field stays as it is.
#[derive(Debug, Default)]
pub(crate) struct UserChange {
    pub(crate) name: Option<String>,
    pub(crate) email: Option<String>,
    pub(crate) password: Option<String>,
    /// The password in force.
    pub(crate) current_password: Option<String>,
    /// Whether all API keys of the account are revoked, if the password changes.
    pub(crate) revoke_api_keys: bool,
}

/// The outcome of a change to a user.
#[derive(Debug)]
pub(crate) enum Changed {
    /// The user's tokens stay valid.
    User(user::Model),
    /// The password was changed: all earlier tokens are revoked.
    Password(Login),
}

/// Changes the user. A new address or password needs the password in force: a stolen token is not enough. A new password ends
/// all sessions but the caller's.
pub(crate) async fn update_user(app: &App, call: &Call, change: UserChange) -> Result<Changed, ApiError> {
    let (account, id, session) = (call.account()?, call.user()?, call.session());
    let mut violations = Violations::default();
    change.name.as_deref().map(|name| violations.take("name", check_name(name)));
    change.email.as_deref().map(|email| violations.take("email", check_email(email)));
    change.password.as_deref().map(|password| violations.take("password", check_password(password)));
    violations.finish()?;
    let needs_password = change.email.is_some() || change.password.is_some();
    let verified = if needs_password {
        let user = verified(app, call, &change.current_password.unwrap_or_default()).await?;
        if let Some(email) = change.email.as_deref().filter(|email| email.to_lowercase() != user.email) {
            check_email_is_free(app, email).await?;
        }
        Some(user.password_hash)
    } else {
        None
    };
    // After all that can be refused without it.
    let password_hash = match &change.password {
        Some(password) => Some(app.passwords.hash(Requester::user(id, call.client), password).await?),
        None => None,
    };
    let revoke_api_keys = change.revoke_api_keys && password_hash.is_some();
    let is_password_changed = password_hash.is_some();
    let now = app.clock.now();
    let tx = app.begin().await?;
    if revoke_api_keys {
        repo::lock_account(&tx, account).await?;
    }
    let Some(mut user) = repo::lock_user(&tx, account, id).await? else { return Err(Code::Unauthenticated.into()) };
    if verified.is_some_and(|verified| verified != user.password_hash) {
        // The password was changed after it was verified, for example by a reset.
        return Err(wrong_current_password());
    }
    user.updated_at = now;
    user.name = change.name.unwrap_or(user.name);
    user.email = change.email.map_or(user.email, |email| email.to_lowercase());
    if let Some(password_hash) = password_hash {
        sessions::repo::delete_all_but(&tx, id, session).await?;
        tx.evict([set_password(&mut user, password_hash, now)]);
    }
    if needs_password {
        // Pending password resets are deleted: a mail sent before, or the old mailbox, must not undo the change.
        repo::delete_resets(&tx, id).await?;
    }
    let user = repo::update_user(&tx, user).await.map_err(email_taken)?;
    if revoke_api_keys {
        api_keys::ops::revoke_all(&tx, account, now).await?;
    }
    tx.commit().await?;
    if is_password_changed { Ok(Changed::Password(issue_token(app, user, session)?)) } else { Ok(Changed::User(user)) }
}

/// The user who calls, whose password in force is this one: who changes the user compares its hash again.
async fn verified(app: &App, call: &Call, password: &str) -> Result<user::Model, ApiError> {
    let (account, id) = (call.account()?, call.user()?);
    let email = owner::user(app, account, id).await?.email;
    let user = password_check::check(app, &email, call.client, password, Claimed::User(account, id)).await?;
    user.ok_or_else(wrong_current_password)
}

/// Deletes the user who calls, whose password in force must be this one, and with the last user the account and all that it owns. The first
/// transaction is bounded, but has a longer time limit
/// than other requests: otherwise an account for which it takes long could never be deleted.
pub(crate) async fn delete_user(app: &App, call: &Call, current_password: &str) -> Result<UserId, ApiError> {
    let (account, id) = (call.account()?, call.user()?);
    let verified = verified(app, call, current_password).await?.password_hash;
    db::within(Limit::Each(db::STATEMENT), Box::pin(delete_now(app, account, id, &verified))).await?;
    Ok(id)
}

async fn delete_now(app: &App, account: AccountId, id: UserId, verified: &str) -> Result<(), ApiError> {
    let now = app.clock.now();
    let tx = app.begin().await?;
    repo::lock_account(&tx, account).await?;
    let Some(user) = repo::lock_user(&tx, account, id).await? else { return Err(Code::Unauthenticated.into()) };
    if user.password_hash != verified {
        return Err(wrong_current_password());
    }
    repo::delete_user(&tx, account, id).await?;
    tx.evict([Stale::user_tokens(account, id, after(user.password_changed_at, now))]);
    let last = repo::count_users(&tx, account).await? == 0;
    if last {
        let rest = links::ops::release_some(&tx, account, FIRST_LINK, now).await?;
        // Everything that is visible to others, causes requests, or has a name that another account may use from now on.
        webhooks::ops::release_account(&tx, account, now).await?;
        subdomains::ops::release_account(app, &tx, account, now).await?;
        billing::ops::release_account(&tx, account, now).await?;
        domains::ops::release_account(&tx, account).await?;
        imports::repo::delete_all(&tx, account).await?;
        if rest.is_none() {
            delete_row(&tx, account, now).await?;
        } else {
            repo::set_deleted(&tx, account, now).await?;
            tx.enqueue(&Job::DeleteAccount { account: account.0, after: None }, account, now).await?;
        }
        tx.evict([Stale::Account(account.0)]);
    }
    tx.commit().await?;
    Ok(())
}

/// Deletes the remaining rows of a deleted account, a batch of links in each transaction. Runs as a job, which continues after a crash.
pub(crate) async fn finish_deletion(app: &App, account: AccountId, after: Option<LinkId>) -> Result<Done, ApiError> {
    let (mut done, began) = (after.unwrap_or(FIRST_LINK), Instant::now());
    loop {
        let now = app.clock.now();
        let tx = app.begin().await?;
        // If the lease has ended, another worker may run the job, too: they take turns by this lock.
        if !repo::lock_deleted(&tx, account).await? {
            return Ok(Done::Finished);
        }
        let last = links::ops::release_some(&tx, account, done, now).await?;
        if last.is_none() {
            delete_row(&tx, account, now).await?;
        }
        tx.commit().await?;
        let Some(last) = last else { return Ok(Done::Finished) };
        done = last;
        if began.elapsed() >= TURN {
            return Ok(Done::Next(Job::DeleteAccount { account: account.0, after: Some(last.0) }, now));
        }
    }
}

/// Deletes the row of an account without links, and everything that refers to it.
async fn delete_row(tx: &Change<'_>, account: AccountId, now: UnixMillis) -> Result<(), ApiError> {
    tx.enqueue(&Job::PurgeClicks { links: Vec::new(), account: Some(account.0), from: None }, account, now).await?;
    repo::delete_account(tx, account).await?;
    // After the links, in the order in which ingest locks them: otherwise the two could deadlock.
    usage::repo::delete_account(tx, account).await?;
    Ok(())
}

/// Only somebody who has proved to be a user of the account is told that it is suspended.
pub(crate) async fn check_not_suspended(db: &impl ConnectionTrait, account: AccountId) -> Result<(), ApiError> {
    let account = repo::account(db, account).await?;
    if account.is_some_and(|account| account.suspended_at.is_some()) {
        return Err(ApiError::forbidden(Reason::AccountSuspended, "This account is suspended."));
    }
    Ok(())
}

fn registration_is_closed() -> ApiError {
    ApiError::forbidden(Reason::RegistrationClosed, "Registration is closed.")
}

/// Issues a token to the user: of a session, or `None`, of a login by itself.
pub(crate) fn issue_token(app: &App, user: user::Model, session: Option<SessionId>) -> Result<Login, ApiError> {
    let (token, expires_in) = app.user_tokens.issue(&user, session, app.clock.now())?;
    Ok(Login { token, expires_in, user })
}

fn token_hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}

fn wrong_current_password() -> ApiError {
    ApiError::new(Code::InvalidCredentials, "currentPassword is not the password in force.")
}

fn email_taken(error: sea_orm::DbErr) -> ApiError {
    match error.sql_err() {
        Some(SqlErr::UniqueConstraintViolation(_)) => email_is_taken(),
        _ => error.into(),
    }
}

fn email_is_taken() -> ApiError {
    ApiError::conflict("email", "The e-mail address is taken.")
}
