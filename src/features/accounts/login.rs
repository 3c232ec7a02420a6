//! Logins: what is checked of an e-mail address and a password, and the token that is answered.

use std::net::IpAddr;

use entity::{account, user};
use sea_orm::ConnectionTrait;

use crate::{
    app::App,
    base::{
        error::{ApiError, Code, Reason},
        ids::{AccountId, SessionId},
    },
    features::accounts::password_check::{self, Claimed},
    records::accounts::repo,
};

/// A user who has just logged in, with a new token.
#[derive(Debug)]
pub(crate) struct Login {
    pub(crate) token: String,
    /// Seconds until it expires.
    pub(crate) expires_in: i64,
    pub(crate) user: user::Model,
    /// The user's account. `None`: it was not read.
    pub(crate) account: Option<account::Model>,
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

/// Only somebody who has proved to be a user of the account is told that it is suspended.
pub(crate) async fn check_not_suspended(db: &impl ConnectionTrait, account: AccountId) -> Result<(), ApiError> {
    let account = repo::account(db, account).await?;
    if account.is_some_and(|account| account.suspended_at.is_some()) {
        return Err(ApiError::forbidden(Reason::AccountSuspended, "This account is suspended."));
    }
    Ok(())
}

/// Issues a token to the user: of a session, or `None`, of a login by itself.
pub(crate) fn issue_token(app: &App, user: user::Model, session: Option<SessionId>) -> Result<Login, ApiError> {
    let (token, expires_in) = app.user_tokens.issue(&user, session, app.clock.now())?;
    Ok(Login { token, expires_in, user, account: None })
}
