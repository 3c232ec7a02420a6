//! Values by key, in a few large segments of memory instead of a million allocations. A link's key, ids and destination are adjacent:
//! a lookup that misses the processor's caches costs two or three reads of memory.
//!
//! New entries are appended to the newest segment. When the maximum number of segments is reached, the oldest is emptied: entries
//! that were read since they were written there are kept (the CLOCK algorithm), the others are evicted.

use std::{collections::VecDeque, hash::BuildHasher};

use foldhash::quality::RandomState;
use hashbrown::HashTable;
use parking_lot::{Mutex, MutexGuard};

/// Shards, each with a lock of its own.
const SHARDS: usize = 16;
/// Bytes of a segment.
const SEGMENT: usize = 512 << 10;
/// Alignment of entries, in bytes: so a [`Place`] has 16 bits for the segment and 16 for the offset.
const UNIT: usize = 8;
/// Bytes of an entry's header: hash (u32), length of key and value together (u16), length of the key (u16, whose highest bit is
/// [`ASKED_FOR`]).
const HEADER: usize = 8;
const ASKED_FOR: u16 = 1 << 15;

/// Values by key, bounded in bytes.
pub(super) struct Arena {
    shards: [Mutex<Shard>; SHARDS],
    hasher: RandomState,
}

/// Number of evictions in a shard so far. A value that was loaded at one version is not inserted at a later one, since it may be stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Version(u64);

impl Arena {
    /// Creates an arena of segments of `bytes` in all, at least one for each shard, which are allocated when needed. The table takes
    /// about 12 bytes more for each entry.
    pub(super) fn new(bytes: usize) -> Self {
        let segments = (bytes / SHARDS / SEGMENT).clamp(1, 1 << 16);
        let shard = || {
            let (table, order) = (HashTable::new(), VecDeque::new());
            Mutex::new(Shard { table, segments: Vec::new(), order, most: segments, version: Version(0) })
        };
        Arena { shards: std::array::from_fn(|_| shard()), hasher: RandomState::default() }
    }

    /// Reads the key's value with `read`, and marks its entry as asked for. `None`: there is no entry.
    pub(super) fn get<T>(&self, key: &[u8], read: impl FnOnce(&[u8]) -> T) -> Option<T> {
        let (hash, mut shard) = self.shard(key);
        let place = shard.find(hash, key)?;
        shard.note_asked(place);
        shard.entry(place).map(|entry| read(entry.value))
    }

    /// The version of the key's shard.
    pub(super) fn version(&self, key: &[u8]) -> Version {
        self.shard(key).1.version
    }

    /// Inserts a value, unless its shard had an eviction since `version`.
    pub(super) fn insert(&self, key: &[u8], value: &[u8], version: Version) {
        let (hash, mut shard) = self.shard(key);
        if shard.version == version {
            shard.insert(hash, key, value);
        }
    }

    pub(super) fn evict(&self, key: &[u8]) {
        let (hash, mut shard) = self.shard(key);
        shard.version.0 += 1;
        shard.remove(hash, key);
    }

    /// Evicts all entries whose values satisfy `is_gone`.
    pub(super) fn evict_all(&self, is_gone: impl Fn(&[u8]) -> bool) {
        for shard in &self.shards {
            let Shard { table, segments, version, .. } = &mut *shard.lock();
            version.0 += 1;
            table.retain(|slot| entry(segments, slot.place).is_some_and(|entry| !is_gone(entry.value)));
        }
    }

    fn shard(&self, key: &[u8]) -> (u32, MutexGuard<'_, Shard>) {
        let hash = self.hasher.hash_one(key);
        // The shard is chosen by other bits of the hash than the slot in its table.
        let shard = &self.shards[(hash >> 32) as usize % SHARDS];
        (hash as u32, shard.lock())
    }
}

/// Position of an entry: segment, and offset in multiples of [`UNIT`].
type Place = u32;

#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u32,
    place: Place,
}

struct Entry<'a> {
    hash: u32,
    key: &'a [u8],
    value: &'a [u8],
    is_asked_for: bool,
}

impl Entry<'_> {
    fn size(&self) -> usize {
        size(self.key.len() + self.value.len())
    }
}

struct Shard {
    table: HashTable<Slot>,
    segments: Vec<Vec<u8>>,
    /// Indexes of the segments: the oldest comes first, the one being written last.
    order: VecDeque<usize>,
    /// Maximum number of segments.
    most: usize,
    version: Version,
}

impl Shard {
    fn entry(&self, place: Place) -> Option<Entry<'_>> {
        entry(&self.segments, place)
    }

    fn find(&self, hash: u32, key: &[u8]) -> Option<Place> {
        let is_it = |slot: &Slot| slot.hash == hash && self.entry(slot.place).is_some_and(|entry| entry.key == key);
        self.table.find(spread(hash), is_it).map(|slot| slot.place)
    }

    fn note_asked(&mut self, place: Place) {
        let (segment, offset) = parts(place);
        // The high byte of the key's length, which is little-endian as all are.
        if let Some(high) = self.segments.get_mut(segment).and_then(|segment| segment.get_mut(offset + HEADER - 1)) {
            *high |= ASKED_FOR.to_le_bytes()[1];
        }
    }

    fn remove(&mut self, hash: u32, key: &[u8]) {
        let Shard { table, segments, .. } = self;
        let is_it = |slot: &Slot| entry(segments, slot.place).is_some_and(|entry| entry.key == key);
        if let Ok(found) = table.find_entry(spread(hash), is_it) {
            found.remove();
        }
    }

    fn insert(&mut self, hash: u32, key: &[u8], value: &[u8]) {
        self.remove(hash, key);
        // Entries of such a length are rare: they are not cached, but looked up each time.
        let size = size(key.len() + value.len());
        if size > SEGMENT / 16 || key.len() >= usize::from(ASKED_FOR) {
            return;
        }
        let has_room = |segment: &usize| self.segments.get(*segment).is_some_and(|it| it.len() + size <= SEGMENT);
        if !self.order.back().is_some_and(has_room) {
            self.make_room();
        }
        let Some(newest) = self.order.back().copied() else { return };
        let Some(segment) = self.segments.get_mut(newest) else { return };
        let place = append(segment, newest, hash, key, value);
        self.table.insert_unique(spread(hash), Slot { hash, place }, |slot| spread(slot.hash));
    }

    /// Adds an empty segment, or replaces the oldest one if the maximum is reached.
    fn make_room(&mut self) {
        let Shard { table, segments, order, most, .. } = self;
        let number = segments.len();
        if number < *most {
            segments.push(Vec::with_capacity(SEGMENT));
            order.push_back(number);
            return;
        }
        let Some(oldest) = order.pop_front() else { return };
        let mut fresh = Vec::with_capacity(SEGMENT);
        let mut offset = 0;
        while let Some(entry) = entry(segments, place(oldest, offset)) {
            let at = place(oldest, offset);
            offset += entry.size();
            // An entry that was evicted or replaced has no slot. A kept entry moves to an offset that this loop has passed: no later
            // entry is mistaken for it.
            let Ok(mut slot) = table.find_entry(spread(entry.hash), |slot| slot.place == at) else { continue };
            // At most half of the segment is kept, so that there is room for new entries.
            if entry.is_asked_for && fresh.len() + entry.size() <= SEGMENT / 2 {
                slot.get_mut().place = append(&mut fresh, oldest, entry.hash, entry.key, entry.value);
            } else {
                slot.remove();
            }
        }
        segments[oldest] = fresh;
        order.push_back(oldest);
    }
}

/// Appends an entry for which there is room.
fn append(segment: &mut Vec<u8>, number: usize, hash: u32, key: &[u8], value: &[u8]) -> Place {
    let place = place(number, segment.len());
    let length = key.len() + value.len();
    segment.extend_from_slice(&hash.to_le_bytes());
    segment.extend_from_slice(&(length as u16).to_le_bytes());
    segment.extend_from_slice(&(key.len() as u16).to_le_bytes());
    segment.extend_from_slice(key);
    segment.extend_from_slice(value);
    segment.resize(segment.len().next_multiple_of(UNIT), 0);
    place
}

fn entry(segments: &[Vec<u8>], place: Place) -> Option<Entry<'_>> {
    let (segment, offset) = parts(place);
    let (hash, rest) = segments.get(segment)?.get(offset..)?.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let (key_length, rest) = rest.split_first_chunk()?;
    let key_length = u16::from_le_bytes(*key_length);
    let (key, value) =
        rest.get(..u16::from_le_bytes(*length).into())?.split_at_checked((key_length & !ASKED_FOR).into())?;
    Some(Entry { hash: u32::from_le_bytes(*hash), key, value, is_asked_for: key_length & ASKED_FOR != 0 })
}

fn size(length: usize) -> usize {
    (HEADER + length).next_multiple_of(UNIT)
}

fn place(segment: usize, offset: usize) -> Place {
    ((segment << 16) | (offset / UNIT)) as Place
}

fn parts(place: Place) -> (usize, usize) {
    (place as usize >> 16, (place as usize & 0xffff) * UNIT)
}

/// Spreads a hash over 64 bits (Fibonacci hashing): the table takes the bucket from the lowest bits, and the tag of a slot from the
/// highest.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    fn known(arena: &Arena, key: &str) -> Option<Vec<u8>> {
        arena.get(key.as_bytes(), <[u8]>::to_vec)
    }

    fn insert(arena: &Arena, key: &str, value: &[u8]) {
        arena.insert(key.as_bytes(), value, arena.version(key.as_bytes()));
    }

    /// As much as the segments take.
    fn held(arena: &Arena) -> usize {
        arena.shards.iter().map(|shard| shard.lock().segments.iter().map(Vec::capacity).sum::<usize>()).sum()
    }

    #[test]
    fn a_value_loaded_before_an_eviction_is_not_inserted() {
        let arena = Arena::new(0);
        let before = arena.version(b"a");
        arena.evict(b"a");
        arena.insert(b"a", b"old", before);
        assert_eq!(known(&arena, "a"), None);
        let before = arena.version(b"a");
        arena.evict_all(|_| false);
        arena.insert(b"a", b"old", before);
        assert_eq!(known(&arena, "a"), None);
        insert(&arena, "a", b"new");
        assert_eq!(known(&arena, "a").as_deref(), Some(&b"new"[..]));
    }

    #[test]
    fn a_full_arena_evicts_entries_that_are_not_read() {
        let bytes = SHARDS * SEGMENT * 2;
        let arena = Arena::new(bytes);
        let value = [7; 100];
        for number in 0..100 {
            insert(&arena, &format!("hot{number}"), &value);
        }
        for number in 0..bytes / 20 {
            insert(&arena, &format!("cold{number}"), &value);
            if number % 1_000 == 0 {
                for number in 0..100 {
                    assert!(known(&arena, &format!("hot{number}")).is_some(), "{number}");
                }
            }
        }
        assert!(held(&arena) <= bytes);
        assert_eq!(known(&arena, "cold0"), None);
        assert!(known(&arena, &format!("cold{}", bytes / 20 - 1)).is_some());
        // All entries are read: a new one is inserted all the same.
        for number in 0..bytes / 50 {
            let key = format!("asked{number}");
            insert(&arena, &key, &value);
            assert!(known(&arena, &key).is_some());
        }
        let slots: usize = arena.shards.iter().map(|shard| shard.lock().table.len()).sum();
        assert!(slots * size(100) <= bytes, "what is gone is in no slot");
    }

    #[test]
    fn an_entry_that_is_too_long_is_not_cached() {
        let arena = Arena::new(0);
        insert(&arena, "a", b"short");
        insert(&arena, "a", &[1; SEGMENT / 16]);
        assert_eq!(known(&arena, "a"), None);
        insert(&arena, "a", &[1; SEGMENT / 16 - 100]);
        assert_eq!(known(&arena, "a").map(|value| value.len()), Some(SEGMENT / 16 - 100));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// An arena may lose entries, but never returns a replaced or evicted value.
        #[test]
        fn a_lookup_returns_the_last_value_or_none(
            steps in prop::collection::vec((0_u8..4, 0_u16..3_000, 0_usize..9_000), 1..4_000),
        ) {
            let (arena, mut model) = (Arena::new(0), HashMap::<u16, (u16, usize)>::new());
            for (round, (step, key, length)) in (0_u16..).zip(steps) {
                let name = key.to_string();
                match step {
                    0 | 1 => {
                        let value = [&round.to_le_bytes()[..], &vec![round as u8; length]].concat();
                        insert(&arena, &name, &value);
                        model.insert(key, (round, length));
                        prop_assert_eq!(known(&arena, &name), Some(value));
                    }
                    2 if round % 500 == 0 => {
                        arena.evict_all(|value| value.len() % 2 == 0);
                        model.retain(|_, (_, length)| (*length + 2) % 2 != 0);
                    }
                    2 => {
                        arena.evict(name.as_bytes());
                        model.remove(&key);
                    }
                    _ => match (known(&arena, &name), model.get(&key)) {
                        (None, _) => {}
                        (Some(value), expected) => {
                            let expected = expected.map(|(round, length)| [&round.to_le_bytes()[..], &vec![*round as u8; *length]].concat());
                            prop_assert_eq!(Some(value), expected);
                        }
                    },
                }
            }
            prop_assert!(held(&arena) <= SHARDS * SEGMENT);
        }
    }
}
