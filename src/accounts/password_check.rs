//! The one way in which a password is checked: bounds first, then the hash, and then what both outcomes leave behind.

use std::net::IpAddr;

use entity::user;
use sea_orm::DbErr;

use crate::{
    accounts::{known_networks, repo},
    app::App,
    auth::client::ClientNet,
    error::ApiError,
    http::rate_limit::Guess,
    ids::{AccountId, UserId},
    validate::check_email,
};

/// The user whose password is checked.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Claimed {
    /// The user with the e-mail address.
    ByEmail,
    /// The user of this account, who has a token already.
    User(AccountId, UserId),
}

impl Claimed {
    async fn find(self, app: &App, email: &str) -> Result<Option<user::Model>, DbErr> {
        match self {
            // A text that is no address is in no row.
            Claimed::ByEmail if check_email(email).is_err() => Ok(None),
            Claimed::ByEmail => repo::user_by_email(app.db.read(), email).await,
            Claimed::User(account, id) => repo::user(app.db.read(), account, id).await,
        }
    }
}

/// The user, if the password is the right one. An unknown user takes as long, in each step, as a wrong password. Fails with
/// RATE_LIMITED when the client's network has failed too often at the e-mail address, in lower case; when others have, a
/// network from which the user has never logged in waits for its turn.
pub(crate) async fn check(
    app: &App,
    email: &str,
    client: IpAddr,
    password: &str,
    claimed: Claimed,
) -> Result<Option<user::Model>, ApiError> {
    let guess = Guess::new(email, ClientNet::from(client));
    let is_quiet = app.limits.check_login(guess).await?;
    let mut turn = app.passwords.turn()?;
    let mut user = claimed.find(app, email).await?;
    let seen_at = known_networks::seen_at(app, user.as_ref().map(id), client).await?;
    let mut prompt = seen_at.is_none();
    if prompt && !is_quiet {
        // A login that waits holds no place among those whose passwords are hashed.
        drop(turn);
        app.limits.wait_for_login(guess).await?;
        prompt = false;
        turn = app.passwords.turn()?;
        user = claimed.find(app, email).await?;
    }
    let stored = user.as_ref().map(|user| user.password_hash.as_str());
    let right = turn.verify(password, stored).await?;
    let Some(user) = user.filter(|_| right) else {
        app.limits.count_login_failure(guess, prompt).await?;
        return Ok(None);
    };
    // Wrong ones may have used up the failures meanwhile.
    if !app.limits.check_login(guess).await? && prompt {
        app.limits.wait_for_login(guess).await?;
    }
    app.limits.reset_login_failures(guess).await;
    known_networks::remember(app, id(&user), client, seen_at).await;
    Ok(Some(user))
}

fn id(user: &user::Model) -> UserId {
    UserId(user.id)
}
