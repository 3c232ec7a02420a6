//! One request with an idempotency key.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

use super::key::IdempotencyKey;
use crate::{
    base::{
        clock::{DAY, Millis, UnixMillis},
        error::{ApiError, Code},
        ids::AccountId,
    },
    platform::auth::caller::{Call, Caller},
};

/// How long a key is valid, in milliseconds.
pub(crate) const LIFETIME: Millis = DAY;
/// Prefix of the hash's input, which separates it from other hashes.
const PURPOSE: &[u8] = b"idempotency key\0";
/// Seconds after which a request is worth another try while the first one with its key is executed.
const RETRY_AFTER: u64 = 1;

/// The time up to which stored keys have expired at `now`, in Unix milliseconds.
pub(crate) fn forgotten(now: UnixMillis) -> UnixMillis {
    now - LIFETIME
}

/// A request that is executed once, however often it is sent.
pub(crate) struct Once {
    pub(crate) account: AccountId,
    pub(crate) key: IdempotencyKey,
    /// Identifies the key, among those of all accounts.
    pub(crate) hash: [u8; 16],
    /// Hash of credential, key and request, by which another request with the same key is recognised.
    pub(crate) fingerprint: [u8; 32],
    /// How callers of this entry point write the key.
    name: &'static str,
    is_replayed: AtomicBool,
}

impl Once {
    /// The request of a call. `request`: all that distinguishes it from other requests, in a fixed order. The credential is part of
    /// the fingerprint, so that an answer is replayed only to the API key or user that got it first; the key is, so that a request with a
    /// secret, such as the password of a link, can't be guessed from the row, which has only the key's hash. Fails with UNAUTHENTICATED without
    /// a credential.
    pub(crate) fn new(call: &Call, key: IdempotencyKey, name: &'static str, request: &Json) -> Result<Self, ApiError> {
        let account = call.account()?;
        let credential = match &call.caller {
            Caller::User(subject) => json!({ "user": subject.user.to_string() }),
            Caller::ApiKey(key) => json!({ "apiKey": key.id.to_string() }),
            Caller::Anonymous | Caller::Refused => return Err(Code::Unauthenticated.into()),
        };
        let fingerprint = Sha256::digest(json!([credential, key.as_str(), request]).to_string()).into();
        let digest = Sha256::new().chain_update(PURPOSE).chain_update(account.0).chain_update(key.as_str()).finalize();
        let mut hash = [0; 16];
        hash.copy_from_slice(&digest[..16]);
        Ok(Once { account, key, hash, fingerprint, name, is_replayed: AtomicBool::new(false) })
    }

    /// Whether the answer is a stored one.
    pub(crate) fn is_replayed(&self) -> bool {
        self.is_replayed.load(Ordering::Relaxed)
    }

    pub(crate) fn note_replay(&self) {
        self.is_replayed.store(true, Ordering::Relaxed);
    }

    /// Another request has the key.
    pub(crate) fn reused(&self) -> ApiError {
        ApiError::from(Code::IdempotencyKeyReused).with_details(json!({ "path": self.name }))
    }

    /// A request with the key is being executed.
    pub(crate) fn in_progress(&self) -> ApiError {
        let error = ApiError::conflict(self.name, "A request with this idempotency key is being executed: try again.");
        ApiError { retry_after: Some(RETRY_AFTER), ..error }
    }
}
