//! What was found out, and what was found not to be there.

use std::sync::atomic::{AtomicU64, Ordering};

use compact_str::CompactString;
use quick_cache::{Weighter, sync::Cache};

use crate::clock::Millis;

/// Misses remembered at most. They have a place of their own: whoever tries slugs out displaces no link.
pub(super) const MAX_MISSES: usize = 50_000;
/// How long a miss is remembered. What is new drops it at once on its own node; this bounds the rest.
pub(super) const MISS_LIFETIME: Millis = 1_000;

/// What an entry takes of a cache's capacity.
pub(super) trait Weight {
    /// Beside its key.
    fn weight(&self) -> u64;
}

#[derive(Clone, Debug)]
pub(super) struct ByWeight;

impl<T: Weight> Weighter<CompactString, T> for ByWeight {
    fn weight(&self, key: &CompactString, value: &T) -> u64 {
        key.len() as u64 + value.weight()
    }
}

/// Finds are remembered until they are forgotten, misses for [`MISS_LIFETIME`].
pub(super) struct Remembered<T> {
    pub(super) found: Cache<CompactString, T, ByWeight>,
    /// Until when there is nothing.
    pub(super) missed: Cache<CompactString, Millis>,
    /// How often something was forgotten so far, and how often everything of an account was.
    changes: AtomicU64,
    cleared: AtomicU64,
}

impl<T: Clone + Weight> Remembered<T> {
    pub(super) fn new(items: usize, capacity: u64) -> Self {
        Remembered {
            found: Cache::with_weighter(items, capacity, ByWeight),
            missed: Cache::new(MAX_MISSES),
            changes: AtomicU64::new(0),
            cleared: AtomicU64::new(0),
        }
    }

    /// What is known without looking: none is unknown.
    pub(super) fn known(&self, key: &str, now: Millis) -> Option<Option<T>> {
        self.found.get(key).map(Some).or_else(|| self.is_missed(key, now).then_some(None))
    }

    pub(super) fn is_missed(&self, key: &str, now: Millis) -> bool {
        self.missed.get(key).is_some_and(|until| until > now)
    }

    /// What is known, or what `load` finds out: once, however many ask at the same time. What is forgotten while it is
    /// loaded is not remembered: [`forget`](Self::forget) drops the place kept for it.
    pub(super) async fn get<E>(
        &self,
        key: &str,
        now: Millis,
        load: impl AsyncFnOnce() -> Result<Option<T>, E>,
    ) -> Result<Option<T>, E> {
        if let Some(known) = self.known(key, now) {
            return Ok(known);
        }
        let place = match self.found.get_value_or_guard_async(&CompactString::from(key)).await {
            Ok(found) => return Ok(Some(found)),
            // Another found out that there is nothing, while this one waited.
            Err(_) if self.is_missed(key, now) => return Ok(None),
            Err(place) => place,
        };
        let (changes, cleared) = (self.changes(), self.cleared());
        let found = load().await?;
        match &found {
            Some(found) => {
                let _ = place.insert(found.clone());
                // Of this the place does not tell.
                if self.cleared() != cleared {
                    self.found.remove(key);
                }
            }
            // The place is given up after this is known: who waits for it need not look again.
            None => {
                self.missed.insert(key.into(), now + MISS_LIFETIME);
                if self.changes() != changes {
                    self.missed.remove(key);
                }
            }
        }
        Ok(found)
    }

    pub(super) fn changes(&self) -> u64 {
        self.changes.load(Ordering::SeqCst)
    }

    pub(super) fn cleared(&self) -> u64 {
        self.cleared.load(Ordering::SeqCst)
    }

    /// Says that something changed: what is being found not to be there may be there by now.
    pub(super) fn note_change(&self) {
        self.changes.fetch_add(1, Ordering::SeqCst);
    }

    pub(super) fn forget(&self, key: &str) {
        self.note_change();
        self.drop(key);
    }

    pub(super) fn drop(&self, key: &str) {
        self.found.remove(key);
        self.missed.remove(key);
    }

    pub(super) fn forget_all(&self, gone: impl Fn(&T) -> bool) {
        self.note_change();
        self.cleared.fetch_add(1, Ordering::SeqCst);
        self.found.retain(|_, found| !gone(found));
    }
}
