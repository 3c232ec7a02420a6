//! What a day's clicks on a link, or on all links of an account, add up to: two small documents, read, merged and
//! written once a batch. Pure.

use std::collections::HashMap;

use entity::click;
use serde::{Deserialize, Serialize};

use crate::clock::{DAY, MINUTE, Millis};

/// A slot of the day: all time zones in use differ from UTC by a multiple of it.
pub const SLOT: Millis = 15 * MINUTE;
/// What values are listed by, beside the link.
pub const DIMENSIONS: usize = 9;
/// Values of a dimension that a day's document lists; all others count together.
const MAX_VALUES: usize = 100;
/// Links that the document of an account's day lists.
const MAX_LINKS: usize = 1_000;
/// Characters of a value that count: a longer one is what it begins with.
const MAX_CHARS: usize = 100;
/// First byte of a document.
const VERSION: u8 = 1;

/// Bytes that are no document, or one of a later version.
#[derive(Debug, thiserror::Error)]
#[error("a roll-up can't be read")]
pub struct Unreadable;

/// Clicks and visitors, each with how many of them are bots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// All clicks.
    pub clicks: u64,
    /// Clicks of bots.
    pub bots: u64,
    /// Visitors whose first click of the UTC day is among the clicks.
    pub visitors: u64,
    /// Bots among the visitors.
    pub bot_visitors: u64,
}

impl Counts {
    /// Of one click.
    pub fn one(is_bot: bool, is_new: bool) -> Self {
        let (bot, new) = (u64::from(is_bot), u64::from(is_new));
        Counts { clicks: 1, bots: bot, visitors: new, bot_visitors: bot * new }
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.clicks += other.clicks;
        self.bots += other.bots;
        self.visitors += other.visitors;
        self.bot_visitors += other.bot_visitors;
    }
}

/// Clicks by slot of the UTC day, in the order of the slots.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slots(pub Vec<(u8, Counts)>);

impl Slots {
    /// Counts at a moment of the day.
    pub fn add(&mut self, time: Millis, counts: Counts) {
        let slot = u8::try_from(time.rem_euclid(DAY) / SLOT).unwrap_or_default();
        match self.0.binary_search_by_key(&slot, |(slot, _)| *slot) {
            Ok(at) => self.0[at].1 += counts,
            Err(at) => self.0.insert(at, (slot, counts)),
        }
    }

    /// Reads a document.
    pub fn decode(bytes: &[u8]) -> Result<Self, Unreadable> {
        decode(bytes)
    }

    /// The document.
    pub fn encode(&self) -> Result<Vec<u8>, Unreadable> {
        encode(self)
    }
}

/// Clicks of one value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueCount {
    /// All clicks.
    pub clicks: u64,
    /// Clicks of bots.
    pub bots: u64,
}

impl std::ops::AddAssign for ValueCount {
    fn add_assign(&mut self, other: Self) {
        self.clicks += other.clicks;
        self.bots += other.bots;
    }
}

/// Clicks by value: listed, unknown and other ones are all clicks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Values<K> {
    /// In the order of the values.
    pub listed: Vec<(K, ValueCount)>,
    /// Clicks without a value.
    pub unknown: ValueCount,
    /// Clicks with values that are not listed.
    pub other: ValueCount,
}

impl<K> Default for Values<K> {
    fn default() -> Self {
        Values { listed: Vec::new(), unknown: ValueCount::default(), other: ValueCount::default() }
    }
}

impl<K: Copy + Ord + std::hash::Hash> Values<K> {
    /// Of these clicks, each with its value and whether a bot made it.
    fn of(clicks: impl Iterator<Item = (Option<K>, bool)>, cap: usize) -> Self {
        let mut values = Values::default();
        let mut counted: HashMap<K, ValueCount, foldhash::fast::RandomState> = HashMap::default();
        for (value, is_bot) in clicks {
            let one = ValueCount { clicks: 1, bots: u64::from(is_bot) };
            match value {
                Some(value) => *counted.entry(value).or_default() += one,
                None => values.unknown += one,
            }
        }
        let mut listed: Vec<_> = counted.into_iter().collect();
        listed.sort_unstable_by_key(|(value, _)| *value);
        Values::default().merged(Values { listed, ..values }, cap)
    }

    /// Both together, of which at most `cap` values are listed. When there is no place left, a value that comes more often
    /// in `batch` than the rarest listed one takes its place: what becomes popular late still shows.
    fn merged(self, batch: Self, cap: usize) -> Self {
        let mut other = self.other;
        let mut unknown = self.unknown;
        other += batch.other;
        unknown += batch.unknown;
        let mut listed = self.listed;
        let known = listed.len();
        let mut fresh = Vec::new();
        for (value, count) in batch.listed {
            match listed[..known].binary_search_by_key(&value, |(value, _)| *value) {
                Ok(at) => listed[at].1 += count,
                Err(_) => fresh.push((value, count)),
            }
        }
        let room = cap.saturating_sub(known);
        if fresh.len() > room {
            fresh.sort_unstable_by_key(|(value, count)| (std::cmp::Reverse(count.clicks), *value));
            let mut rarest: Vec<usize> = (0..known).collect();
            rarest.sort_unstable_by_key(|at| (listed[*at].1.clicks, std::cmp::Reverse(listed[*at].0)));
            let mut rarest = rarest.into_iter();
            for (value, count) in fresh.drain(room..) {
                match rarest.next().filter(|at| listed[*at].1.clicks < count.clicks) {
                    Some(at) => {
                        other += listed[at].1;
                        listed[at] = (value, count);
                    }
                    // Neither this one nor those after it, which are rarer.
                    None => {
                        rarest = Vec::new().into_iter();
                        other += count;
                    }
                }
            }
        }
        listed.append(&mut fresh);
        listed.sort_unstable_by_key(|(value, _)| *value);
        Values { listed, unknown, other }
    }
}

/// Id of a link.
pub type LinkBytes = [u8; 16];

/// Clicks of a day by value, for each dimension.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tops<'a> {
    /// In the order of [`values`].
    #[serde(borrow)]
    pub dimensions: [Values<&'a str>; DIMENSIONS],
    /// By link: of an account's day only.
    pub links: Values<LinkBytes>,
}

impl<'a> Tops<'a> {
    /// Of these clicks on a link, or on an account's links.
    pub fn of(clicks: &[&'a click::Model], of_account: bool) -> Self {
        let mut tops = Tops::default();
        let valued: Vec<_> = clicks.iter().map(|click| (values(click), click.is_bot)).collect();
        for (dimension, counted) in tops.dimensions.iter_mut().enumerate() {
            let clicks = valued.iter().map(|(values, is_bot)| (values[dimension], *is_bot));
            *counted = Values::of(clicks, MAX_VALUES);
        }
        if of_account {
            let links = clicks.iter().map(|click| (Some(click.link_id.into_bytes()), click.is_bot));
            tops.links = Values::of(links, MAX_LINKS);
        }
        tops
    }

    /// Both together.
    pub fn merged(self, batch: Self) -> Self {
        let mut batches = batch.dimensions.into_iter();
        let dimensions = self.dimensions.map(|known| known.merged(batches.next().unwrap_or_default(), MAX_VALUES));
        Tops { dimensions, links: self.links.merged(batch.links, MAX_LINKS) }
    }

    /// Reads a document.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, Unreadable> {
        decode(bytes)
    }

    /// The document.
    pub fn encode(&self) -> Result<Vec<u8>, Unreadable> {
        encode(self)
    }
}

/// Reads a document of tops from its beginning to its end, without making lists: what adds up a year's needs none.
#[derive(Debug)]
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// None when nothing is counted yet.
    pub fn of(bytes: &'a [u8]) -> Result<Option<Self>, Unreadable> {
        document(bytes).map(|document| document.map(Reader))
    }

    /// How many values are listed: this comes before them.
    pub fn length(&mut self) -> Result<u64, Unreadable> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let (byte, rest) = self.0.split_first().ok_or(Unreadable)?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Unreadable)
    }

    /// The clicks of a value, of unknown or of other ones.
    pub fn count(&mut self) -> Result<ValueCount, Unreadable> {
        Ok(ValueCount { clicks: self.length()?, bots: self.length()? })
    }

    /// A value.
    pub fn text(&mut self) -> Result<&'a str, Unreadable> {
        let length = usize::try_from(self.length()?).map_err(|_| Unreadable)?;
        let (text, rest) = self.0.split_at_checked(length).ok_or(Unreadable)?;
        self.0 = rest;
        std::str::from_utf8(text).map_err(|_| Unreadable)
    }

    /// A link.
    pub fn link(&mut self) -> Result<&'a LinkBytes, Unreadable> {
        let (link, rest) = self.0.split_first_chunk().ok_or(Unreadable)?;
        self.0 = rest;
        Ok(link)
    }
}

/// What is counted of a click: country, referrer, browser, operating system, device, language, and UTM source, medium and
/// campaign.
pub fn values(click: &click::Model) -> [Option<&str>; DIMENSIONS] {
    [
        &click.country,
        &click.referrer_host,
        &click.browser,
        &click.os,
        &click.device,
        &click.language,
        &click.utm_source,
        &click.utm_medium,
        &click.utm_campaign,
    ]
    .map(|value| value.as_deref().map(cut))
}

fn cut(text: &str) -> &str {
    if text.len() <= MAX_CHARS {
        return text;
    }
    text.char_indices().nth(MAX_CHARS).map_or(text, |(end, _)| &text[..end])
}

fn decode<'a, T: Default + Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, Unreadable> {
    match document(bytes)? {
        Some(document) => postcard::from_bytes(document).map_err(|_| Unreadable),
        None => Ok(T::default()),
    }
}

/// What comes after the version; none when nothing is counted yet.
fn document(bytes: &[u8]) -> Result<Option<&[u8]>, Unreadable> {
    match bytes.split_first() {
        Some((&VERSION, document)) => Ok(Some(document)),
        Some(_) => Err(Unreadable),
        None => Ok(None),
    }
}

fn encode(document: &impl Serialize) -> Result<Vec<u8>, Unreadable> {
    postcard::to_extend(document, vec![VERSION]).map_err(|_| Unreadable)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn total(values: &Values<&str>) -> ValueCount {
        let mut sum = values.unknown;
        sum += values.other;
        values.listed.iter().for_each(|(_, count)| sum += *count);
        sum
    }

    fn batch<'a>(clicks: &[(Option<&'a str>, bool)]) -> Values<&'a str> {
        Values::of(clicks.iter().copied(), MAX_VALUES)
    }

    fn clicks() -> impl Strategy<Value = Vec<(Option<String>, bool)>> {
        prop::collection::vec((prop::option::weighted(0.9, "[a-d]{1,2}"), any::<bool>()), 0..60)
    }

    fn borrowed(clicks: &[(Option<String>, bool)]) -> Vec<(Option<&str>, bool)> {
        clicks.iter().map(|(value, is_bot)| (value.as_deref(), *is_bot)).collect()
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_few_values_are_exact(batches in prop::collection::vec(clicks(), 1..5), cap in 1_usize..25) {
            let mut capped = Values::default();
            let mut whole = Values::default();
            for clicks in &batches {
                let clicks = borrowed(clicks);
                capped = capped.merged(Values::of(clicks.iter().copied(), cap), cap);
                whole = whole.merged(batch(&clicks), MAX_VALUES);
                prop_assert!(capped.listed.len() <= cap);
                prop_assert!(capped.listed.is_sorted_by_key(|(value, _)| *value));
            }
            let all: Vec<_> = batches.iter().flat_map(|clicks| borrowed(clicks)).collect();
            prop_assert_eq!(&whole, &batch(&all), "the batches do not matter");
            prop_assert_eq!(total(&capped), total(&whole));
            prop_assert_eq!(total(&whole).clicks, all.len() as u64);
            for (value, count) in &capped.listed {
                let exact = whole.listed.iter().find(|(known, _)| known == value).unwrap().1;
                prop_assert!(count.clicks <= exact.clicks && count.bots <= exact.bots);
            }
            if whole.listed.len() <= cap {
                prop_assert_eq!(&capped, &whole);
            }
        }

        #[test]
        fn documents_are_read_as_they_were_written(clicks in clicks(), times in prop::collection::vec((any::<i64>(), any::<bool>(), any::<bool>()), 0..50)) {
            let clicks = borrowed(&clicks);
            let mut tops = Tops::default();
            tops.dimensions[3] = batch(&clicks);
            let bytes = tops.encode().unwrap();
            prop_assert_eq!(Tops::decode(&bytes).unwrap(), tops);
            let mut slots = Slots::default();
            for (time, is_bot, is_new) in &times {
                slots.add(*time, Counts::one(*is_bot, *is_new));
            }
            prop_assert_eq!(slots.0.iter().map(|(_, counts)| counts.clicks).sum::<u64>(), times.len() as u64);
            prop_assert_eq!(Slots::decode(&slots.encode().unwrap()).unwrap(), slots);
        }

        #[test]
        fn whatever_is_no_document_is_refused_or_read(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = (Slots::decode(&bytes), Tops::decode(&bytes));
        }
    }

    #[test]
    fn what_becomes_popular_takes_the_place_of_the_rarest() {
        let listed = |clicks: u64| ValueCount { clicks, bots: 0 };
        let values = |listed: &[(&'static str, u64)], other: u64| Values {
            listed: listed.iter().map(|(value, clicks)| (*value, ValueCount { clicks: *clicks, bots: 0 })).collect(),
            unknown: ValueCount::default(),
            other: ValueCount { clicks: other, bots: 0 },
        };
        let merged = values(&[("a", 5), ("b", 2), ("c", 3)], 1).merged(values(&[("d", 4), ("e", 3), ("f", 9)], 0), 3);
        assert_eq!(merged, values(&[("a", 5), ("d", 4), ("f", 9)], 1 + 2 + 3 + 3));
        assert_eq!(total(&merged), listed(27));
        let long = format!("{}é", "é".repeat(MAX_CHARS));
        assert_eq!(cut(&long), "é".repeat(MAX_CHARS));
    }
}
