//! Bytes of documents: numbers, counts, values and slots, one after the other.

use super::{
    DIMENSIONS, LinkBytes, Unreadable,
    counters::{SOME_TIME, ValueCount},
};
use crate::clicks::number::{put, take};

/// First byte of the totals. Version 2 had no triggers and destinations. Version 1 also had counts of all clicks and of bots, and
/// the clicks of other values in place of the error.
pub(super) const VERSION: u8 = 3;
/// Dimensions of versions 1 and 2, the first ones.
const OF_VERSION_2: usize = 9;
/// Dimensions of version 3 that stand before the links. The others stand behind them, where nodes that don't know them read no further;
/// documents that such nodes write end there.
pub(super) const BEFORE_LINKS: usize = 11;
/// Values that most clicks have. Documents contain their indexes in this list, so that no value may move: new ones are appended,
/// up to 64, whose indexes take one byte.
const COMMON: [&str; 49] = [
    "desktop",
    "mobile",
    "tablet",
    "tv",
    "console",
    "Windows",
    "Android",
    "iOS",
    "macOS",
    "Linux",
    "ChromeOS",
    "iPadOS",
    "HarmonyOS",
    "KaiOS",
    "Tizen",
    "Chrome",
    "Safari",
    "Firefox",
    "Edge",
    "Opera",
    "Samsung Internet",
    "WebView",
    "Android Browser",
    "Facebook",
    "Facebook Messenger",
    "Instagram",
    "Threads",
    "TikTok",
    "LinkedIn",
    "X",
    "Pinterest",
    "Snapchat",
    "WeChat",
    "Telegram",
    "Reddit",
    "Google",
    "DuckDuckGo",
    "Brave",
    "Vivaldi",
    "Chromium",
    "Opera Mini",
    "UC Browser",
    "Yandex Browser",
    "Huawei Browser",
    "MIUI Browser",
    "LINK",
    "QR",
    "CARD",
    "0",
];

/// Reads a document's totals in order, without building lists: summing up a year needs none.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    version: u8,
    /// Whether unknown clicks and an error come after the values.
    has_tail: (bool, bool),
}

impl<'a> Reader<'a> {
    /// Begins to read totals. `None`: nothing is counted yet. Fails for an unknown version.
    pub(crate) fn of(tops: &'a [u8]) -> Result<Option<Self>, Unreadable> {
        match tops.split_first() {
            Some((&version @ 1..=VERSION, bytes)) => Ok(Some(Reader { bytes, version, has_tail: (true, true) })),
            Some(_) => Err(Unreadable),
            None => Ok(None),
        }
    }

    /// The number of dimensions that the totals have before the links, the first ones.
    pub(crate) fn before_links(&self) -> usize {
        if self.version < 3 { OF_VERSION_2 } else { BEFORE_LINKS }
    }

    /// Reads the number of dimensions that the totals have behind the links, the next ones. Clicks of the totals are unknown in those
    /// that they have not; any that this version does not know are the last.
    pub(crate) fn behind_links(&mut self) -> Result<usize, Unreadable> {
        if self.is_over() {
            return Ok(0);
        }
        Ok(usize::from(self.byte()?).min(DIMENSIONS - self.before_links()))
    }

    /// Whether a count is that of all clicks, then that of bots.
    fn counts_all(&self) -> bool {
        self.version == 1
    }

    pub(super) fn byte(&mut self) -> Result<u8, Unreadable> {
        let (byte, rest) = self.bytes.split_first().ok_or(Unreadable)?;
        self.bytes = rest;
        Ok(*byte)
    }

    /// Begins to read bytes other than totals.
    pub(super) fn of_bytes(bytes: &'a [u8]) -> Self {
        Reader { bytes, version: VERSION, has_tail: (true, true) }
    }

    /// Whether all is read.
    pub(super) fn is_over(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Reads the number of values, which precedes them.
    pub(crate) fn length(&mut self) -> Result<u64, Unreadable> {
        let number = self.number()?;
        if self.counts_all() {
            return Ok(number);
        }
        self.has_tail = (number & 2 != 0, number & 1 != 0);
        Ok(number >> 2)
    }

    pub(super) fn number(&mut self) -> Result<u64, Unreadable> {
        take(&mut self.bytes).ok_or(Unreadable)
    }

    /// The clicks of a value.
    pub(crate) fn count(&mut self) -> Result<ValueCount, Unreadable> {
        let first = self.number()?;
        if self.counts_all() {
            let bots = self.number()?;
            return Ok(ValueCount { people: first.checked_sub(bots).ok_or(Unreadable)?, bots });
        }
        let bots = if first & 1 == 1 { self.number()? } else { 0 };
        Ok(ValueCount { people: first >> 1, bots })
    }

    /// A value.
    pub(crate) fn text(&mut self) -> Result<&'a str, Unreadable> {
        let mut length = usize::try_from(self.number()?).map_err(|_| Unreadable)?;
        if !self.counts_all() {
            if length & 1 == 1 {
                return COMMON.get(length >> 1).copied().ok_or(Unreadable);
            }
            length >>= 1;
        }
        let (text, rest) = self.bytes.split_at_checked(length).ok_or(Unreadable)?;
        self.bytes = rest;
        std::str::from_utf8(text).map_err(|_| Unreadable)
    }

    pub(crate) fn link(&mut self) -> Result<&'a LinkBytes, Unreadable> {
        let (link, rest) = self.bytes.split_first_chunk().ok_or(Unreadable)?;
        self.bytes = rest;
        Ok(link)
    }

    /// Reads the unknown clicks and the error, which follow the values.
    pub(crate) fn tail(&mut self) -> Result<(ValueCount, ValueCount), Unreadable> {
        let (has_unknown, has_error) = self.has_tail;
        let mut count = |is_there| if is_there { self.count() } else { Ok(ValueCount::default()) };
        Ok((count(has_unknown)?, count(has_error)?))
    }

    /// Reads the slots of a value's clicks. `total` is the number of clicks if it is stored elsewhere; a single slot then has no
    /// count.
    pub(super) fn spread(
        &mut self,
        total: Option<ValueCount>,
        cell: &mut dyn FnMut(u8, ValueCount),
    ) -> Result<(), Unreadable> {
        let first = self.byte()?;
        let cells = match total {
            Some(total) if first <= SOME_TIME => {
                cell(first, total);
                0
            }
            Some(_) => first - SOME_TIME,
            None => first,
        };
        for _ in 0..cells {
            let byte = self.byte()?;
            match byte.checked_sub(SOME_TIME + 1) {
                None => cell(byte, ValueCount::one(false)),
                Some(slot @ ..=SOME_TIME) => cell(slot, self.count()?),
                Some(_) => return Err(Unreadable),
            }
        }
        Ok(())
    }
}

/// Writes the slots of a value's clicks: their number, then each slot with its clicks. Where the total is stored elsewhere, a single slot
/// is written alone, and the number of several is increased by [`SOME_TIME`], so that it is no slot.
pub(super) fn put_spread<T>(
    out: &mut Vec<u8>,
    cells: &[T],
    cell: impl Fn(&T) -> (u8, ValueCount),
    is_total_told: bool,
) {
    // There are no more than slots.
    let number = u8::try_from(cells.len()).unwrap_or(u8::MAX);
    match cells {
        [only] if is_total_told => return out.push(cell(only).0),
        _ if is_total_told => out.push(number.saturating_add(SOME_TIME)),
        _ => out.push(number),
    }
    for (slot, count) in cells.iter().map(cell) {
        // Most slots have one click of a person: then the slot is written alone.
        if count == ValueCount::one(false) {
            out.push(slot);
        } else {
            out.push(slot + SOME_TIME + 1);
            put_count(out, count);
        }
    }
}

/// Writes values with their clicks, preceded by their number and two flags: whether unknown clicks and an error follow.
pub(super) fn put_all<K>(
    out: &mut Vec<u8>,
    totals: Vec<(K, ValueCount)>,
    put_value: impl Fn(&mut Vec<u8>, K),
    unknown: ValueCount,
    error: ValueCount,
) {
    put(out, (totals.len() as u64) << 2 | u64::from(!unknown.is_zero()) << 1 | u64::from(!error.is_zero()));
    for (value, count) in totals {
        put_value(out, value);
        put_count(out, count);
    }
    for count in [unknown, error].into_iter().filter(|count| !count.is_zero()) {
        put_count(out, count);
    }
}

/// Writes a value: a common one as its index in [`COMMON`] with the lowest bit set, any other as its length in bytes with that bit clear,
/// followed by the bytes.
pub(super) fn put_text(out: &mut Vec<u8>, value: &str) {
    match COMMON.iter().position(|common| *common == value) {
        Some(place) => put(out, (place as u64) << 1 | 1),
        None => {
            put(out, (value.len() as u64) << 1);
            out.extend(value.as_bytes());
        }
    }
}

/// Writes a count: that of people, with a flag in the lowest bit for bots, whose count then follows.
pub(super) fn put_count(out: &mut Vec<u8>, count: ValueCount) {
    put(out, count.people << 1 | u64::from(count.bots > 0));
    if count.bots > 0 {
        put(out, count.bots);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_values_are_listed_once() {
        let mut values = COMMON.to_vec();
        values.sort_unstable();
        values.dedup();
        assert_eq!(values.len(), COMMON.len());
        assert!(COMMON.len() <= 64);
    }
}
