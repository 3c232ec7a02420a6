//! What a day's clicks on a link, or on all links of an account, add up to. Pure.

mod counters;
mod document;
mod encoding;

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime};
use entity::click;
use serde::{Deserialize, Serialize};

use crate::clock::{DAY, MINUTE, Millis};

pub use self::{
    counters::{KINDS, Kind, SOME_TIME, ValueCount, Values},
    document::{Document, Encoded},
    encoding::Reader,
};

/// A slot of the day: all time zones in use differ from UTC by a multiple of it.
pub const SLOT: Millis = 15 * MINUTE;
/// What values are listed by, beside the link.
pub const DIMENSIONS: usize = 9;
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

/// The slot of its UTC day to which a moment belongs.
pub fn slot(time: Millis) -> u8 {
    u8::try_from(time.rem_euclid(DAY) / SLOT).unwrap_or_default()
}

/// The UTC month to which a day belongs, in months since the year 0.
pub fn month(day: i64) -> i32 {
    let date = DateTime::from_timestamp_millis(day.saturating_mul(DAY)).unwrap_or_default();
    date.year() * 12 + date.month0() as i32
}

/// The first day of a month, and that of the next one.
pub fn days_of_month(month: i32) -> (i64, i64) {
    let first = |month: i32| {
        let date = NaiveDate::from_ymd_opt(month.div_euclid(12), month.rem_euclid(12).unsigned_abs() + 1, 1);
        date.unwrap_or_default().and_time(NaiveTime::MIN).and_utc().timestamp_millis().div_euclid(DAY)
    };
    (first(month), first(month.saturating_add(1)))
}

/// Clicks by slot of the UTC day, in the order of the slots.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slots(pub Vec<(u8, Counts)>);

impl Slots {
    /// Counts at a moment of the day.
    pub fn add(&mut self, time: Millis, counts: Counts) {
        self.add_at(slot(time), counts);
    }

    fn add_at(&mut self, slot: u8, counts: Counts) {
        match self.0.binary_search_by_key(&slot, |(slot, _)| *slot) {
            Ok(at) => self.0[at].1 += counts,
            Err(at) => self.0.insert(at, (slot, counts)),
        }
    }

    /// Counts what others of the same day do.
    pub fn merge(&mut self, more: &Slots) {
        more.0.iter().for_each(|(slot, counts)| self.add_at(*slot, *counts));
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

/// Id of a link.
pub type LinkBytes = [u8; 16];

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

/// What counts of a value: the beginning of a long one.
pub fn cut(text: &str) -> &str {
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

    proptest! {
        #[test]
        fn slots_are_read_as_they_were_written(times in prop::collection::vec((any::<i64>(), any::<bool>(), any::<bool>()), 0..50)) {
            let mut slots = Slots::default();
            for (time, is_bot, is_new) in &times {
                slots.add(*time, Counts::one(*is_bot, *is_new));
            }
            prop_assert_eq!(slots.0.iter().map(|(_, counts)| counts.clicks).sum::<u64>(), times.len() as u64);
            prop_assert_eq!(Slots::decode(&slots.encode().unwrap()).unwrap(), slots);
        }
    }

    #[test]
    fn days_belong_to_months() {
        assert_eq!(days_of_month(month(0)), (0, 31));
        assert_eq!((month(30), month(31), month(-1)), (1970 * 12, 1970 * 12 + 1, 1969 * 12 + 11));
        let of_february = month(19_782);
        assert_eq!((of_february, days_of_month(of_february)), (2024 * 12 + 1, (19_754, 19_783)));
    }

    #[test]
    fn long_values_are_cut() {
        let long = format!("{}é", "é".repeat(MAX_CHARS));
        assert_eq!(cut(&long), "é".repeat(MAX_CHARS));
    }
}
