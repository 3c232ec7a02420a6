//! What a redirect needs, in memory: bounded, and dropped the moment a link changes.

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

/// Entries held at most. At about 300 bytes each that is 60 MB.
const CAPACITY: usize = 200_000;
/// How long a miss is remembered. A new link drops it at once on its own node; this bounds the rest.
pub const MISS_LIFETIME: Millis = 1_000;

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

/// What is known of a host and slug.
#[derive(Clone, Debug)]
pub enum Known {
    /// It redirects.
    Target(Arc<Target>),
    /// It does not, until then.
    Nothing {
        /// When to look again.
        until: Millis,
    },
}

/// All that is known.
pub struct RedirectCache {
    entries: Cache<Box<str>, Known>,
    /// Accounts forgotten so far.
    forgotten: AtomicU64,
}

impl Default for RedirectCache {
    fn default() -> Self {
        RedirectCache { entries: Cache::new(CAPACITY), forgotten: AtomicU64::new(0) }
    }
}

/// `slug` for the service's own host, `host/slug` for others: no slug contains a slash.
fn key(host: &str, slug: &str) -> Box<str> {
    if host.is_empty() { slug.into() } else { format!("{host}/{slug}").into() }
}

impl RedirectCache {
    /// What is known, or what `load` finds out: once, however many ask at the same time. A link that changes while it
    /// is loaded is not remembered, since [`forget`](Self::forget) drops the place kept for it, nor is one whose account
    /// may have been forgotten meanwhile.
    pub async fn get<E>(
        &self,
        host: &str,
        slug: &str,
        now: Millis,
        load: impl AsyncFnOnce() -> Result<Known, E>,
    ) -> Result<Known, E> {
        let found = if host.is_empty() { self.entries.get(slug) } else { self.entries.get(&*key(host, slug)) };
        match found {
            Some(Known::Nothing { until }) if until <= now => {
                self.entries.remove(&*key(host, slug));
            }
            Some(known) => return Ok(known),
            None => {}
        }
        match self.entries.get_value_or_guard_async(&key(host, slug)).await {
            Ok(known) => Ok(known),
            Err(place) => {
                let forgotten = self.forgotten.load(Ordering::SeqCst);
                let known = load().await?;
                let _ = place.insert(known.clone());
                if self.forgotten.load(Ordering::SeqCst) != forgotten {
                    self.forget(host, slug);
                }
                Ok(known)
            }
        }
    }

    /// Drops what is known of a host and slug. Call it after the commit.
    pub fn forget(&self, host: &str, slug: &str) {
        self.entries.remove(&*key(host, slug));
    }

    /// Drops all links of an account.
    pub fn forget_account(&self, account: AccountId) {
        self.forgotten.fetch_add(1, Ordering::SeqCst);
        self.entries.retain(|_, known| !matches!(known, Known::Target(target) if target.account == account));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn target() -> Known {
        Known::Target(Arc::new(Target {
            location: HeaderValue::from_static("https://example.com/"),
            link: LinkId::new(),
            account: AccountId::new(),
        }))
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
                    cache.get("", "a", 0, load).await.unwrap()
                })
            })
            .collect();
        for asked in asking {
            assert!(matches!(asked.await.unwrap(), Known::Target(_)));
        }
        assert_eq!(loads.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn a_change_while_loading_is_not_overwritten() {
        let cache = RedirectCache::default();
        let stale = cache
            .get("", "a", 0, async || {
                cache.forget("", "a");
                Ok::<_, ()>(target())
            })
            .await;
        assert!(matches!(stale, Ok(Known::Target(_))));
        let fresh = cache.get("", "a", 0, async || Ok::<_, ()>(Known::Nothing { until: 1 })).await;
        assert!(matches!(fresh, Ok(Known::Nothing { .. })));
    }

    #[tokio::test]
    async fn a_link_of_an_account_forgotten_while_loading_is_not_remembered() {
        let cache = RedirectCache::default();
        let stale = cache
            .get("", "a", 0, async || {
                let Known::Target(target) = target() else { return Err(()) };
                cache.forget_account(target.account);
                Ok(Known::Target(target))
            })
            .await;
        assert!(matches!(stale, Ok(Known::Target(_))));
        let fresh = cache.get("", "a", 0, async || Ok::<_, ()>(Known::Nothing { until: 1 })).await;
        assert!(matches!(fresh, Ok(Known::Nothing { .. })));
    }

    #[tokio::test]
    async fn a_miss_is_remembered_briefly() {
        let cache = RedirectCache::default();
        let nothing = async || Ok::<_, ()>(Known::Nothing { until: 1_000 });
        assert!(matches!(cache.get("h", "a", 0, nothing).await, Ok(Known::Nothing { .. })));
        assert!(matches!(cache.get("h", "a", 999, async || Err(())).await, Ok(Known::Nothing { .. })));
        assert!(matches!(cache.get("h", "a", 1_000, async || Ok::<_, ()>(target())).await, Ok(Known::Target(_))));
        assert!(cache.get("", "a", 0, async || Err(())).await.is_err());
    }
}
