//! Caches of what is made at most once in a while, for all who ask.

use std::hash::Hash;

use quick_cache::{Weighter, sync::Cache};

use super::{clock::UnixMillis, weight::ENTRY};

/// Entries that are expected: few, so that a cache is divided into few parts, each of which has room for the longest value.
const EXPECTED: usize = 64;

/// A value of a cache.
pub(crate) trait Cached: Clone {
    /// Bytes on the heap.
    fn weight(&self) -> u64;
}

/// Weighs contents.
#[derive(Clone)]
struct ByContent;

impl<K, V: Cached> Weighter<K, (V, UnixMillis)> for ByContent {
    fn weight(&self, _: &K, (value, _): &(V, UnixMillis)) -> u64 {
        ENTRY + value.weight()
    }
}

/// Values that were asked for lately, each with the time until which it is believed.
pub(crate) struct SharedCache<K, V> {
    known: Cache<K, (V, UnixMillis), ByContent>,
    /// Keys whose values are being made.
    making: Cache<K, ()>,
    lifetime: UnixMillis,
}

impl<K: Eq + Hash + Copy, V: Cached> SharedCache<K, V> {
    /// A cache of at most so many bytes, of values that live for so long.
    pub(crate) fn new(bytes: u64, lifetime: UnixMillis) -> Self {
        let known = Cache::with_weighter(EXPECTED, bytes, ByContent);
        SharedCache { known, making: Cache::new(EXPECTED), lifetime }
    }

    /// The value of this key. `make` makes it if it is not known: once for concurrent requests. A failure is not kept.
    pub(crate) async fn get<E>(
        &self,
        key: K,
        now: UnixMillis,
        make: impl AsyncFnOnce() -> Result<V, E>,
    ) -> Result<V, E> {
        if let Some(known) = self.known(key, now) {
            return Ok(known);
        }
        // No value is ever put there: whoever has the place makes it, and the next one looks again.
        let _place = self.making.get_value_or_guard_async(&key).await;
        if let Some(known) = self.known(key, now) {
            return Ok(known);
        }
        let made = make().await?;
        self.known.insert(key, (made.clone(), now + self.lifetime));
        Ok(made)
    }

    /// Forgets the value of a key.
    pub(crate) fn evict(&self, key: K) {
        self.known.remove(&key);
    }

    fn known(&self, key: K, now: UnixMillis) -> Option<V> {
        self.known.get(&key).filter(|(_, until)| *until > now).map(|(value, _)| value)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::future::join_all;
    use tokio::task::yield_now;

    use super::*;

    const MAX_BYTES: u64 = 16 << 20;

    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Long(u64);

    impl Cached for Long {
        fn weight(&self) -> u64 {
            self.0
        }
    }

    fn cache() -> SharedCache<u32, Long> {
        SharedCache::new(MAX_BYTES, 60)
    }

    #[tokio::test]
    async fn a_value_is_made_again_after_its_life() {
        let cache = cache();
        let get = async |now, made: Result<u64, ()>| cache.get(1, now, async || made.map(Long)).await.map(|it| it.0);
        assert_eq!(get(0, Ok(3)).await, Ok(3));
        assert_eq!(get(59, Err(())).await, Ok(3));
        assert_eq!(get(60, Ok(7)).await, Ok(7));
        assert_eq!(get(119, Err(())).await, Ok(7));
        cache.evict(1);
        assert_eq!(get(60, Err(())).await, Err(()));
    }

    #[tokio::test]
    async fn a_value_is_made_once_for_all_who_ask_at_once() {
        let (cache, makings) = (cache(), AtomicUsize::new(0));
        let make = async || {
            makings.fetch_add(1, Ordering::SeqCst);
            yield_now().await;
            Ok::<_, ()>(Long(7))
        };
        for now in [0, 60] {
            let found = join_all((0..64).map(|_| cache.get(1, now, make))).await;
            assert!(found.iter().all(|found| *found == Ok(Long(7))));
        }
        assert_eq!(makings.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn the_longest_values_are_kept_and_all_together_have_a_bound() {
        let cache = cache();
        for key in 0..100 {
            assert_eq!(cache.get(key, 0, async || Ok::<_, ()>(Long(1 << 20))).await, Ok(Long(1 << 20)));
            assert!(cache.known.peek(&key).is_some());
        }
        assert!(cache.known.weight() <= MAX_BYTES);
    }
}
