//! Cache of the accounts' hosts by name: bounded, and a host is evicted as soon as it changes.

use std::sync::atomic::{AtomicU64, Ordering};

use compact_str::CompactString;
use quick_cache::sync::Cache;

use super::{
    cache::{MISS_LIFETIME, Misses, misses},
    served_host::{ByHost, ServedHost},
};
use crate::base::{clock::UnixMillis, ids::AccountId, weight};

/// Bytes of hosts held at most: some 100,000 without settings, 4,000 with three URLs of the greatest length.
const MAX_BYTES: usize = 16 << 20;

/// Hosts of accounts, by name.
pub(crate) struct HostCache {
    served: Cache<CompactString, ServedHost, ByHost>,
    /// Names that are no account's host. A cache of its own, so that requests for random names evict no host.
    missed: Misses,
    /// Number of evictions so far, and (`cleared`) of those that removed more than one host.
    changes: AtomicU64,
    cleared: AtomicU64,
}

impl Default for HostCache {
    fn default() -> Self {
        HostCache {
            served: weight::cache(MAX_BYTES, ByHost),
            missed: misses(),
            changes: AtomicU64::new(0),
            cleared: AtomicU64::new(0),
        }
    }
}

impl HostCache {
    /// Returns the cached host, or calls `load`: once for concurrent requests. A host that is evicted while it is loaded is not
    /// cached: [`evict`](Self::evict) drops the place reserved for it. `Ok(None)`: it is no account's host.
    pub(crate) async fn get<E>(
        &self,
        host: &str,
        now: UnixMillis,
        load: impl AsyncFnOnce() -> Result<Option<ServedHost>, E>,
    ) -> Result<Option<ServedHost>, E> {
        if let Some(known) = self.known(host, now) {
            return Ok(known);
        }
        let place = match self.served.get_value_or_guard_async(&CompactString::from(host)).await {
            Ok(known) => return Ok(Some(known)),
            // A concurrent request found no such host while this one waited.
            Err(_) if self.is_missed(host, now) => return Ok(None),
            Err(place) => place,
        };
        let (changes, cleared) = (self.changes.load(Ordering::SeqCst), self.cleared.load(Ordering::SeqCst));
        let found = load().await?;
        match &found {
            Some(found) => {
                let _ = place.insert(found.clone());
                // `evict_account` and `evict_all` do not drop the reserved place: the counter shows that one of them was called.
                if self.cleared.load(Ordering::SeqCst) != cleared {
                    self.served.remove(host);
                }
            }
            // The place is released after the miss is cached, so that waiting requests find the miss.
            None => {
                self.missed.insert(host.into(), now + MISS_LIFETIME);
                if self.changes.load(Ordering::SeqCst) != changes {
                    self.missed.remove(host);
                }
            }
        }
        Ok(found)
    }

    /// The hosts with these names, in their order. `load` gets all names that are not cached, and returns their hosts in the same order.
    pub(crate) async fn get_all<E>(
        &self,
        hosts: &[String],
        now: UnixMillis,
        load: impl AsyncFnOnce(Vec<String>) -> Result<Vec<Option<ServedHost>>, E>,
    ) -> Result<Vec<Option<ServedHost>>, E> {
        let mut found: Vec<Option<Option<ServedHost>>> = hosts.iter().map(|host| self.known(host, now)).collect();
        let unknown = || hosts.iter().zip(&found).filter(|(_, found)| found.is_none()).map(|(host, _)| host.clone());
        let unknown: Vec<String> = unknown().collect();
        if !unknown.is_empty() {
            let changes = self.changes.load(Ordering::SeqCst);
            let mut loaded = load(unknown.clone()).await?.into_iter();
            for (host, place) in unknown.iter().zip(found.iter_mut().filter(|found| found.is_none())) {
                let one = loaded.next().flatten();
                match &one {
                    Some(one) => self.served.insert(host.as_str().into(), one.clone()),
                    None => self.missed.insert(host.as_str().into(), now + MISS_LIFETIME),
                }
                *place = Some(one);
            }
            if self.changes.load(Ordering::SeqCst) != changes {
                unknown.iter().for_each(|host| self.drop(host));
            }
        }
        Ok(found.into_iter().map(Option::flatten).collect())
    }

    /// Evicts a host, or the miss of its name. Call this after the commit of a change of the host.
    pub(crate) fn evict(&self, host: &str) {
        self.changes.fetch_add(1, Ordering::SeqCst);
        self.drop(host);
    }

    /// Drops all hosts of an account.
    pub(crate) fn evict_account(&self, account: AccountId) {
        self.changes.fetch_add(1, Ordering::SeqCst);
        self.cleared.fetch_add(1, Ordering::SeqCst);
        self.served.retain(|_, host| host.account != account);
    }

    pub(crate) fn evict_all(&self) {
        self.changes.fetch_add(1, Ordering::SeqCst);
        self.cleared.fetch_add(1, Ordering::SeqCst);
        self.served.clear();
        self.missed.clear();
    }

    /// The cache entry of the host. `None`: not cached, look it up; `Some(None)`: cached as no account's host.
    fn known(&self, host: &str, now: UnixMillis) -> Option<Option<ServedHost>> {
        self.served.get(host).map(Some).or_else(|| self.is_missed(host, now).then_some(None))
    }

    fn is_missed(&self, host: &str, now: UnixMillis) -> bool {
        self.missed.get(host).is_some_and(|until| until > now)
    }

    fn drop(&self, host: &str) {
        self.served.remove(host);
        self.missed.remove(host);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn hosts_are_loaded_together_and_not_cached_when_they_change_meanwhile() {
        let (cache, account) = (HostCache::default(), AccountId::new());
        let owner = || {
            ServedHost::new(
                &entity::host::Model { name: String::new(), account_id: account.0, former_account_id: None },
                None,
                None,
                None,
                false,
            )
        };
        let hosts = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(cache.get("b", 0, async || Ok::<_, ()>(Some(owner()))).await, Ok(Some(owner())));
        let load = async |asked: Vec<String>| {
            assert_eq!(asked, ["a", "c"]);
            cache.evict("c");
            Ok::<_, ()>(vec![None, Some(owner())])
        };
        assert_eq!(cache.get_all(&hosts, 0, load).await, Ok(vec![None, Some(owner()), Some(owner())]));
        assert_eq!(cache.get("c", 0, async || Ok::<_, ()>(None)).await, Ok(None));
        let load = async |asked: Vec<String>| {
            assert_eq!(asked, ["a"]);
            Ok::<_, ()>(vec![None])
        };
        assert_eq!(cache.get_all(&hosts, 0, load).await, Ok(vec![None, Some(owner()), None]));
        assert_eq!(cache.get_all(&hosts, 999, async |_| Err(())).await, Ok(vec![None, Some(owner()), None]));
        cache.evict_account(account);
        assert_eq!(cache.get("b", 0, async || Ok::<_, ()>(None)).await, Ok(None));
    }
}
