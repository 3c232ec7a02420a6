//! Hashes of the networks that users log in from: keyed, and another one for each user, so that no address is kept.

use anyhow::Context;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::client::ClientNet;
use crate::base::{config::JwtSecret, ids::UserId};

/// Domain separation: the same secrets sign user tokens, whose text never begins like this.
const PURPOSE: &[u8] = b"network of a user\0";

/// Hashes networks with the secrets that sign user tokens. Unless nodes share them through PostgreSQL, the secrets are not in the
/// database: its rows alone do not allow trying addresses.
pub(crate) struct NetworkHashes(Vec<Hmac<Sha256>>);

impl NetworkHashes {
    /// With these secrets, of which the first is in force.
    pub(crate) fn new(secrets: &[JwtSecret]) -> anyhow::Result<Self> {
        let keyed = secrets.iter().map(|JwtSecret { secret, .. }| {
            Hmac::new_from_slice(secret).map(|keyed| keyed.chain_update(PURPOSE)).context("a secret is no key")
        });
        Ok(NetworkHashes(keyed.collect::<anyhow::Result<_>>()?))
    }

    /// The 16-byte hash of a network under each secret, the one in force first: networks stay known after a rotation.
    pub(crate) fn of(&self, user: UserId, network: ClientNet) -> impl Iterator<Item = Vec<u8>> {
        self.0.iter().map(move |keyed| {
            let hash = keyed.clone().chain_update(user.0.as_bytes()).chain_update(network.octets()).finalize();
            hash.into_bytes()[..16].to_vec()
        })
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn hashes(secrets: &[u8]) -> NetworkHashes {
        let secret = |fill: &u8| JwtSecret { kid: fill.to_string(), secret: vec![*fill; 32] };
        NetworkHashes::new(&secrets.iter().map(secret).collect::<Vec<_>>()).unwrap()
    }

    fn first(hashes: &NetworkHashes, user: UserId, address: &str) -> Vec<u8> {
        hashes.of(user, ClientNet::from(address.parse::<IpAddr>().unwrap())).next().unwrap()
    }

    #[test]
    fn comparable_within_a_user_and_a_secret_only() {
        let (old, new) = (hashes(&[1]), hashes(&[2, 1]));
        let (alice, bob) = (UserId::new(), UserId::new());
        let known = first(&old, alice, "192.0.2.1");
        assert_eq!(known.len(), 16);
        assert_eq!(known, first(&old, alice, "::ffff:192.0.2.1"));
        assert_eq!(first(&old, alice, "2001:db8::1"), first(&old, alice, "2001:db8::ffff:2"));
        for other in [
            first(&old, alice, "192.0.2.2"),
            first(&old, bob, "192.0.2.1"),
            first(&new, alice, "192.0.2.1"),
            first(&old, alice, "2001:db8::1"),
        ] {
            assert_ne!(known, other);
        }
        let network = ClientNet::from("192.0.2.1".parse::<IpAddr>().unwrap());
        assert!(new.of(alice, network).any(|hash| hash == known), "a rotation forgot it");
    }
}
