//! Logins: what is checked of an e-mail address and a password, and the token that is answered.

use std::net::IpAddr;

use entity::{account, membership, user};
use sea_orm::ConnectionTrait;
use serde_json::json;

use crate::{
    app::App,
    base::{
        clock::UnixMillis,
        error::{ApiError, Code, Reason},
        ids::{AccountId, SessionId, UserId},
    },
    features::accounts::password_check::{self, Claimed},
    records::{accounts::repo, memberships, second_factors},
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
    let email = email.to_lowercase();
    let user = password_check::check(app, &email, client, password, Claimed::ByEmail).await?;
    let user = user.ok_or(Code::InvalidCredentials)?;
    check_not_suspended(app.db.read(), AccountId(user.account_id)).await?;
    if second_factors::repo::confirmed(app.db.read(), UserId(user.id)).await?.is_some() {
        let challenge = app.user_tokens.challenge(&user, app.clock.now())?;
        return Err(ApiError::from(Code::SecondFactorRequired).with_details(json!({ "challenge": challenge })));
    }
    Ok(user)
}

/// Only somebody who has proved to be a user of the account is told that it is suspended.
pub(crate) async fn check_not_suspended(db: &impl ConnectionTrait, account: AccountId) -> Result<(), ApiError> {
    let account = repo::account(db, account).await?;
    if account.is_some_and(|account| account.suspended_at.is_some()) {
        return Err(ApiError::forbidden(Reason::AccountSuspended, "This account is suspended."));
    }
    Ok(())
}

/// The user's membership in this account; if there is none, in the one that the user chose last, or the first one.
pub(crate) async fn selected(
    db: &impl ConnectionTrait,
    user: &user::Model,
    account: Option<AccountId>,
) -> Result<membership::Model, ApiError> {
    let id = UserId(user.id);
    for account in account.into_iter().chain([AccountId(user.account_id)]) {
        if let Some(membership) = memberships::repo::membership(db, account, id).await? {
            return Ok(membership);
        }
    }
    let first = memberships::repo::of_user(db, id).await?.into_iter().next();
    first.map(|(membership, _)| membership).ok_or_else(|| Code::Unauthenticated.into())
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
