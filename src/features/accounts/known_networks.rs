//! The networks that users have logged in from: at these, failures of others do not slow a login.
//!
//! A network is an IPv4 address or an IPv6 /64, as everywhere else. A wider one, such as a /24, would include strangers at the
//! user's own provider, and five wrong passwords of a neighbour would lock the user out. After a change of address, the user's
//! network is unknown: that costs a wait while someone guesses the password, and nothing otherwise.
//!
//! A change of the password keeps the networks: a thief who knows the old password gets no more attempts than from any network, 5
//! failures in 15 minutes.

use std::net::IpAddr;

use entity::user;
use uuid::Uuid;

use crate::{
    app::App,
    base::{
        clock::{DAY, Millis, UnixMillis},
        error::ApiError,
        ids::UserId,
    },
    features::accounts::notice::{Notice, notify},
    platform::{auth::client::ClientNet, work::audit::By},
    records::accounts::network_repo as repo,
};

/// Networks that are kept of a user, at most: those of the last logins.
const MAX_NETWORKS: u64 = 20;
/// Time for which a network is kept after the last login from it.
pub(crate) const KEPT: Millis = 90 * DAY;
/// Age at which the note of a login is renewed, so that most logins write nothing.
const RENEWAL: Millis = DAY;

/// When the user's last login from the client's network was stored, in Unix milliseconds. `None`: the network is unknown. Without
/// a user the query takes as long.
pub async fn seen_at(app: &App, user: Option<UserId>, client: IpAddr) -> Result<Option<UnixMillis>, ApiError> {
    let user = user.unwrap_or(UserId(Uuid::nil()));
    let network = app.network_hashes.of(user, ClientNet::from(client)).collect();
    Ok(repo::seen_at(app.db.read(), user, network, app.clock.now() - KEPT).await?)
}

/// Stores the client's network as one that the user has logged in from. `seen_at` is the time at which it was stored last. A
/// failure is logged and does not fail the login.
pub async fn remember(app: &App, user: UserId, client: IpAddr, seen_at: Option<UnixMillis>) {
    if seen_at.is_some_and(|seen_at| app.clock.now() < seen_at + RENEWAL) {
        return;
    }
    if let Err(error) = store(app, user, client, None).await {
        tracing::warn!(code = error.code.as_str(), "The network of a login could not be noted");
    }
}

/// Stores the client's network as one that the user has logged in from, like [`remember`], and tells the user if it is new.
pub(crate) async fn remember_login(app: &App, user: &user::Model, client: IpAddr, seen_at: Option<UnixMillis>) {
    if seen_at.is_some() {
        return remember(app, UserId(user.id), client, seen_at).await;
    }
    if let Err(error) = store(app, UserId(user.id), client, Some(user)).await {
        tracing::warn!(code = error.code.as_str(), "The network of a login could not be noted");
    }
}

/// `told`: the user who is told of it.
async fn store(app: &App, user: UserId, client: IpAddr, told: Option<&user::Model>) -> Result<(), ApiError> {
    let now = app.clock.now();
    let Some(network) = app.network_hashes.of(user, ClientNet::from(client)).next() else { return Ok(()) };
    let tx = app.begin(By::user(user, "login")).await?;
    repo::upsert(&tx, user, network, now).await?;
    repo::trim(&tx, user, MAX_NETWORKS, now - KEPT).await?;
    if let Some(told) = told {
        let country = app.clicks.geoip.country(client).map(|code| String::from_utf8_lossy(&code).into_owned());
        notify(&tx, told, Notice::NewNetwork { country }, now).await?;
    }
    Ok(tx.commit(None).await?)
}
