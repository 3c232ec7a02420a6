//! The revocation of all keys of an account.

use entity::api_key;

use crate::{
    app::change::Change,
    base::{clock::UnixMillis, error::ApiError, ids::AccountId},
    features::api_keys::event::event,
    platform::work::{event_kind::EventKind, outbox},
    records::api_keys::repo,
    redirect::stale::Stale,
};

/// Revokes all live keys of the account, which the transaction has locked, and records an event for each.
pub(crate) async fn revoke_all(tx: &Change<'_>, account: AccountId, now: UnixMillis) -> Result<(), ApiError> {
    let live = repo::lock_live(tx, account, now).await?;
    if live.is_empty() {
        return Ok(());
    }
    repo::revoke_live(tx, account, now).await?;
    let revoked = live.into_iter().map(|key| api_key::Model { revoked_at: Some(now), ..key });
    let events: Vec<_> = revoked.map(|key| event(EventKind::ApiKeyRevoked, &key)).collect::<Result<_, _>>()?;
    outbox::record(tx, account, events, now).await?;
    tx.evict([Stale::Credentials(account.0)]);
    Ok(())
}
