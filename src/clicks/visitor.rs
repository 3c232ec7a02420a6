//! Distinguishes visitors without identifying them: a keyed hash whose key lives for one UTC day. After that day the key is
//! deleted, so that no one, not even the operator, can tell which visitor a hash belongs to.
//!
//! The keys of today and tomorrow are shared by all nodes through the database, and held in memory: redirects do not wait for the
//! database, and an outage at midnight does no harm.

use std::{collections::BTreeMap, net::IpAddr};

use arc_swap::ArcSwap;
use sha2::{Digest, Sha256};

use crate::{
    base::{
        clock::{UnixMillis, day},
        ids::AccountId,
        random,
    },
    platform::auth::client::ClientNet,
};

/// The key of a day.
#[derive(Clone)]
pub(super) struct Key {
    pub(super) bytes: [u8; 32],
    /// The hash state after the key, padded with zeros to a whole block.
    keyed: Sha256,
}

impl Key {
    pub(super) fn random() -> Self {
        // The process's own generator is the fallback where the system has none: still unguessable from outside.
        Key::of(random::bytes().unwrap_or_else(|_| rand::random()))
    }

    pub(super) fn of(bytes: [u8; 32]) -> Self {
        Key { bytes, keyed: Sha256::new().chain_update(bytes).chain_update([0; 32]) }
    }
}

/// Keys by their day.
pub(super) type Keys = BTreeMap<i32, Key>;

/// Hashes visitors with the key of the day.
pub(crate) struct Visitors {
    pub(super) keys: ArcSwap<Keys>,
}

impl Visitors {
    /// Hash of a visitor, comparable within one account and day. IPv6 clients count by their /64.
    pub(crate) fn hash(&self, now: UnixMillis, account: AccountId, client: IpAddr, user_agent: &[u8]) -> [u8; 16] {
        let keys = self.keys.load();
        let today = day(now);
        // A clock that steps back over midnight keeps the newer key: that of yesterday is gone.
        let day = keys.first_key_value().map_or(today, |(first, _)| today.max(*first));
        match keys.get(&day) {
            Some(key) => digest(&key.keyed, account, client, user_agent),
            None => digest(&self.unshared(day).keyed, account, client, user_agent),
        }
    }

    /// Makes a key for a day whose shared one is missing, since the database was away for long or the clock stepped. It becomes
    /// the shared key unless another node is faster.
    fn unshared(&self, day: i32) -> Key {
        let fresh = Key::random();
        self.keys.rcu(|keys| {
            let mut keys = Keys::clone(keys);
            keys.entry(day).or_insert_with(|| fresh.clone());
            keys
        });
        self.keys.load().get(&day).cloned().unwrap_or(fresh)
    }
}

/// The first half of SHA-256 over key, account, network and user agent. HMAC's second pass would prevent length extension attacks,
/// which need the whole hash; only half of it is kept here. The first three inputs are of fixed length.
fn digest(keyed: &Sha256, account: AccountId, client: IpAddr, user_agent: &[u8]) -> [u8; 16] {
    let hash = keyed
        .clone()
        .chain_update(account.0.as_bytes())
        .chain_update(ClientNet::from(client).octets())
        .chain_update(user_agent)
        .finalize();
    let mut short = [0; 16];
    short.copy_from_slice(&hash[..16]);
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::clock::DAY;

    #[test]
    fn comparable_within_account_and_day_only() {
        let visitors = Visitors { keys: ArcSwap::default() };
        let (alice, bob) = (AccountId::new(), AccountId::new());
        let hash = |now, account, client: &str, user_agent: &str| {
            visitors.hash(now, account, client.parse().unwrap(), user_agent.as_bytes())
        };
        let first = hash(0, alice, "192.0.2.1", "UA");
        assert_eq!(first, hash(DAY - 1, alice, "192.0.2.1", "UA"));
        assert_ne!(first, hash(0, bob, "192.0.2.1", "UA"));
        assert_ne!(first, hash(0, alice, "192.0.2.2", "UA"));
        assert_ne!(first, hash(0, alice, "192.0.2.1", "other"));
        assert_eq!(hash(0, alice, "2001:db8::1", "UA"), hash(0, alice, "2001:db8::2", "UA"));
        assert_ne!(first, hash(DAY, alice, "192.0.2.1", "UA"));
        // Yesterday's key is gone: a clock that steps back does not bring it back.
        visitors.keys.rcu(|keys| Keys::clone(keys).split_off(&1));
        assert_eq!(hash(0, alice, "192.0.2.1", "UA"), hash(DAY, alice, "192.0.2.1", "UA"));
    }
}
