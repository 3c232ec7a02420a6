//! The revocation of all keys of an account.

use entity::api_key;

use crate::{
    app::change::Change,
    base::{clock::UnixMillis, error::ApiError, ids::AccountId},
    features::api_keys::event::event,
    platform::work::{audit::Fact, event_kind::EventKind, outbox},
    records::api_keys::repo,
    redirect::stale::Stale,
};

/// Revokes all live keys of the account, which the transaction has locked, and records an event for each. Answers what it did.
pub(crate) async fn revoke_all(tx: &Change<'_>, account: AccountId, now: UnixMillis) -> Result<Vec<Fact>, ApiError> {
    let live = repo::lock_live(tx, account, now).await?;
    if live.is_empty() {
        return Ok(Vec::new());
    }
    repo::revoke_live(tx, account, now).await?;
    let revoked: Vec<_> = live.into_iter().map(|key| api_key::Model { revoked_at: Some(now), ..key }).collect();
    let events: Vec<_> = revoked.iter().map(|key| event(EventKind::ApiKeyRevoked, key)).collect::<Result<_, _>>()?;
    outbox::record(tx, account, events, now).await?;
    tx.evict([Stale::Credentials(account.0)]);
    Ok(revoked.iter().map(revocation_of).collect())
}

/// The line of the audit log for a key that was revoked.
pub(crate) fn revocation_of(key: &api_key::Model) -> Fact {
    Fact::changed(&api_key::Model { revoked_at: None, ..key.clone() }, key)
}
