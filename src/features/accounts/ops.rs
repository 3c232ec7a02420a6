//! Rules of users: their passwords and what they change of themselves.

use std::net::IpAddr;

use entity::{account, user};

use crate::{
    app::App,
    base::{
        clock::UnixMillis,
        error::{ApiError, Code, Violations},
        ids::{AccountId, UserId},
        validate::{check_email, check_name, check_password},
        version::{self, Expected},
    },
    features::{
        accounts::{
            fresh_proof, known_networks,
            login::{Login, check_has_password_login, issue_token, selected},
            notice::{Notice, notify},
            password_check::{verified, wrong_current_password},
            proof_mail::VerificationMail,
            registration::check_email_is_free,
            reset_mail::{PasswordResetMail, token_hash},
        },
        api_keys::revocation::revoke_all_of,
    },
    platform::{
        auth::{client::ClientNet, password::Requester},
        http::rate_limit::Guess,
        work::{
            audit::{Act, By, Fact},
            jobs::Job,
        },
    },
    records::{
        accounts::{proof_repo, repo},
        sessions,
    },
    redirect::stale::Stale,
};

/// Sends a reset mail if there is such a user. Does the same work, and answers the same, if not.
pub(crate) async fn forgot_password(app: &App, email: &str) -> Result<(), ApiError> {
    check_has_password_login(app)?;
    let mut violations = Violations::default();
    violations.take("email", check_email(email));
    violations.finish()?;
    let email = email.to_lowercase();
    if app.limits.takes_mail(&email).await {
        let tx = app.begin(By::visitor("forgotPassword")).await?;
        tx.enqueue(PasswordResetMail { email }.stored()?, None, app.clock.now()).await?;
        tx.commit(None).await?;
    }
    Ok(())
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
    check_has_password_login(app)?;
    let mut violations = Violations::default();
    violations.take("password", check_password(password));
    violations.finish()?;
    let no_token = || ApiError::new(Code::Unauthenticated, "The reset token is unknown, used or expired.");
    let token = token_hash(token);
    let user = repo::user_of_reset(app.db.read(), &token, app.clock.now()).await?.ok_or_else(no_token)?;
    let account = AccountId(selected(app.db.read(), &user, None).await?.account_id);
    let password_hash = app.passwords.hash(Requester::client(client), password).await?;
    let now = app.clock.now();
    let tx = app.begin(By::visitor("resetPassword")).await?;
    if revoke_api_keys {
        // Accounts are locked before users, as everywhere: else two transactions might wait for each other.
        repo::lock_account(&tx, account).await?;
    }
    let mut user = repo::use_reset(&tx, &token, now).await?.ok_or_else(no_token)?;
    let membership = selected(&tx, &user, Some(account)).await?;
    repo::delete_resets(&tx, UserId(user.id)).await?;
    sessions::repo::delete_all_but(&tx, UserId(user.id), None).await?;
    let before = user.clone();
    tx.evict([set_password(&mut user, password_hash, now)]);
    user.updated_at = version::next(user.updated_at, now);
    let user = repo::update_user(&tx, user).await?;
    notify(&tx, &user, Notice::PasswordChanged, now).await?;
    let mut facts = vec![Fact::changed(&before, &user)];
    if revoke_api_keys {
        facts.extend(revoke_all_of(&tx, &membership, now).await?);
    }
    tx.commit(facts).await?;
    app.limits.reset_login_failures(Guess::new(&user.email, ClientNet::from(client))).await;
    known_networks::remember(app, UserId(user.id), client, None).await;
    Ok(())
}

/// Sets the password, and returns the revocation of all earlier tokens. The time of the change is always later than that of the
/// change before, even if another node's clock was ahead.
pub(super) fn set_password(user: &mut user::Model, hash: String, now: UnixMillis) -> Stale {
    user.password_hash = hash;
    user.password_changed_at = version::next(user.password_changed_at, now);
    Stale::user_tokens(AccountId(user.account_id), UserId(user.id), user.password_changed_at)
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
    /// The version that it is made from.
    pub(crate) expected: Expected,
}

/// The outcome of a change to a user.
#[derive(Debug)]
pub(crate) enum Changed {
    /// The user's tokens stay valid. With the account.
    User(user::Model, AccountId, Option<account::Model>),
    /// The password was changed: all earlier tokens are revoked.
    Password(Login),
}

/// Changes the user. A new address or password needs the password in force: a stolen token is not enough. A new address waits until it is
/// proved; that in force drops one that waits. A new password ends all sessions but the caller's.
pub(crate) async fn update_user(app: &App, act: &Act, change: UserChange) -> Result<Changed, ApiError> {
    let call = &act.call;
    let (account, id, session) = (call.account()?, call.user()?, call.session());
    if change.password.is_some() {
        check_has_password_login(app)?;
    }
    let mut violations = Violations::default();
    change.name.as_deref().map(|name| violations.take("name", check_name(name)));
    change.email.as_deref().map(|email| violations.take("email", check_email(email)));
    change.password.as_deref().map(|password| violations.take("password", check_password(password)));
    violations.finish()?;
    let needs_password = change.email.is_some() || change.password.is_some();
    let email = change.email.map(|email| email.to_lowercase());
    let verified = if needs_password {
        fresh_proof::check(app, call).await?;
        let user = verified(app, call, &change.current_password.unwrap_or_default()).await?;
        if let Some(email) = email.as_deref().filter(|email| *email != user.email) {
            check_email_is_free(app, email).await?;
            app.limits.take_mail(email).await?;
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
    let tx = app.begin(act).await?;
    if revoke_api_keys {
        repo::lock_account(&tx, account).await?;
    }
    let Some(mut user) = repo::lock_user(&tx, account, id).await? else { return Err(Code::Unauthenticated.into()) };
    if verified.is_some_and(|verified| verified != user.password_hash) {
        // The password was changed after it was verified, for example by a reset.
        return Err(wrong_current_password());
    }
    change.expected.check(user.updated_at)?;
    let before = user.clone();
    user.updated_at = version::next(user.updated_at, now);
    user.name = change.name.unwrap_or(user.name);
    if let Some(email) = email {
        user.pending_email = Some(email).filter(|email| *email != user.email);
        proof_repo::delete_verifications(&tx, id).await?;
        if user.pending_email.is_some() {
            tx.enqueue(VerificationMail { user: id.0 }.stored()?, account, now).await?;
        }
    }
    if let Some(password_hash) = password_hash {
        sessions::repo::delete_all_but(&tx, id, session).await?;
        tx.evict([set_password(&mut user, password_hash, now)]);
    }
    if needs_password {
        // Pending password resets are deleted: a mail sent before, or the old mailbox, must not undo the change.
        repo::delete_resets(&tx, id).await?;
    }
    let user = repo::update_user(&tx, user).await?;
    if is_password_changed {
        notify(&tx, &user, Notice::PasswordChanged, now).await?;
    }
    let mut facts = vec![Fact::changed(&before, &user)];
    if revoke_api_keys {
        facts.extend(revoke_all_of(&tx, &selected(&tx, &user, Some(account)).await?, now).await?);
    }
    // Before the commit: an answer that lacks it later would deny what was done.
    let membership = selected(&tx, &user, Some(account)).await?;
    let account = repo::account(&tx, account).await?;
    tx.commit(facts).await?;
    if is_password_changed {
        Ok(Changed::Password(Login {
            account,
            ..issue_token(app, user, &membership, session, call.proved_at().unwrap_or_default())?
        }))
    } else {
        Ok(Changed::User(user, AccountId(membership.account_id), account))
    }
}
