//! The networks that users have logged in from: at these, failures of others do not slow a login.
//!
//! A network is an IPv4 address or an IPv6 /64, as everywhere else. With wider ones, such as a /24, a stranger at the user's
//! own provider would be known, and five wrong passwords of a neighbour would keep the user out. A user whose address
//! changes is not known at the new one: that costs a wait while somebody guesses the password, and nothing otherwise.
//!
//! A change of the password forgets none. All that a thief of the old password keeps is what each network has anyway:
//! 5 failures in 15 minutes.

use std::net::IpAddr;

use uuid::Uuid;

use crate::{
    accounts::network_repo as repo,
    app::App,
    auth::client::ClientNet,
    clock::{DAY, Millis, UnixMillis},
    error::ApiError,
    ids::UserId,
};

/// Networks that are kept of a user, at most: those of the last logins.
const MAX_NETWORKS: u64 = 20;
/// Time for which a network is kept after the last login from it.
pub(crate) const KEPT: Millis = 90 * DAY;
/// Age at which the note of a login is renewed, so that most logins write nothing.
const RENEWAL: Millis = DAY;

/// The time of the user's last noted login from the client's network; none: the network is not known. Without a user the
/// answer takes as long.
pub async fn seen_at(app: &App, user: Option<UserId>, client: IpAddr) -> Result<Option<UnixMillis>, ApiError> {
    let user = user.unwrap_or(UserId(Uuid::nil()));
    let network = app.network_hashes.of(user, ClientNet::from(client)).collect();
    Ok(repo::seen_at(app.db.read(), user, network, app.clock.now() - KEPT).await?)
}

/// Notes that the user proved, from the client's network, to be one; `seen_at` says when it was noted last. A failure
/// ends no login: it is logged, and the network stays unknown.
pub async fn remember(app: &App, user: UserId, client: IpAddr, seen_at: Option<UnixMillis>) {
    if seen_at.is_some_and(|seen_at| app.clock.now() < seen_at + RENEWAL) {
        return;
    }
    if let Err(error) = store(app, user, client).await {
        tracing::warn!(code = error.code.as_str(), "The network of a login could not be noted");
    }
}

async fn store(app: &App, user: UserId, client: IpAddr) -> Result<(), ApiError> {
    let now = app.clock.now();
    let Some(network) = app.network_hashes.of(user, ClientNet::from(client)).next() else { return Ok(()) };
    let tx = app.begin().await?;
    repo::upsert(&tx, user, network, now).await?;
    repo::trim(&tx, user, MAX_NETWORKS, now - KEPT).await?;
    Ok(tx.commit().await?)
}
