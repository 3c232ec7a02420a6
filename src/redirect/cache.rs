//! What redirects need, in memory: bounded, and dropped the moment it changes.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use axum::http::HeaderValue;
use quick_cache::sync::Cache;

use crate::{
    clock::Millis,
    ids::{AccountId, LinkId},
};

/// Links held at most. At about 300 bytes each that is 60 MB.
const MAX_LINKS: usize = 200_000;
/// Hosts held at most.
const MAX_HOSTS: usize = 50_000;
/// How long a miss is remembered. What is new drops it at once on its own node; this bounds the rest.
pub const MISS_LIFETIME: Millis = 1_000;

/// What is known of a key.
#[derive(Clone, Debug)]
enum Known<T> {
    Found(T),
    /// There is nothing; to be looked at again from then on.
    Nothing {
        until: Millis,
    },
}

impl<T> Known<T> {
    fn new(found: Option<T>, now: Millis) -> Self {
        found.map_or(Known::Nothing { until: now + MISS_LIFETIME }, Known::Found)
    }
}

/// Finds are remembered until they are forgotten, misses for [`MISS_LIFETIME`].
struct Remembered<T> {
    entries: Cache<Box<str>, Known<T>>,
    /// How often everything of an account was forgotten so far.
    forgotten: AtomicU64,
}

impl<T: Clone> Remembered<T> {
    fn new(capacity: usize) -> Self {
        Remembered { entries: Cache::new(capacity), forgotten: AtomicU64::new(0) }
    }

    /// What is known without looking: none is unknown.
    fn known(&self, key: &str, now: Millis) -> Option<Option<T>> {
        match self.entries.get(key)? {
            Known::Found(found) => Some(Some(found)),
            Known::Nothing { until } if until <= now => None,
            Known::Nothing { .. } => Some(None),
        }
    }

    /// What is known, or what `load` finds out: once, however many ask at the same time. What changes while it is loaded
    /// is not remembered, since [`forget`](Self::forget) drops the place kept for it, nor is what may have been forgotten
    /// with its account meanwhile.
    async fn get<E>(
        &self,
        key: &str,
        now: Millis,
        load: impl AsyncFnOnce() -> Result<Option<T>, E>,
    ) -> Result<Option<T>, E> {
        let owned: Box<str> = match self.entries.get(key) {
            Some(Known::Found(found)) => return Ok(Some(found)),
            Some(Known::Nothing { until }) if until > now => return Ok(None),
            Some(Known::Nothing { .. }) => {
                self.entries.remove(key);
                key.into()
            }
            None => key.into(),
        };
        match self.entries.get_value_or_guard_async(&owned).await {
            Ok(Known::Found(found)) => Ok(Some(found)),
            Ok(Known::Nothing { .. }) => Ok(None),
            Err(place) => {
                let forgotten = self.forgotten.load(Ordering::SeqCst);
                let found = load().await?;
                let _ = place.insert(Known::new(found.clone(), now));
                if self.forgotten.load(Ordering::SeqCst) != forgotten {
                    self.forget(key);
                }
                Ok(found)
            }
        }
    }

    fn forget(&self, key: &str) {
        self.entries.remove(key);
    }

    fn forget_all(&self, gone: impl Fn(&T) -> bool) {
        self.forgotten.fetch_add(1, Ordering::SeqCst);
        self.entries.retain(|_, known| !matches!(known, Known::Found(found) if gone(found)));
    }
}

/// A link that redirects.
#[derive(Debug)]
pub struct Target {
    /// The finished header.
    pub location: HeaderValue,
    /// The link.
    pub link: LinkId,
    /// Its account.
    pub account: AccountId,
}

/// Where a slug is looked up. A host that changes hands takes no links with it: beyond the service's own host, each
/// account has slugs of its own.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// The host; empty for the service's own.
    pub host: &'a str,
    /// Whose links; on the service's own host it does not matter.
    pub account: AccountId,
}

impl Site<'_> {
    fn key(&self, slug: &str) -> Box<str> {
        if self.host.is_empty() { slug.into() } else { format!("{}/{}/{slug}", self.host, self.account).into() }
    }
}

/// Which links redirect, and where to.
pub struct RedirectCache(Remembered<Arc<Target>>);

impl Default for RedirectCache {
    fn default() -> Self {
        RedirectCache(Remembered::new(MAX_LINKS))
    }
}

impl RedirectCache {
    /// The target of a slug on the service's own host (none), or at another site.
    pub async fn get<E>(
        &self,
        site: Option<Site<'_>>,
        slug: &str,
        now: Millis,
        load: impl AsyncFnOnce() -> Result<Option<Target>, E>,
    ) -> Result<Option<Arc<Target>>, E> {
        let load = async || Ok(load().await?.map(Arc::new));
        match site {
            None => self.0.get(slug, now, load).await,
            Some(site) => self.0.get(&site.key(slug), now, load).await,
        }
    }

    /// Drops what is known of a slug at a site. Call it after the commit.
    pub fn forget(&self, site: Site<'_>, slug: &str) {
        self.0.forget(&site.key(slug));
    }

    /// Drops all links of an account.
    pub fn forget_account(&self, account: AccountId) {
        self.0.forget_all(|target| target.account == account);
    }
}

/// Which account a host, other than the service's own, serves the links of now.
pub struct HostCache {
    owners: Remembered<AccountId>,
    /// Hosts forgotten so far.
    changes: AtomicU64,
}

impl Default for HostCache {
    fn default() -> Self {
        HostCache { owners: Remembered::new(MAX_HOSTS), changes: AtomicU64::new(0) }
    }
}

impl HostCache {
    /// The host's account.
    pub async fn get<E>(
        &self,
        host: &str,
        now: Millis,
        load: impl AsyncFnOnce() -> Result<Option<AccountId>, E>,
    ) -> Result<Option<AccountId>, E> {
        self.owners.get(host, now, load).await
    }

    /// The hosts' accounts, in the order given; `load` finds out all that are not known, at once, in the order it is
    /// given them.
    pub async fn get_all<E>(
        &self,
        hosts: &[String],
        now: Millis,
        load: impl AsyncFnOnce(Vec<String>) -> Result<Vec<Option<AccountId>>, E>,
    ) -> Result<Vec<Option<AccountId>>, E> {
        let mut owners: Vec<Option<Option<AccountId>>> =
            hosts.iter().map(|host| self.owners.known(host, now)).collect();
        let unknown = || hosts.iter().zip(&owners).filter(|(_, owner)| owner.is_none()).map(|(host, _)| host.clone());
        let unknown: Vec<String> = unknown().collect();
        if !unknown.is_empty() {
            let changes = self.changes.load(Ordering::SeqCst);
            let mut loaded = load(unknown.clone()).await?.into_iter();
            for (host, owner) in unknown.iter().zip(owners.iter_mut().filter(|owner| owner.is_none())) {
                let found = loaded.next().flatten();
                self.owners.entries.insert(host.as_str().into(), Known::new(found, now));
                *owner = Some(found);
            }
            if self.changes.load(Ordering::SeqCst) != changes {
                unknown.iter().for_each(|host| self.owners.forget(host));
            }
        }
        Ok(owners.into_iter().map(Option::flatten).collect())
    }

    /// Drops what is known of a host. Call it after the commit of whatever changes who is served there.
    pub fn forget(&self, host: &str) {
        self.changes.fetch_add(1, Ordering::SeqCst);
        self.owners.forget(host);
    }

    /// Drops all hosts of an account.
    pub fn forget_account(&self, account: AccountId) {
        self.changes.fetch_add(1, Ordering::SeqCst);
        self.owners.forget_all(|owner| *owner == account);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    fn target() -> Option<Target> {
        let location = HeaderValue::from_static("https://example.com/");
        Some(Target { location, link: LinkId::new(), account: AccountId::new() })
    }

    fn own() -> Site<'static> {
        Site { host: "", account: AccountId::new() }
    }

    #[tokio::test]
    async fn many_that_ask_at_once_load_once() {
        let (cache, loads) = (Arc::new(RedirectCache::default()), Arc::new(AtomicUsize::new(0)));
        let asking: Vec<_> = (0..50)
            .map(|_| {
                let (cache, loads) = (Arc::clone(&cache), Arc::clone(&loads));
                tokio::spawn(async move {
                    let load = async || {
                        loads.fetch_add(1, Ordering::SeqCst);
                        tokio::task::yield_now().await;
                        Ok::<_, ()>(target())
                    };
                    cache.get(None, "a", 0, load).await.unwrap()
                })
            })
            .collect();
        for asked in asking {
            assert!(asked.await.unwrap().is_some());
        }
        assert_eq!(loads.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn a_change_while_loading_is_not_overwritten() {
        let cache = RedirectCache::default();
        let stale = cache
            .get(None, "a", 0, async || {
                cache.forget(own(), "a");
                Ok::<_, ()>(target())
            })
            .await;
        assert!(stale.unwrap().is_some());
        assert!(cache.get(None, "a", 0, async || Ok::<_, ()>(None)).await.unwrap().is_none());
    }

    #[tokio::test]
    async fn a_link_of_an_account_forgotten_while_loading_is_not_remembered() {
        let cache = RedirectCache::default();
        let stale = cache
            .get(None, "a", 0, async || {
                let Some(target) = target() else { return Err(()) };
                cache.forget_account(target.account);
                Ok(Some(target))
            })
            .await;
        assert!(stale.unwrap().is_some());
        assert!(cache.get(None, "a", 0, async || Ok::<_, ()>(None)).await.unwrap().is_none());
    }

    #[tokio::test]
    async fn a_miss_is_remembered_briefly_and_sites_are_apart() {
        let cache = RedirectCache::default();
        let (hers, his) = (AccountId::new(), AccountId::new());
        let at = |account| Some(Site { host: "h", account });
        assert!(cache.get(at(hers), "a", 0, async || Ok::<_, ()>(None)).await.unwrap().is_none());
        assert!(cache.get(at(hers), "a", 999, async || Err(())).await.unwrap().is_none());
        assert!(cache.get(at(hers), "a", 1_000, async || Ok::<_, ()>(target())).await.unwrap().is_some());
        assert!(cache.get(at(his), "a", 1_000, async || Err(())).await.is_err());
        assert!(cache.get(None, "a", 1_000, async || Err(())).await.is_err());
    }

    #[tokio::test]
    async fn hosts_are_loaded_together_and_not_remembered_when_they_change_meanwhile() {
        let (cache, owner) = (HostCache::default(), AccountId::new());
        let hosts = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(cache.get("b", 0, async || Ok::<_, ()>(Some(owner))).await, Ok(Some(owner)));
        let load = async |asked: Vec<String>| {
            assert_eq!(asked, ["a", "c"]);
            cache.forget("c");
            Ok::<_, ()>(vec![None, Some(owner)])
        };
        assert_eq!(cache.get_all(&hosts, 0, load).await, Ok(vec![None, Some(owner), Some(owner)]));
        assert_eq!(cache.get("c", 0, async || Ok::<_, ()>(None)).await, Ok(None));
        let load = async |asked: Vec<String>| {
            assert_eq!(asked, ["a"]);
            Ok::<_, ()>(vec![None])
        };
        assert_eq!(cache.get_all(&hosts, 0, load).await, Ok(vec![None, Some(owner), None]));
        assert_eq!(cache.get_all(&hosts, 999, async |_| Err(())).await, Ok(vec![None, Some(owner), None]));
        cache.forget_account(owner);
        assert_eq!(cache.get("b", 0, async || Ok::<_, ()>(None)).await, Ok(None));
    }
}
