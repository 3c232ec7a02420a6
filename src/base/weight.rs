//! Weights of cache entries, in bytes: caches whose keys come from outside are bounded by these, not by numbers.

use compact_str::CompactString;
use quick_cache::{Weighter, sync::Cache};

/// Bytes of an entry beside its texts: key and value as they stand in the cache, its links to neighbours, its place in the
/// hash table, and what is remembered of entries that were evicted.
pub(crate) const ENTRY: u64 = 128;
/// Bytes that the allocator adds to a text.
const ALLOCATED: usize = 16;

/// Weight of a text on the heap.
pub(crate) fn of_text(text: &str) -> u64 {
    (text.len() + ALLOCATED) as u64
}

/// Weighs keys; values are small, and of one size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByKey;

impl<V> Weighter<CompactString, V> for ByKey {
    fn weight(&self, key: &CompactString, _: &V) -> u64 {
        ENTRY + if key.is_heap_allocated() { of_text(key) } else { 0 }
    }
}

/// A cache of at most so many bytes.
pub(crate) fn cache<K: Eq + std::hash::Hash, V: Clone, W: Weighter<K, V> + Clone>(
    bytes: usize,
    weighter: W,
) -> Cache<K, V, W> {
    // Entries have some 256 bytes each; by their number it chooses how it is divided.
    Cache::with_weighter(bytes / 256, bytes as u64, weighter)
}
