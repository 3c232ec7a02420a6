//! The directory of an account's index: its blocks in the order of ids.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Version of the format of directories and blocks. An index of another one is made anew.
const VERSION: u8 = 1;

/// A range of ids, from this entry's to the next one's, with the block of its links.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    first: [u8; 16],
    block: Option<[u8; 16]>,
}

impl Entry {
    pub(crate) fn new(first: Uuid, block: Option<Uuid>) -> Self {
        Entry { first: first.into_bytes(), block: block.map(Uuid::into_bytes) }
    }

    /// The lowest id that the range has.
    pub(crate) fn first(&self) -> Uuid {
        Uuid::from_bytes(self.first)
    }

    /// The block. `None`: the links of the range are not indexed yet.
    pub(crate) fn block(&self) -> Option<Uuid> {
        self.block.map(Uuid::from_bytes)
    }
}

/// Ranges that together have all ids, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Directory(Vec<Entry>);

impl Default for Directory {
    /// No link is indexed yet.
    fn default() -> Self {
        Directory(vec![Entry::new(Uuid::nil(), None)])
    }
}

impl Directory {
    /// `None`: it is damaged, or of another version.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let (VERSION, entries) = bytes.split_first().map(|(version, rest)| (*version, rest))? else { return None };
        let entries: Vec<Entry> = postcard::from_bytes(entries).ok()?;
        entries.first().is_some_and(|first| first.first() == Uuid::nil()).then_some(Directory(entries))
    }

    pub(crate) fn written(&self) -> Result<Vec<u8>, postcard::Error> {
        postcard::to_extend(&self.0, vec![VERSION])
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.0
    }

    /// The first id after the range. `None`: it is the last one.
    pub(crate) fn end(&self, index: usize) -> Option<Uuid> {
        self.0.get(index + 1).map(Entry::first)
    }

    /// The range that has this id.
    pub(crate) fn of(&self, id: Uuid) -> usize {
        self.0.partition_point(|entry| entry.first() <= id).saturating_sub(1)
    }

    /// The first range whose links are not indexed.
    pub(crate) fn missing(&self) -> Option<usize> {
        self.0.iter().position(|entry| entry.block.is_none())
    }

    /// Puts these ranges in the place of one. They begin where it begins.
    pub(crate) fn replace(&mut self, index: usize, by: Vec<Entry>) {
        self.0.splice(index..=index, by);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_found_replaced_and_read_as_written() {
        let id = Uuid::from_u128;
        let mut directory = Directory::default();
        assert_eq!((directory.missing(), directory.of(id(7)), directory.end(0)), (Some(0), 0, None));
        let by = vec![Entry::new(id(0), Some(id(91))), Entry::new(id(5), Some(id(92))), Entry::new(id(9), None)];
        directory.replace(0, by);
        assert_eq!((directory.missing(), directory.end(0), directory.end(2)), (Some(2), Some(id(5)), None));
        assert_eq!([0, 4, 5, 8, 9, u128::MAX].map(|number| directory.of(id(number))), [0, 0, 1, 1, 2, 2]);
        let written = directory.written().unwrap();
        assert_eq!(Directory::read(&written), Some(directory));
        for damaged in [&[][..], &[2], &[VERSION], &written[..written.len() - 1]] {
            assert_eq!(Directory::read(damaged), None);
        }
    }
}
