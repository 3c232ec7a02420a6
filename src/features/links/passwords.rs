//! Passwords of links, hashed before anything is locked: a hash takes longer than all else that a change of a link does.

use std::collections::HashMap;

use crate::{
    app::App,
    base::error::ApiError,
    platform::{
        auth::{
            caller::{Call, Caller},
            password::Requester,
        },
        http::rate_limit::{Policy, Subject},
    },
    records::links::{gate::check_link_password, values::LinkValues},
};

/// The cost of a hash, in units of [`Policy::Cost`]: 30 ms of processor time, about what Argon2id takes with the usual settings.
const HASH_COST: u32 = 300;

/// Replaces the passwords of links by their hashes; those that break a rule stay, and are refused later. Each is hashed once, whatever
/// the number of links that get it.
pub(super) async fn hash_all<'a>(
    app: &App,
    call: &Call,
    values: impl Iterator<Item = &'a mut LinkValues>,
) -> Result<(), ApiError> {
    let is_sent = |values: &&mut LinkValues| {
        values.gate.password.as_ref().and_then(Option::as_deref).is_some_and(|text| check_link_password(text).is_ok())
    };
    let mut by_password: HashMap<String, Vec<&mut LinkValues>> = HashMap::new();
    for values in values.filter(is_sent) {
        if let Some(password) = values.gate.password.take().flatten() {
            by_password.entry(password).or_default().push(values);
        }
    }
    for (password, links) in by_password {
        let hash = hash(app, call, &password).await?;
        for values in links {
            values.gate.password_hash = Some(Some(hash.clone()));
        }
    }
    Ok(())
}

/// Checks and hashes a password of links or of a report's page. Fails with a violation of `password`, or as [`hash`] does.
pub(crate) async fn checked_hash(app: &App, call: &Call, password: &str) -> Result<String, ApiError> {
    check_link_password(password).map_err(|reason| ApiError::invalid_field("password", reason))?;
    hash(app, call, password).await
}

/// Hashes a password of links. Takes the cost from the caller's quota, and fails without hashing when less is left.
async fn hash(app: &App, call: &Call, password: &str) -> Result<String, ApiError> {
    if let Some(payer) = Subject::payer(call) {
        app.limits.take(Policy::Cost, payer, HASH_COST).await?;
    }
    app.metrics.api_cost_units.inc_by(HASH_COST.into());
    let requester = match &call.caller {
        Caller::User(user) => Requester::user(user.user, call.client),
        _ => Requester::client(call.client),
    };
    app.passwords.hash(requester, password).await
}
