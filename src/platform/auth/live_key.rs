//! An API key that was presented and may be used.

use crate::{
    base::{
        clock::UnixMillis,
        ids::{AccountId, ApiKeyId, UserId},
        tier::Plan,
    },
    platform::auth::scope::Scopes,
};

/// A key that was presented, and is neither revoked nor expired; nor is its account suspended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LiveKey {
    pub(crate) id: ApiKeyId,
    /// The account that it belongs to.
    pub(crate) account: AccountId,
    /// The user who created it.
    pub(crate) user: UserId,
    /// Whether it is that user's own.
    pub(crate) is_personal: bool,
    /// The scopes that it grants.
    pub(crate) scopes: Scopes,
    pub(crate) plan: Plan,
    /// When it expires, in Unix milliseconds; `None`: never.
    pub(crate) expires_at: Option<UnixMillis>,
}
