//! Caches of what is made at most once in a while, for all who ask.

use std::{hash::Hash, time::Duration};

use quick_cache::{Weighter, sync::Cache};
use tokio::time::timeout;

use super::{clock::UnixMillis, error::ApiError, weight::ENTRY};

/// Entries that are expected: few, so that a cache is divided into few parts, each of which has room for the longest value.
const EXPECTED: usize = 64;

/// How long a caller waits for another one that makes the value: about as long as that may take.
const PATIENCE: Duration = Duration::from_secs(4);

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
    patience: Duration,
}

impl<K: Eq + Hash + Copy, V: Cached> SharedCache<K, V> {
    /// A cache of at most so many bytes, of values that live for so long.
    pub(crate) fn new(bytes: u64, lifetime: UnixMillis) -> Self {
        let known = Cache::with_weighter(EXPECTED, bytes, ByContent);
        SharedCache { known, making: Cache::new(EXPECTED), lifetime, patience: PATIENCE }
    }

    /// The value of this key. `make` makes it if it is not known: once for concurrent requests. A failure is not kept. Fails with UNAVAILABLE when
    /// others take too long: of many who wait for a store that is away, each would try after the one before.
    pub(crate) async fn get(
        &self,
        key: K,
        now: UnixMillis,
        make: impl AsyncFnOnce() -> Result<V, ApiError>,
    ) -> Result<V, ApiError> {
        if let Some(known) = self.known(key, now) {
            return Ok(known);
        }
        // No value is ever put there: whoever has the place makes it, and the next one looks again.
        let place = timeout(self.patience, self.making.get_value_or_guard_async(&key)).await;
        let _place = place.map_err(|_| ApiError::unavailable())?;
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
    use crate::base::error::Code;

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
        let get = async |now, made: Option<u64>| {
            let make = async || made.map(Long).ok_or_else(ApiError::unavailable);
            cache.get(1, now, make).await.ok().map(|it| it.0)
        };
        assert_eq!(get(0, Some(3)).await, Some(3));
        assert_eq!(get(59, None).await, Some(3));
        assert_eq!(get(60, Some(7)).await, Some(7));
        assert_eq!(get(119, None).await, Some(7));
        cache.evict(1);
        assert_eq!(get(60, None).await, None);
    }

    #[tokio::test]
    async fn a_value_is_made_once_for_all_who_ask_at_once() {
        let (cache, makings) = (cache(), AtomicUsize::new(0));
        let make = async || {
            makings.fetch_add(1, Ordering::SeqCst);
            yield_now().await;
            Ok(Long(7))
        };
        for now in [0, 60] {
            let found = join_all((0..64).map(|_| cache.get(1, now, make))).await;
            assert!(found.iter().all(|found| found.as_ref().is_ok_and(|found| *found == Long(7))));
        }
        assert_eq!(makings.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn nobody_waits_for_long_for_another() {
        let cache = SharedCache { patience: Duration::from_millis(20), ..cache() };
        let stuck = async || std::future::pending().await;
        let later = async {
            yield_now().await;
            let refused = cache.get(1, 0, async || Ok(Long(7))).await;
            assert_eq!(refused.map_err(|error| error.code), Err(Code::Unavailable));
            // Others are not held up.
            assert_eq!(cache.get(2, 0, async || Ok(Long(7))).await.ok(), Some(Long(7)));
        };
        tokio::select! {
            biased;
            _ = cache.get(1, 0, stuck) => panic!("it was made"),
            () = later => {}
        }
        // A caller that goes away leaves its place.
        assert_eq!(cache.get(1, 0, async || Ok(Long(7))).await.ok(), Some(Long(7)));
    }

    #[tokio::test]
    async fn the_longest_values_are_kept_and_all_together_have_a_bound() {
        let cache = cache();
        for key in 0..100 {
            assert_eq!(cache.get(key, 0, async || Ok(Long(1 << 20))).await.ok(), Some(Long(1 << 20)));
            assert!(cache.known.peek(&key).is_some());
        }
        assert!(cache.known.weight() <= MAX_BYTES);
    }
}
