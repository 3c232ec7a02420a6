//! Sets of a block's links.

use serde::{Deserialize, Serialize};

/// A set of links of a block, by their places in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Places(Vec<u64>);

impl Places {
    /// No place of so many.
    pub(crate) fn none(links: usize) -> Self {
        Places(vec![0; links.div_ceil(64)])
    }

    /// The first places, so many.
    pub(crate) fn all(links: usize) -> Self {
        (0..links).collect::<Places>()
    }

    pub(crate) fn insert(&mut self, place: usize) {
        if self.0.len() <= place / 64 {
            self.0.resize(place / 64 + 1, 0);
        }
        self.0[place / 64] |= 1 << (place % 64);
    }

    pub(crate) fn remove(&mut self, place: usize) {
        if let Some(word) = self.0.get_mut(place / 64) {
            *word &= !(1 << (place % 64));
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Adds those of the other set.
    pub(crate) fn add(&mut self, other: &Places) {
        other.iter().for_each(|place| self.insert(place));
    }

    /// Keeps those that are in the other set (`true`), or those that are not.
    pub(crate) fn keep(&mut self, other: &Places, is_in: bool) {
        for (index, word) in self.0.iter_mut().enumerate() {
            let other = other.0.get(index).copied().unwrap_or(0);
            *word &= if is_in { other } else { !other };
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        let places = |(index, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| index * 64 + bit)
        };
        self.0.iter().enumerate().flat_map(places)
    }
}

impl FromIterator<usize> for Places {
    fn from_iter<I: IntoIterator<Item = usize>>(places: I) -> Self {
        let mut set = Places::default();
        places.into_iter().for_each(|place| set.insert(place));
        set
    }
}
