//! The revocation of all keys of an account.

use entity::{api_key, membership};

use crate::{
    app::change::Change,
    base::{
        clock::UnixMillis,
        error::ApiError,
        ids::{AccountId, UserId},
    },
    features::api_keys::event::event,
    platform::{
        auth::{role::Role, scope::Scope},
        work::{audit::Fact, event_kind::EventKind, outbox},
    },
    records::api_keys::repo,
    redirect::stale::Stale,
};

/// Revokes all live keys of the account, which the transaction has locked, or of the user's own in it, and records an event for each. Answers
/// what it did.
pub(crate) async fn revoke_all(
    tx: &Change<'_>,
    account: AccountId,
    user: Option<UserId>,
    now: UnixMillis,
) -> Result<Vec<Fact>, ApiError> {
    let live = repo::lock_live(tx, account, user, now).await?;
    if live.is_empty() {
        return Ok(Vec::new());
    }
    repo::revoke_all(tx, account, live.iter().map(|key| key.id), now).await?;
    let revoked: Vec<_> = live.into_iter().map(|key| api_key::Model { revoked_at: Some(now), ..key }).collect();
    let events: Vec<_> = revoked.iter().map(|key| event(EventKind::ApiKeyRevoked, key)).collect::<Result<_, _>>()?;
    outbox::record(tx, account, events, now).await?;
    tx.evict([Stale::Credentials(account.0)]);
    Ok(revoked.iter().map(revocation_of).collect())
}

/// Revokes what keys a member may revoke who suspects that somebody else has them: those of the account, or for a member who does not manage
/// members, the own ones.
pub(crate) async fn revoke_all_of(
    tx: &Change<'_>,
    membership: &membership::Model,
    now: UnixMillis,
) -> Result<Vec<Fact>, ApiError> {
    let is_manager = Role::from_stored(&membership.role).scopes().contains(Scope::MembersManage);
    let user = (!is_manager).then_some(UserId(membership.user_id));
    revoke_all(tx, AccountId(membership.account_id), user, now).await
}

/// The line of the audit log for a key that was revoked.
pub(crate) fn revocation_of(key: &api_key::Model) -> Fact {
    Fact::changed(&api_key::Model { revoked_at: None, ..key.clone() }, key)
}
