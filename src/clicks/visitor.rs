//! Tells visitors apart without knowing them: a keyed hash whose key lives for one UTC day. When the day is over the key
//! is overwritten, and nobody, the operator included, can tell whose hash it was.

use std::{
    fs, io,
    io::Write,
    net::IpAddr,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::{PoisonError, RwLock},
};

use anyhow::Context;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::{
    auth::client::ClientNet,
    clock::{DAY, Millis},
    ids::AccountId,
    random,
};

struct Salt {
    day: i64,
    mac: Hmac<Sha256>,
}

/// Hashes visitors with the key of the day.
pub struct Visitors {
    path: PathBuf,
    salt: RwLock<Salt>,
}

impl Visitors {
    /// Goes on with today's key after a restart, so that a visitor is not counted twice.
    pub fn open(data_dir: &Path, now: Millis) -> anyhow::Result<Self> {
        let path = data_dir.join("visitor-salt");
        let day = now.div_euclid(DAY);
        let kept = fs::read_to_string(&path).ok().and_then(|text| {
            let (kept_day, key) = text.trim().split_once(' ')?;
            (kept_day.parse() == Ok(day)).then(|| hex::decode(key).ok())?
        });
        let salt = match kept {
            Some(key) => Salt { day, mac: mac(&key) },
            None => fresh(&path, day).with_context(|| format!("LINKGRAPH_DATA_DIR: can't write {}", path.display()))?,
        };
        Ok(Visitors { path, salt: RwLock::new(salt) })
    }

    /// Who visits, comparable within one account and day. IPv6 clients count by their /64.
    pub fn hash(&self, now: Millis, account: AccountId, client: IpAddr, user_agent: &[u8]) -> [u8; 16] {
        let day = now.div_euclid(DAY);
        {
            let salt = self.salt.read().unwrap_or_else(PoisonError::into_inner);
            // A clock that steps back over midnight keeps the newer key.
            if salt.day >= day {
                return digest(&salt.mac, account, client, user_agent);
            }
        }
        let mut salt = self.salt.write().unwrap_or_else(PoisonError::into_inner);
        if salt.day < day {
            *salt = fresh(&self.path, day).unwrap_or_else(|error| {
                // A restart today will count visitors anew; no key outlives its day.
                tracing::warn!(%error, "The visitor key of the day could not be kept");
                Salt { day, mac: mac(&random_key()) }
            });
        }
        digest(&salt.mac, account, client, user_agent)
    }
}

fn digest(mac: &Hmac<Sha256>, account: AccountId, client: IpAddr, user_agent: &[u8]) -> [u8; 16] {
    let mut mac = mac.clone();
    mac.update(account.0.as_bytes());
    mac.update(&ClientNet::from(client).octets());
    mac.update(user_agent);
    let mut short = [0; 16];
    short.copy_from_slice(&mac.finalize().into_bytes()[..16]);
    short
}

#[expect(clippy::expect_used, reason = "HMAC takes keys of any length (RFC 2104 §2)")]
fn mac(key: &[u8]) -> Hmac<Sha256> {
    Hmac::new_from_slice(key).expect("any length")
}

fn random_key() -> [u8; 32] {
    // Of this process's generator, where the system has none: still unguessable from outside.
    random::bytes().unwrap_or_else(|_| rand::random())
}

/// Makes the day's key and overwrites the one before.
fn fresh(path: &Path, day: i64) -> io::Result<Salt> {
    let key = random_key();
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(format!("{day} {}\n", hex::encode(key)).as_bytes())?;
    file.sync_all()?;
    Ok(Salt { day, mac: mac(&key) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparable_within_account_and_day_only() {
        let folder = std::env::temp_dir().join(format!("linkgraph-visitors-{}", uuid::Uuid::now_v7()));
        let visitors = Visitors::open(&folder, 0).unwrap();
        let (alice, bob) = (AccountId::new(), AccountId::new());
        let client = |text: &str| text.parse::<IpAddr>().unwrap();
        let first = visitors.hash(0, alice, client("192.0.2.1"), b"UA");
        assert_eq!(first, visitors.hash(DAY - 1, alice, client("192.0.2.1"), b"UA"));
        assert_ne!(first, visitors.hash(0, bob, client("192.0.2.1"), b"UA"));
        assert_ne!(first, visitors.hash(0, alice, client("192.0.2.2"), b"UA"));
        assert_ne!(first, visitors.hash(0, alice, client("192.0.2.1"), b"other"));
        assert_eq!(first, Visitors::open(&folder, 5).unwrap().hash(0, alice, client("192.0.2.1"), b"UA"));
        let kept = fs::read_to_string(folder.join("visitor-salt")).unwrap();
        assert_ne!(first, visitors.hash(DAY, alice, client("192.0.2.1"), b"UA"));
        assert_ne!(kept, fs::read_to_string(folder.join("visitor-salt")).unwrap());
        assert_ne!(first, Visitors::open(&folder, 0).unwrap().hash(0, alice, client("192.0.2.1"), b"UA"));
        fs::remove_dir_all(folder).unwrap();
    }
}
