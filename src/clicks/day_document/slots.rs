//! Clicks of a day by quarter of an hour.

use super::{Counts, Unreadable, encoding::Reader, slot};
use crate::{base::clock::UnixMillis, clicks::number::put};

/// Slots of a day.
const SLOTS: u8 = 96;
/// First byte of a document. The first version was written by postcard.
const VERSION: u8 = 2;
/// Counts of most slots of a link, encoded in one byte: one click, by a person who is a new visitor.
const ONE: Counts = Counts { clicks: 1, bots: 0, visitors: 1, bot_visitors: 0 };

/// Clicks by slot of the UTC day, in the order of the slots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Slots(pub(crate) Vec<(u8, Counts)>);

impl Slots {
    /// Adds counts to the slot of this time.
    pub(crate) fn add(&mut self, time: UnixMillis, counts: Counts) {
        self.add_at(slot(time), counts);
    }

    /// Removes a visitor from the slot of this time: the click still counts, but not as the first of its visitor.
    pub(crate) fn remove_visitor(&mut self, time: UnixMillis, is_bot: bool) {
        if let Ok(at) = self.0.binary_search_by_key(&slot(time), |(slot, _)| *slot) {
            let counts = &mut self.0[at].1;
            counts.visitors = counts.visitors.saturating_sub(1);
            counts.bot_visitors = counts.bot_visitors.saturating_sub(u64::from(is_bot));
        }
    }

    fn add_at(&mut self, slot: u8, counts: Counts) {
        match self.0.binary_search_by_key(&slot, |(slot, _)| *slot) {
            Ok(at) => self.0[at].1 += counts,
            Err(at) => self.0.insert(at, (slot, counts)),
        }
    }

    /// Adds the counts of other slots of the same day.
    pub(crate) fn merge(&mut self, more: &Slots) {
        more.0.iter().for_each(|(slot, counts)| self.add_at(*slot, *counts));
    }

    /// Reads a document; one without bytes counts nothing.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, Unreadable> {
        match bytes.split_first() {
            None => Ok(Slots::default()),
            Some((1, bytes)) => postcard::from_bytes(bytes).map(Slots).map_err(|_| Unreadable),
            Some((&VERSION, bytes)) => {
                let mut slots = Vec::new();
                let mut reader = Reader::of_bytes(bytes);
                while !reader.is_over() {
                    let byte = reader.byte()?;
                    slots.push(match byte.checked_sub(SLOTS) {
                        None => (byte, ONE),
                        Some(slot @ ..SLOTS) => {
                            let (clicks, bots) = (reader.number()?, reader.number()?);
                            let (visitors, bot_visitors) = (reader.number()?, reader.number()?);
                            (slot, Counts { clicks, bots, visitors, bot_visitors })
                        }
                        Some(_) => return Err(Unreadable),
                    });
                }
                Ok(Slots(slots))
            }
            Some(_) => Err(Unreadable),
        }
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        for (slot, counts) in &self.0 {
            if *counts == ONE {
                bytes.push(*slot);
                continue;
            }
            bytes.push(slot + SLOTS);
            let Counts { clicks, bots, visitors, bot_visitors } = *counts;
            [clicks, bots, visitors, bot_visitors].into_iter().for_each(|number| put(&mut bytes, number));
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn slots_are_read_as_they_were_written(times in prop::collection::vec((any::<i64>(), any::<bool>(), any::<bool>()), 0..150)) {
            let mut slots = Slots::default();
            for (time, is_bot, is_new) in &times {
                slots.add(*time, Counts::one(*is_bot, *is_new));
            }
            prop_assert_eq!(slots.0.iter().map(|(_, counts)| counts.clicks).sum::<u64>(), times.len() as u64);
            prop_assert_eq!(&Slots::decode(&slots.encode()).unwrap(), &slots);
            let first = postcard::to_extend(&slots.0, vec![1]).unwrap();
            prop_assert_eq!(Slots::decode(&first).unwrap(), slots);
        }

        #[test]
        fn arbitrary_bytes_are_refused_or_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = Slots::decode(&bytes);
        }
    }
}
