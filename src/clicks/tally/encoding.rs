//! Bytes of documents: numbers, counts, values and slots, one after the other.

use super::{
    LinkBytes, Unreadable,
    counters::{SOME_TIME, ValueCount},
};

/// First byte of the totals. The first version had clicks of all and of bots, and others instead of an error.
pub(super) const VERSION: u8 = 2;
/// Values that most clicks have. A document has their places in this list, of which none may change: new ones are added at
/// the end, up to 64, whose places take a byte.
const COMMON: [&str; 45] = [
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
];

/// Reads a document's totals from their beginning to their end, without making lists: what adds up a year's needs none.
#[derive(Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    /// As in the first version: a count is that of all clicks, then that of bots.
    counts_all: bool,
}

impl<'a> Reader<'a> {
    /// Of totals; none when nothing is counted yet.
    pub fn of(tops: &'a [u8]) -> Result<Option<Self>, Unreadable> {
        match tops.split_first() {
            Some((&version @ 1..=VERSION, bytes)) => Ok(Some(Reader { bytes, counts_all: version == 1 })),
            Some(_) => Err(Unreadable),
            None => Ok(None),
        }
    }

    fn byte(&mut self) -> Result<u8, Unreadable> {
        let (byte, rest) = self.bytes.split_first().ok_or(Unreadable)?;
        self.bytes = rest;
        Ok(*byte)
    }

    /// How many values are listed: this comes before them.
    pub fn length(&mut self) -> Result<u64, Unreadable> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Unreadable)
    }

    /// The clicks of a value.
    pub fn count(&mut self) -> Result<ValueCount, Unreadable> {
        let first = self.length()?;
        if self.counts_all {
            let bots = self.length()?;
            return Ok(ValueCount { people: first.checked_sub(bots).ok_or(Unreadable)?, bots });
        }
        let bots = if first & 1 == 1 { self.length()? } else { 0 };
        Ok(ValueCount { people: first >> 1, bots })
    }

    /// A value.
    pub fn text(&mut self) -> Result<&'a str, Unreadable> {
        let mut length = usize::try_from(self.length()?).map_err(|_| Unreadable)?;
        if !self.counts_all {
            if length & 1 == 1 {
                return COMMON.get(length >> 1).copied().ok_or(Unreadable);
            }
            length >>= 1;
        }
        let (text, rest) = self.bytes.split_at_checked(length).ok_or(Unreadable)?;
        self.bytes = rest;
        std::str::from_utf8(text).map_err(|_| Unreadable)
    }

    /// A link.
    pub fn link(&mut self) -> Result<&'a LinkBytes, Unreadable> {
        let (link, rest) = self.bytes.split_first_chunk().ok_or(Unreadable)?;
        self.bytes = rest;
        Ok(link)
    }

    /// Unknown clicks, and the error: these come after the values.
    pub fn tail(&mut self) -> Result<(ValueCount, ValueCount), Unreadable> {
        Ok((self.count()?, self.count()?))
    }
}

impl<'a> Reader<'a> {
    /// Of parts, without their first byte.
    pub(super) fn of_parts(bytes: &'a [u8]) -> Self {
        Reader { bytes, counts_all: false }
    }

    /// The slots of a value's clicks. Of one slot the number may be told by the total.
    pub(super) fn spread(
        &mut self,
        total: Option<ValueCount>,
        cell: &mut dyn FnMut(u8, ValueCount),
    ) -> Result<(), Unreadable> {
        match self.byte()? {
            slot @ ..=SOME_TIME => {
                let count = match total {
                    Some(total) => total,
                    None => self.count()?,
                };
                cell(slot, count);
            }
            number => {
                for _ in SOME_TIME..number {
                    let slot = self.byte()?;
                    if slot > SOME_TIME {
                        return Err(Unreadable);
                    }
                    cell(slot, self.count()?);
                }
            }
        }
        Ok(())
    }
}

/// A slot alone is its number; more are their number after [`SOME_TIME`], and each with its clicks.
pub(super) fn put_spread<T>(out: &mut Vec<u8>, cells: &[T], cell: impl Fn(&T) -> (u8, ValueCount), with_count: bool) {
    if let [only] = cells {
        let (slot, count) = cell(only);
        out.push(slot);
        if with_count {
            put_count(out, count);
        }
        return;
    }
    // There are no more than slots.
    out.push(u8::try_from(cells.len()).map_or(u8::MAX, |number| number.saturating_add(SOME_TIME)));
    for (slot, count) in cells.iter().map(cell) {
        out.push(slot);
        put_count(out, count);
    }
}

pub(super) fn put_all<K>(
    out: &mut Vec<u8>,
    totals: impl Iterator<Item = (K, ValueCount)>,
    put_value: impl Fn(&mut Vec<u8>, K),
) {
    let totals: Vec<_> = totals.collect();
    put(out, totals.len() as u64);
    for (value, count) in totals {
        put_value(out, value);
        put_count(out, count);
    }
}

/// A value: its place in the list of common ones and a bit that is set, or how many bytes it has and one that is not.
pub(super) fn put_text(out: &mut Vec<u8>, value: &str) {
    match COMMON.iter().position(|common| *common == value) {
        Some(place) => put(out, (place as u64) << 1 | 1),
        None => {
            put(out, (value.len() as u64) << 1);
            out.extend(value.as_bytes());
        }
    }
}

/// People, and in the lowest bit whether there are bots, whose number comes then.
pub(super) fn put_count(out: &mut Vec<u8>, count: ValueCount) {
    put(out, count.people << 1 | u64::from(count.bots > 0));
    if count.bots > 0 {
        put(out, count.bots);
    }
}

/// Seven bits a byte, the lowest first.
pub(super) fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
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
