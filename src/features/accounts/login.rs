//! Logins: what is checked of an e-mail address and a password, and the token that is answered.

use std::net::IpAddr;

use entity::{account, membership, user};
use sea_orm::ConnectionTrait;
use serde_json::{Value as Json, json};

use crate::{
    app::App,
    base::{
        clock::UnixMillis,
        error::{ApiError, Code, Reason},
        ids::{AccountId, SessionId, UserId},
    },
    features::accounts::{
        password_check::{self, Claimed},
        reset_mail::token_hash,
    },
    platform::work::audit::By,
    records::{
        accounts::{
            proof_repo::{self, Purpose},
            repo,
        },
        memberships,
        second_factors::repo::{Factor, factors},
    },
};

/// A user who has just logged in, with a new token.
#[derive(Debug)]
pub(crate) struct Login {
    pub(crate) token: String,
    /// Seconds until it expires.
    pub(crate) expires_in: i64,
    pub(crate) user: user::Model,
    /// The account that the token is for.
    pub(crate) account_id: AccountId,
    /// The same. `None`: it was not read.
    pub(crate) account: Option<account::Model>,
}

/// Fails with FORBIDDEN where users sign in by the company's identity provider alone.
pub(crate) fn check_has_password_login(app: &App) -> Result<(), ApiError> {
    if app.config.sign_in.has_password_login {
        return Ok(());
    }
    let message = "Here nobody logs in with a password: sign in by the company's identity provider.";
    Err(ApiError::forbidden(Reason::PasswordLoginOff, message))
}

/// Logs in by the token of a link that an operator made, once. Fails with UNAUTHENTICATED when it is unknown, used or expired, and with
/// SECOND_FACTOR_REQUIRED as a login does.
pub(crate) async fn check_link(app: &App, token: &str) -> Result<user::Model, ApiError> {
    let unknown = || ApiError::new(Code::Unauthenticated, "The link is unknown, used or expired.");
    let found = proof_repo::by_token(app.db.read(), Purpose::LogIn, token_hash(token), app.clock.now()).await?;
    let proof = found.ok_or_else(unknown)?;
    let tx = app.begin(By::visitor("createSession")).await?;
    let user = proof_repo::take(&tx, &proof).await?.ok_or_else(unknown)?;
    selected(&tx, &user, None).await?;
    tx.commit(None).await?;
    check_second_factor(app, user).await
}

/// Answers a token for an e-mail address and a password.
pub(crate) async fn login(app: &App, email: &str, password: &str, client: IpAddr) -> Result<Login, ApiError> {
    let user = check_login(app, email, password, client).await?;
    let membership = selected(app.db.read(), &user, None).await?;
    issue_token(app, user, &membership, None, app.clock.now())
}

/// Checks e-mail address and password. An unknown address takes as long as a wrong password. Fails with SECOND_FACTOR_REQUIRED and a
/// challenge when they are right and the user has a second factor.
pub(crate) async fn check_login(
    app: &App,
    email: &str,
    password: &str,
    client: IpAddr,
) -> Result<user::Model, ApiError> {
    check_has_password_login(app)?;
    let email = email.to_lowercase();
    let user = password_check::check(app, &email, client, password, Claimed::ByEmail).await?;
    let user = user.ok_or(Code::InvalidCredentials)?;
    selected(app.db.read(), &user, None).await?;
    check_second_factor(app, user).await
}

/// Fails with SECOND_FACTOR_REQUIRED and a challenge when the user has a second factor.
pub(crate) async fn check_second_factor(app: &App, user: user::Model) -> Result<user::Model, ApiError> {
    match second_step(app, &user).await? {
        Some(step) => Err(ApiError::from(Code::SecondFactorRequired).with_details(step.details())),
        None => Ok(user),
    }
}

/// What the second step of a login needs to know.
pub(crate) struct SecondStep {
    pub(crate) challenge: String,
    factors: Vec<Factor>,
}

impl SecondStep {
    /// The second factors that the user has, as callers see them.
    pub(crate) fn factors(&self) -> Vec<&'static str> {
        self.factors.iter().map(|factor| factor.as_str()).collect()
    }

    fn details(&self) -> Json {
        json!({ "challenge": self.challenge, "factors": self.factors() })
    }
}

/// The second step for a user who has a second factor. `None`: the user has none.
pub(crate) async fn second_step(app: &App, user: &user::Model) -> Result<Option<SecondStep>, ApiError> {
    let factors = factors(app.db.read(), UserId(user.id)).await?;
    if factors.is_empty() {
        return Ok(None);
    }
    Ok(Some(SecondStep { challenge: app.user_tokens.challenge(user, app.clock.now())?, factors }))
}

/// Fails with FORBIDDEN when the account is suspended. Only somebody who has proved to be a user of it is told.
pub(crate) async fn check_not_suspended(db: &impl ConnectionTrait, account: AccountId) -> Result<(), ApiError> {
    let account = repo::account(db, account).await?;
    if account.is_some_and(|account| account.suspended_at.is_some()) { Err(suspended()) } else { Ok(()) }
}

fn suspended() -> ApiError {
    ApiError::forbidden(Reason::AccountSuspended, "This account is suspended.")
}

/// The user's membership in this account; if there is none, in the one that the user chose last, or the first one. Suspended accounts are
/// passed over; fails with FORBIDDEN when all are.
pub(crate) async fn selected(
    db: &impl ConnectionTrait,
    user: &user::Model,
    account: Option<AccountId>,
) -> Result<membership::Model, ApiError> {
    let all = memberships::repo::of_user(db, UserId(user.id)).await?;
    let none = if all.is_empty() { Code::Unauthenticated.into() } else { suspended() };
    let is_suspended = |account: &Option<account::Model>| account.as_ref().is_none_or(|it| it.suspended_at.is_some());
    let usable = all.into_iter().filter(|(_, account)| !is_suspended(account)).map(|(membership, _)| membership);
    let wanted = [account.map(|account| account.0), Some(user.account_id)];
    let rank = |it: &membership::Model| wanted.iter().position(|it_is| *it_is == Some(it.account_id)).unwrap_or(2);
    usable.min_by_key(rank).ok_or(none)
}

/// Issues a token to the member, who proved at `proved_at` to be the user: of a session, or `None`, of a login by itself.
pub(crate) fn issue_token(
    app: &App,
    user: user::Model,
    membership: &membership::Model,
    session: Option<SessionId>,
    proved_at: UnixMillis,
) -> Result<Login, ApiError> {
    let (token, expires_in) = app.user_tokens.issue(&user, membership, session, proved_at, app.clock.now())?;
    Ok(Login { token, expires_in, user, account_id: AccountId(membership.account_id), account: None })
}
