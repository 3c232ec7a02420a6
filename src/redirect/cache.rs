//! What redirects need, in memory: bounded, and dropped the moment it changes.

use std::{sync::Arc, time::Duration};

use compact_str::{CompactString, format_compact};
use quick_cache::sync::GuardResult;
use uuid::Uuid;

use super::remembered::{MISS_LIFETIME, Remembered, Weight};
use crate::{
    clock::Millis,
    ids::{AccountId, LinkId},
};

/// Bytes of links held at most: some 1,100,000 links with short destinations.
const MAX_BYTES: u64 = 192 << 20;
/// Bytes that a link takes beside its texts: measured, with 1,000,000 of them.
const ENTRY_BYTES: u64 = 110;
/// Hosts held at most.
const MAX_HOSTS: usize = 50_000;

/// A link that redirects: link, account and destination in one place of memory, where a cache is too large for the
/// processor's.
#[derive(Clone, Debug)]
pub struct Target(Arc<[u8]>);

const ID: usize = size_of::<Uuid>();

impl Target {
    /// What is needed of a link. A stored destination is a serialised URL, which has no control characters; whatever
    /// else is stored ends no header field.
    pub fn new(link: LinkId, account: AccountId, destination_url: &str) -> Self {
        let location = destination_url.bytes().filter(|byte| !byte.is_ascii_control());
        Target(link.0.into_bytes().into_iter().chain(account.0.into_bytes()).chain(location).collect())
    }

    /// The link.
    pub fn link(&self) -> LinkId {
        LinkId(self.id(0))
    }

    /// Its account.
    pub fn account(&self) -> AccountId {
        AccountId(self.id(ID))
    }

    /// Where to.
    pub fn location(&self) -> &[u8] {
        self.0.get(2 * ID..).unwrap_or_default()
    }

    fn id(&self, at: usize) -> Uuid {
        self.0.get(at..).and_then(<[u8]>::first_chunk).copied().map(Uuid::from_bytes).unwrap_or_default()
    }
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
    fn key(&self, slug: &str) -> CompactString {
        if self.host.is_empty() { slug.into() } else { format_compact!("{}/{}/{slug}", self.host, self.account) }
    }
}

impl Weight for Target {
    fn weight(&self) -> u64 {
        self.0.len() as u64 + ENTRY_BYTES
    }
}

/// Which links redirect, and where to.
pub struct RedirectCache(Remembered<Target>);

impl Default for RedirectCache {
    fn default() -> Self {
        RedirectCache(Remembered::new(usize::try_from(MAX_BYTES / ENTRY_BYTES).unwrap_or(usize::MAX), MAX_BYTES))
    }
}

impl RedirectCache {
    /// The target of a slug on the service's own host (none), or at another site, if it is known without looking.
    pub fn known(&self, site: Option<Site<'_>>, slug: &str) -> Option<Target> {
        match site {
            None => self.0.found.get(slug),
            Some(site) => self.0.found.get(&*site.key(slug)),
        }
    }

    /// The target of a slug on the service's own host (none), or at another site.
    pub async fn get<E>(
        &self,
        site: Option<Site<'_>>,
        slug: &str,
        now: Millis,
        load: impl AsyncFnOnce() -> Result<Option<Target>, E>,
    ) -> Result<Option<Target>, E> {
        match site {
            None => self.0.get(slug, now, load).await,
            Some(site) => self.0.get(&site.key(slug), now, load).await,
        }
    }

    /// Keeps a place for what a change is about to make known: who follows a new link finds it here. Take it before the
    /// change commits, and call the answer after: what is forgotten in between is not remembered.
    pub fn expect(&self, site: Site<'_>, slug: &str) -> impl FnOnce(Target) {
        let key = site.key(slug);
        let place = match self.0.found.get_value_or_guard(&key, Some(Duration::ZERO)) {
            GuardResult::Guard(place) => Some(place),
            GuardResult::Value(_) | GuardResult::Timeout => None,
        };
        let cleared = self.0.cleared();
        move |target| {
            self.0.note_change();
            self.0.missed.remove(&*key);
            let is_kept = place.is_some_and(|place| place.insert(target).is_ok());
            if !is_kept || self.0.cleared() != cleared {
                self.0.found.remove(&*key);
            }
        }
    }

    /// Drops what is known of a slug at a site. Call it after the commit.
    pub fn forget(&self, site: Site<'_>, slug: &str) {
        self.0.forget(&site.key(slug));
    }

    /// Drops all links of an account.
    pub fn forget_account(&self, account: AccountId) {
        self.0.forget_all(|target| target.account() == account);
    }
}

impl Weight for AccountId {
    fn weight(&self) -> u64 {
        ENTRY_BYTES
    }
}

/// Which account a host, other than the service's own, serves the links of now.
pub struct HostCache {
    owners: Remembered<AccountId>,
}

impl Default for HostCache {
    fn default() -> Self {
        HostCache { owners: Remembered::new(MAX_HOSTS, MAX_HOSTS as u64 * 2 * ENTRY_BYTES) }
    }
}

impl HostCache {
    /// The host's account, if it is known without looking.
    pub fn known(&self, host: &str) -> Option<AccountId> {
        self.owners.found.get(host)
    }

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
            let changes = self.owners.changes();
            let mut loaded = load(unknown.clone()).await?.into_iter();
            for (host, owner) in unknown.iter().zip(owners.iter_mut().filter(|owner| owner.is_none())) {
                let found = loaded.next().flatten();
                match found {
                    Some(found) => self.owners.found.insert(host.as_str().into(), found),
                    None => self.owners.missed.insert(host.as_str().into(), now + MISS_LIFETIME),
                }
                *owner = Some(found);
            }
            if self.owners.changes() != changes {
                unknown.iter().for_each(|host| self.owners.drop(host));
            }
        }
        Ok(owners.into_iter().map(Option::flatten).collect())
    }

    /// Drops what is known of a host. Call it after the commit of whatever changes who is served there.
    pub fn forget(&self, host: &str) {
        self.owners.forget(host);
    }

    /// Drops all hosts of an account.
    pub fn forget_account(&self, account: AccountId) {
        self.owners.forget_all(|owner| *owner == account);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::redirect::remembered::MAX_MISSES;

    fn target() -> Option<Target> {
        Some(Target::new(LinkId::new(), AccountId::new(), "https://example.com/"))
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
                cache.forget_account(target.account());
                Ok(Some(target))
            })
            .await;
        assert!(stale.unwrap().is_some());
        assert!(cache.get(None, "a", 0, async || Ok::<_, ()>(None)).await.unwrap().is_none());
    }

    #[tokio::test]
    async fn what_was_expected_is_known_unless_it_changed_again() {
        let cache = RedirectCache::default();
        assert!(cache.get(None, "a", 0, async || Ok::<_, ()>(None)).await.unwrap().is_none());
        cache.expect(own(), "a")(target().unwrap());
        assert!(cache.known(None, "a").is_some());
        assert!(cache.get(None, "a", 0, async || Err(())).await.unwrap().is_some(), "the miss is forgotten");
        // Changed by another, between commit and here.
        let remember = cache.expect(own(), "b");
        cache.forget(own(), "b");
        remember(target().unwrap());
        assert!(cache.known(None, "b").is_none());
        let (remember, gone) = (cache.expect(own(), "c"), target().unwrap());
        cache.forget_account(gone.account());
        remember(gone);
        assert!(cache.known(None, "c").is_none());
        // Who asks meanwhile waits; what did not come about is looked up.
        let remember = cache.expect(own(), "d");
        let asking = cache.get(None, "d", 0, async || Ok::<_, ()>(None));
        let (asked, ()) = tokio::join!(asking, async { drop(remember) });
        assert!(asked.unwrap().is_none());
        // What is known already is looked up anew.
        cache.expect(own(), "a")(target().unwrap());
        assert!(cache.known(None, "a").is_none());
    }

    #[tokio::test]
    async fn misses_do_not_displace_links() {
        let cache = RedirectCache::default();
        cache.expect(own(), "kept")(target().unwrap());
        for number in 0..MAX_MISSES * 3 {
            let missed = cache.get(None, &format!("m{number}"), 0, async || Ok::<_, ()>(None)).await;
            assert!(missed.unwrap().is_none());
        }
        assert!(cache.known(None, "kept").is_some());
        assert!(cache.0.missed.len() <= MAX_MISSES);
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
