//! Cache of links that redirect, by host and slug: bounded, and a link is evicted as soon as it changes.

use compact_str::{CompactString, format_compact};
use quick_cache::sync::Cache;

use super::{arena::Arena, target::Target};
use crate::base::{
    clock::{Millis, UnixMillis},
    ids::AccountId,
    weight::{self, ByKey},
};

/// Bytes of links held at most: some 2,000,000 with short destinations.
const MAX_BYTES: usize = 160 << 20;
/// Bytes of misses remembered at most.
const MAX_MISSED: usize = 4 << 20;
/// How long a miss is cached, in milliseconds. A new link evicts it on its own node at once; other nodes find the link after this time.
pub(super) const MISS_LIFETIME: Millis = 1_000;

/// The scope in which a slug is looked up. On other hosts than the service's own, slugs belong to an account: a new owner of the host
/// gets no links of the former one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site<'a> {
    /// The host; empty for the service's own.
    pub(crate) host: &'a str,
    /// The account whose links are served; ignored on the service's own host.
    pub(crate) account: AccountId,
    /// The account whose links are served where `account` has none: a transfer is moving them. `None`: there is none.
    pub(crate) former: Option<AccountId>,
    /// Whether slugs are found in any case; never on the service's own host.
    pub(crate) ignores_case: bool,
}

impl<'a> Site<'a> {
    /// The service's own host, as a link of this account has it.
    pub(crate) const fn own(account: AccountId) -> Self {
        Site { host: "", account, former: None, ignores_case: false }
    }

    /// A host, empty for the service's own, where case matters.
    pub(crate) const fn exact(host: &'a str, account: AccountId) -> Self {
        Site { host, account, former: None, ignores_case: false }
    }

    /// The slug's key in the cache.
    pub(crate) fn key(&self, slug: &str) -> CompactString {
        if self.ignores_case { self.lower_key(slug) } else { self.exact_key(slug) }
    }

    fn exact_key(&self, slug: &str) -> CompactString {
        if self.host.is_empty() { slug.into() } else { format_compact!("{}/{}/{slug}", self.host, self.account) }
    }

    /// A key that differs from all exact keys (`//`): a link that was cached under its slug in lower case is not found by an exact lookup.
    fn lower_key(&self, slug: &str) -> CompactString {
        let mut key = format_compact!("{}//{}/{slug}", self.host, self.account);
        key.make_ascii_lowercase();
        key
    }

    /// All keys that the slug may have in the cache, whether its host ignores case or not.
    pub(crate) fn keys(&self, slug: &str) -> impl Iterator<Item = CompactString> {
        let lower = (!self.host.is_empty()).then(|| self.lower_key(slug));
        [self.exact_key(slug)].into_iter().chain(lower)
    }
}

/// Keys without a value in the database, each with the time (Unix milliseconds) at which the miss expires.
pub(super) type Misses = Cache<CompactString, UnixMillis, ByKey>;

pub(super) fn misses() -> Misses {
    weight::cache(MAX_MISSED, ByKey)
}

/// The cached links, and misses.
pub(crate) struct RedirectCache {
    links: Arena,
    /// Keys without a link. A cache of its own, so that requests for random slugs evict no link.
    missed: Misses,
}

impl Default for RedirectCache {
    fn default() -> Self {
        RedirectCache { links: Arena::new(MAX_BYTES), missed: misses() }
    }
}

impl RedirectCache {
    /// The target of a slug on the service's own host (none), or at another site.
    pub(crate) async fn get<E>(
        &self,
        site: Option<Site<'_>>,
        slug: &str,
        now: UnixMillis,
        load: impl AsyncFnOnce() -> Result<Option<Target>, E>,
    ) -> Result<Option<Target>, E> {
        let Some(site) = site else { return self.find(slug, now, load).await };
        self.find(&site.key(slug), now, load).await
    }

    /// Returns the cached target, or calls `load`: once for concurrent requests. A target that is evicted while it is loaded is not
    /// cached. `None`: there is no link at this key.
    async fn find<E>(
        &self,
        key: &str,
        now: UnixMillis,
        load: impl AsyncFnOnce() -> Result<Option<Target>, E>,
    ) -> Result<Option<Target>, E> {
        let place = loop {
            if let Some(known) = self.known(key) {
                return Ok(Some(known));
            }
            match self.missed.get_value_or_guard_async(&CompactString::from(key)).await {
                Ok(until) if until > now => return Ok(None),
                Ok(_) => drop(self.missed.remove_if(key, |until| *until <= now)),
                Err(place) => break place,
            }
        };
        // A concurrent request found it while this one waited.
        if let Some(known) = self.known(key) {
            return Ok(Some(known));
        }
        let version = self.links.version(key.as_bytes());
        let found = load().await?;
        match &found {
            Some(found) => self.links.insert(key.as_bytes(), found.as_bytes(), version),
            // Fails if the key was evicted meanwhile: its place is gone.
            None => drop(place.insert(now + MISS_LIFETIME)),
        }
        Ok(found)
    }

    fn known(&self, key: &str) -> Option<Target> {
        self.links.get(key.as_bytes(), Target::from_bytes)
    }

    /// Prepares to cache a link that an open transaction stores, so that its first visitor needs no lookup. Call this before the commit,
    /// and the returned function after it: that caches the target, unless its shard had an eviction in between.
    pub(crate) fn reserve<'a>(&'a self, site: Site<'_>, slug: &str) -> impl FnOnce(&Target) + use<'a> {
        let key = site.key(slug);
        let version = self.links.version(key.as_bytes());
        move |target| {
            self.links.insert(key.as_bytes(), target.as_bytes(), version);
            self.missed.remove(&*key);
        }
    }

    /// Evicts a slug of a site under all keys that it may have. Call this after the commit.
    pub(crate) fn evict(&self, site: Site<'_>, slug: &str) {
        site.keys(slug).for_each(|key| self.evict_key(&key));
    }

    /// Evicts the link or miss with this key.
    pub(crate) fn evict_key(&self, key: &str) {
        self.links.evict(key.as_bytes());
        self.missed.remove(key);
    }

    /// Drops all links of an account.
    pub(crate) fn evict_account(&self, account: AccountId) {
        self.links.evict_all(|target| Target::account_in(target) == account);
    }

    pub(crate) fn evict_all(&self) {
        self.links.evict_all(|_| true);
        self.missed.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use super::*;
    use crate::{
        base::ids::LinkId,
        redirect::target::{Gate, Parts},
    };

    fn target() -> Option<Target> {
        Some(Target::new(&Parts {
            link: LinkId::new(),
            account: AccountId::new(),
            destination_url: "https://example.com/",
            starts_at: None,
            expires_at: None,
            expired_url: None,
            limit: None,
            forwards_query: None,
            gate: Gate::default(),
            card: "",
            app: "",
            program: None,
        }))
    }

    fn own() -> Site<'static> {
        Site::own(AccountId::new())
    }

    #[tokio::test]
    async fn concurrent_requests_load_once() {
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
                cache.evict(own(), "a");
                Ok::<_, ()>(target())
            })
            .await;
        assert!(stale.unwrap().is_some());
        assert!(cache.get(None, "a", 0, async || Ok::<_, ()>(None)).await.unwrap().is_none());
    }

    #[tokio::test]
    async fn a_link_of_an_account_evicted_while_loading_is_not_cached() {
        let cache = RedirectCache::default();
        let stale = cache
            .get(None, "a", 0, async || {
                let Some(target) = target() else { return Err(()) };
                cache.evict_account(target.account());
                Ok(Some(target))
            })
            .await;
        assert!(stale.unwrap().is_some());
        assert!(cache.get(None, "a", 0, async || Ok::<_, ()>(None)).await.unwrap().is_none());
    }

    #[tokio::test]
    async fn a_reserved_link_is_cached_unless_it_changed_again() {
        let cache = RedirectCache::default();
        assert!(cache.get(None, "a", 0, async || Ok::<_, ()>(None)).await.unwrap().is_none());
        cache.reserve(own(), "a")(&target().unwrap());
        assert!(cache.known("a").is_some());
        assert!(cache.get(None, "a", 0, async || Err(())).await.unwrap().is_some(), "the miss is forgotten");
        // Changed by another, between commit and here.
        let remember = cache.reserve(own(), "b");
        cache.evict(own(), "b");
        remember(&target().unwrap());
        assert!(cache.known("b").is_none());
        let (remember, gone) = (cache.reserve(own(), "c"), target().unwrap());
        cache.evict_account(gone.account());
        remember(&gone);
        assert!(cache.known("c").is_none());
        // A lookup that began before the commit finds nothing; this miss is not remembered after the commit.
        let remember = cache.reserve(own(), "d");
        let before = async || {
            remember(&target().unwrap());
            Ok::<_, ()>(None)
        };
        assert!(cache.get(None, "d", 0, before).await.unwrap().is_none());
        assert!(cache.get(None, "d", 0, async || Err(())).await.unwrap().is_some());
    }

    #[tokio::test]
    async fn misses_do_not_displace_links() {
        let cache = RedirectCache::default();
        cache.reserve(own(), "kept")(&target().unwrap());
        for number in 0..100_000 {
            let missed = cache.get(None, &format!("m{number}"), 0, async || Ok::<_, ()>(None)).await;
            assert!(missed.unwrap().is_none());
        }
        assert!(cache.known("kept").is_some());
        assert!(cache.missed.weight() <= MAX_MISSED as u64 && cache.missed.len() >= 10_000);
    }

    #[tokio::test]
    async fn a_miss_is_remembered_briefly_and_sites_are_apart() {
        let cache = RedirectCache::default();
        let (hers, his) = (AccountId::new(), AccountId::new());
        let at = |account| Some(Site::exact("h", account));
        assert!(cache.get(at(hers), "a", 0, async || Ok::<_, ()>(None)).await.unwrap().is_none());
        assert!(cache.get(at(hers), "a", 999, async || Err(())).await.unwrap().is_none());
        assert!(cache.get(at(hers), "a", 1_000, async || Ok::<_, ()>(target())).await.unwrap().is_some());
        assert!(cache.get(at(his), "a", 1_000, async || Err(())).await.is_err());
        assert!(cache.get(None, "a", 1_000, async || Err(())).await.is_err());
    }

    #[tokio::test]
    async fn a_link_cached_in_any_case_is_not_found_by_an_exact_lookup() {
        let (cache, account) = (RedirectCache::default(), AccountId::new());
        let exact = Site::exact("h", account);
        let any = Site { ignores_case: true, ..exact };
        cache.reserve(any, "Spring")(&target().unwrap());
        for slug in ["Spring", "spring", "SPRING"] {
            assert!(cache.get(Some(any), slug, 0, async || Err(())).await.unwrap().is_some());
            assert!(cache.get(Some(exact), slug, 0, async || Err(())).await.is_err());
        }
        // A change evicts both entries, whether its host ignores case or not.
        cache.reserve(exact, "Spring")(&target().unwrap());
        cache.evict(exact, "Spring");
        assert!(cache.get(Some(any), "spring", 0, async || Err(())).await.is_err());
        assert!(cache.get(Some(exact), "Spring", 0, async || Err(())).await.is_err());
    }
}
