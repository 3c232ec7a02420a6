//! The check of a password, the same for each operation that needs one: first the limits on failed logins, then the hash, then
//! the effects of success or failure.

use std::net::IpAddr;

use entity::user;
use sea_orm::DbErr;

use crate::{
    app::App,
    base::{
        error::{ApiError, Code},
        ids::{AccountId, UserId},
        validate::check_email,
    },
    features::accounts::{fresh_proof, known_networks, owner},
    platform::{
        auth::{caller::Call, client::ClientNet, password::Requester},
        http::rate_limit::{Guess, Policy, Subject},
    },
    records::accounts::repo,
};

/// The operation by which tries to log in are counted of a client, whichever way it takes.
pub(crate) const LOGIN: &str = "login";

/// The user whose password is checked.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Claimed {
    /// The user with the e-mail address.
    ByEmail,
    /// The user of this account, who has a token already.
    User(AccountId, UserId),
}

impl Claimed {
    /// The requester of the hash. An e-mail address says nothing of who names it.
    fn requester(self, client: IpAddr) -> Requester {
        match self {
            Claimed::ByEmail => Requester::client(client),
            Claimed::User(_, id) => Requester::user(id, client),
        }
    }

    async fn find(self, app: &App, email: &str) -> Result<Option<user::Model>, DbErr> {
        match self {
            // A text that is no address is in no row.
            Claimed::ByEmail if check_email(email).is_err() => Ok(None),
            Claimed::ByEmail => repo::user_by_email(app.db.read(), email).await,
            Claimed::User(account, id) => repo::user(app.db.read(), account, id).await,
        }
    }
}

/// Verifies a password. `None`: it is wrong, or there is no such user, which takes as long in each step. Fails with RATE_LIMITED
/// when the client's network has had too many failures for the e-mail address (in lower case). When other networks have, a
/// network from which the user has never logged in waits for its turn.
pub(crate) async fn check(
    app: &App,
    email: &str,
    client: IpAddr,
    password: &str,
    claimed: Claimed,
) -> Result<Option<user::Model>, ApiError> {
    let guess = Guess::new(email, ClientNet::from(client));
    if let Err(refused) = app.limits.check_login(guess).await {
        // A refused login is no try: else the client's quota would be used up, too, and its shorter wait be told.
        if matches!(claimed, Claimed::ByEmail) {
            app.limits.settle(Policy::Authentication, Subject::of_client(LOGIN, client), -1);
        }
        return Err(refused);
    }
    let requester = claimed.requester(client);
    let mut turn = app.passwords.turn(requester).await?;
    // Others that were hashed while this one waited for its turn may have used up the failures.
    let is_quiet = app.limits.check_login(guess).await?;
    let mut user = claimed.find(app, email).await?;
    let seen_at = known_networks::seen_at(app, user.as_ref().map(id), client).await?;
    let mut prompt = seen_at.is_none();
    if prompt && !is_quiet {
        // A login that waits must not hold a permit to hash a password.
        drop(turn);
        app.limits.wait_for_login(guess).await?;
        prompt = false;
        turn = app.passwords.turn(requester).await?;
        user = claimed.find(app, email).await?;
    }
    let stored = user.as_ref().map(|user| user.password_hash.as_str()).filter(|hash| !hash.is_empty());
    let right = turn.verify(password, stored).await?;
    let Some(user) = user.filter(|_| right) else {
        app.limits.count_login_failure(guess, prompt).await?;
        return Ok(None);
    };
    // Concurrent wrong passwords may have used up the allowed failures meanwhile.
    if !app.limits.check_login(guess).await? && prompt {
        app.limits.wait_for_login(guess).await?;
    }
    app.limits.reset_login_failures(guess).await;
    known_networks::remember_login(app, &user, client, seen_at).await;
    Ok(Some(user))
}

fn id(user: &user::Model) -> UserId {
    UserId(user.id)
}

/// Whether the user can log in with a password: who came by an identity provider has none before a mail sets one.
pub(crate) fn has_password(app: &App, user: &user::Model) -> bool {
    app.config.sign_in.has_password_login && !user.password_hash.is_empty()
}

/// The user who calls, whose password in force is this one: who changes the user compares its hash again. A user without a password needs a
/// fresh proof instead.
pub(crate) async fn verified(app: &App, call: &Call, password: &str) -> Result<user::Model, ApiError> {
    let (account, id) = (call.account()?, call.user()?);
    let user = owner::user(app, account, id).await?;
    if !has_password(app, &user) {
        fresh_proof::check_always(app, call)?;
        return Ok(user);
    }
    let user = check(app, &user.email, call.client, password, Claimed::User(account, id)).await?;
    user.ok_or_else(wrong_current_password)
}

pub(crate) fn wrong_current_password() -> ApiError {
    ApiError::new(Code::InvalidCredentials, "currentPassword is not the password in force.")
}
