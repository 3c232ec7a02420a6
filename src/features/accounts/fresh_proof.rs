//! Fresh proof: what would take an account away, or let somebody in for long, needs more than a token, which may be stolen. Who has a
//! second factor has to have proved it in the last ten minutes; who has none gives the password with the request where one is at stake.

use crate::{
    app::App,
    base::{
        clock::{MINUTE, Millis, UnixMillis},
        error::{ApiError, Reason},
    },
    platform::auth::caller::Call,
    records::second_factors,
};

/// How long a proof is fresh.
const FRESH: Millis = 10 * MINUTE;

/// Fails with FORBIDDEN and the reason PROOF_REQUIRED when the user who calls has a second factor and no fresh proof. API keys pass: what
/// they may do is said by their scopes.
pub(crate) async fn check(app: &App, call: &Call) -> Result<(), ApiError> {
    let Err(stale) = check_always(app, call) else { return Ok(()) };
    if second_factors::repo::factors(app.db.read(), call.user()?).await?.is_empty() { Ok(()) } else { Err(stale) }
}

/// Whether a proof at this time is fresh. Both are in Unix milliseconds.
pub(crate) fn is_fresh(proved_at: UnixMillis, now: UnixMillis) -> bool {
    now < proved_at + FRESH
}

/// Like [`check`], also for users without a second factor.
pub(crate) fn check_always(app: &App, call: &Call) -> Result<(), ApiError> {
    match call.proved_at() {
        Some(proved_at) if !is_fresh(proved_at, app.clock.now()) => Err(ApiError::forbidden(
            Reason::ProofRequired,
            "Prove first that it is you, by confirmAccess: the last proof is older than ten minutes.",
        )),
        _ => Ok(()),
    }
}
