//! An API key that was presented and may be used.

use crate::{
    auth::scope::Scopes,
    clock::Millis,
    ids::{AccountId, ApiKeyId, UserId},
    tier::Plan,
};

/// A key that was presented, and is neither revoked nor expired; nor is its account suspended.
#[derive(Clone, Copy, Debug)]
pub struct LiveKey {
    /// The key.
    pub id: ApiKeyId,
    /// The account that it opens.
    pub account: AccountId,
    /// The user who created it.
    pub user: UserId,
    /// The scopes that it grants.
    pub scopes: Scopes,
    /// The account's plan.
    pub plan: Plan,
    /// When it expires, in Unix milliseconds; `None`: never.
    pub expires_at: Option<Millis>,
}
