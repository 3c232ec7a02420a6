//! Many clicks on a link in one value: texts once, and some 35 bytes for each click. Pure.
//!
//! Version (1 byte); texts; values of agents, places, origins and ways, each with the places of its texts, from 1 on; clicks in the order of
//! time; CRC-32 of all that (4 bytes). Numbers are in LEB128 but where bytes are given. A click: milliseconds since the one before, flags
//! (1 byte), its four values, its id (10 bytes, or 16 if it does not begin with its time) and its visitor (16 bytes).

use std::collections::HashMap;

use entity::click;
use foldhash::fast::RandomState;
use uuid::Uuid;

use crate::{
    base::clock::UnixMillis,
    clicks::number::{put, take},
};

/// Clicks of a block at most: what a range reads too many at its ends, and what is written anew when one more click is added.
pub(crate) const MOST: usize = 512;

const VERSION: u8 = 1;
const IS_BOT: u8 = 1;
const NEW_TO_LINK: u8 = 2;
const NEW_TO_ACCOUNT: u8 = 4;
/// The id does not begin with the click's time.
const WHOLE_ID: u8 = 8;

/// Bytes that are no block, or one of a later version.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("a block of clicks can't be read")]
pub(crate) struct Unreadable;

/// Texts of a value.
type Texts<'a, const N: usize> = [Option<&'a str>; N];

/// A click as blocks have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockClick<'a> {
    /// Unix time in milliseconds.
    pub(crate) clicked_at: UnixMillis,
    pub(crate) id: Uuid,
    pub(crate) visitor: [u8; 16],
    /// Whether a bot, a preview or a prefetch followed the link.
    pub(crate) is_bot: bool,
    /// Whether it is the first click of its visitor on the link on the UTC day.
    pub(crate) is_new_to_link: bool,
    /// The same for the account.
    pub(crate) is_new_to_account: bool,
    /// Browser, operating system, device and language.
    pub(crate) agent: Texts<'a, 4>,
    /// Country, region and city.
    pub(crate) place: Texts<'a, 3>,
    /// Referrer's host and the UTM parameters: source, medium, campaign, term and content.
    pub(crate) origin: Texts<'a, 6>,
    /// Trigger, destination, rule and ad click.
    pub(crate) way: Texts<'a, 4>,
}

impl<'a> BlockClick<'a> {
    /// A click as rows have it.
    pub(crate) fn of(click: &'a click::Model) -> Self {
        let mut visitor = [0; 16];
        visitor.iter_mut().zip(&click.visitor).for_each(|(to, from)| *to = *from);
        let utm = [&click.utm_source, &click.utm_medium, &click.utm_campaign, &click.utm_term, &click.utm_content];
        let [source, medium, campaign, term, content] = utm.map(Option::as_deref);
        BlockClick {
            clicked_at: click.clicked_at,
            id: click.id,
            visitor,
            is_bot: click.is_bot,
            is_new_to_link: click.new_to_link.unwrap_or_default(),
            is_new_to_account: click.new_to_account.unwrap_or_default(),
            agent: [&click.browser, &click.os, &click.device, &click.language].map(Option::as_deref),
            place: [&click.country, &click.region, &click.city].map(Option::as_deref),
            origin: [click.referrer_host.as_deref(), source, medium, campaign, term, content],
            way: [&click.trigger, &click.destination, &click.rule, &click.ad_click].map(Option::as_deref),
        }
    }

    /// The click as rows have it.
    pub(crate) fn to_row(self, link: Uuid) -> click::Model {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let [browser, os, device, language] = self.agent.map(owned);
        let [country, region, city] = self.place.map(owned);
        let [referrer_host, utm_source, utm_medium, utm_campaign, utm_term, utm_content] = self.origin.map(owned);
        let [trigger, destination, rule, ad_click] = self.way.map(owned);
        click::Model {
            id: self.id,
            link_id: link,
            clicked_at: self.clicked_at,
            visitor: self.visitor.to_vec(),
            is_bot: self.is_bot,
            browser,
            os,
            device,
            referrer_host,
            country,
            region,
            city,
            language,
            utm_source,
            utm_medium,
            utm_campaign,
            utm_term,
            utm_content,
            trigger,
            destination,
            rule,
            ad_click,
            new_to_link: Some(self.is_new_to_link),
            new_to_account: Some(self.is_new_to_account),
        }
    }
}

/// Encodes clicks on a link, which are in the order of time.
pub(crate) fn encode(clicks: &[BlockClick<'_>]) -> Vec<u8> {
    let mut texts = Numbered::default();
    let (mut agents, mut places, mut origins, mut ways) =
        (Numbered::default(), Numbered::default(), Numbered::default(), Numbered::default());
    let mut entries = Vec::with_capacity(clicks.len() * 35);
    let mut before = clicks.first().map_or(0, |click| click.clicked_at);
    for click in clicks {
        put(&mut entries, (click.clicked_at - before).unsigned_abs());
        before = click.clicked_at;
        let time = click.clicked_at.to_be_bytes();
        let is_whole = click.id.as_bytes()[..6] != time[2..];
        let flags = [
            (click.is_bot, IS_BOT),
            (click.is_new_to_link, NEW_TO_LINK),
            (click.is_new_to_account, NEW_TO_ACCOUNT),
            (is_whole, WHOLE_ID),
        ];
        entries.push(flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag).sum());
        for value in [
            agents.number(click.agent.map(|text| texts.of(text))),
            places.number(click.place.map(|text| texts.of(text))),
            origins.number(click.origin.map(|text| texts.of(text))),
            ways.number(click.way.map(|text| texts.of(text))),
        ] {
            put(&mut entries, value);
        }
        entries.extend(&click.id.as_bytes()[if is_whole { 0 } else { 6 }..]);
        entries.extend(click.visitor);
    }
    let mut out = Vec::with_capacity(entries.len() + entries.len() / 4);
    out.push(VERSION);
    put(&mut out, texts.in_order.len() as u64);
    for text in texts.in_order {
        put(&mut out, text.len() as u64);
        out.extend(text.as_bytes());
    }
    put_values(&mut out, &agents.in_order);
    put_values(&mut out, &places.in_order);
    put_values(&mut out, &origins.in_order);
    put_values(&mut out, &ways.in_order);
    put(&mut out, clicks.len() as u64);
    out.extend(clicks.first().map_or(0, |click| click.clicked_at).to_le_bytes());
    out.extend(entries);
    out.extend(crc32fast::hash(&out).to_le_bytes());
    out
}

/// Values with their numbers, from 0 on.
struct Numbered<K> {
    numbers: HashMap<K, u64, RandomState>,
    in_order: Vec<K>,
}

impl<K> Default for Numbered<K> {
    fn default() -> Self {
        Numbered { numbers: HashMap::default(), in_order: Vec::new() }
    }
}

impl<K: Copy + Eq + std::hash::Hash> Numbered<K> {
    fn number(&mut self, value: K) -> u64 {
        let next = self.in_order.len() as u64;
        *self.numbers.entry(value).or_insert_with(|| {
            self.in_order.push(value);
            next
        })
    }
}

impl<'a> Numbered<&'a str> {
    /// The number of a text, from 1 on. 0: there is none.
    fn of(&mut self, text: Option<&'a str>) -> u64 {
        text.map_or(0, |text| self.number(text) + 1)
    }
}

fn put_values<const N: usize>(out: &mut Vec<u8>, values: &[[u64; N]]) {
    put(out, values.len() as u64);
    values.iter().flatten().for_each(|text| put(out, *text));
}

/// The clicks of a block, in the order of time.
#[derive(Debug)]
pub(crate) struct Block<'a> {
    agents: Vec<Texts<'a, 4>>,
    places: Vec<Texts<'a, 3>>,
    origins: Vec<Texts<'a, 6>>,
    ways: Vec<Texts<'a, 4>>,
    /// The clicks that are not read yet.
    rest: &'a [u8],
    left: u64,
    before: UnixMillis,
    /// Numbers of origin and way of the click that was read last.
    origin: usize,
    way: usize,
}

impl<'a> Block<'a> {
    /// Begins to read a block. All of it is checked.
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, Unreadable> {
        let (body, checksum) = bytes.split_last_chunk().ok_or(Unreadable)?;
        match body.split_first() {
            Some((&VERSION, rest)) if crc32fast::hash(body) == u32::from_le_bytes(*checksum) => Block::begin(rest),
            _ => None,
        }
        .ok_or(Unreadable)
    }

    fn begin(mut rest: &'a [u8]) -> Option<Self> {
        let number = take(&mut rest)?;
        let mut texts = Vec::new();
        for _ in 0..number {
            let length = usize::try_from(take(&mut rest)?).ok()?;
            let (text, behind) = rest.split_at_checked(length)?;
            texts.push(std::str::from_utf8(text).ok()?);
            rest = behind;
        }
        let agents = values(&mut rest, &texts)?;
        let places = values(&mut rest, &texts)?;
        let origins = values(&mut rest, &texts)?;
        let ways = values(&mut rest, &texts)?;
        let left = take(&mut rest)?;
        let (first, rest) = rest.split_first_chunk()?;
        let before = i64::from_le_bytes(*first);
        Some(Block { agents, places, origins, ways, rest, left, before, origin: 0, way: 0 })
    }

    /// The numbers of origin and way of the click that was read last: source and channel are the same for all that have both.
    pub(crate) fn origin_and_way(&self) -> (usize, usize) {
        (self.origin, self.way)
    }

    fn click(&mut self) -> Option<BlockClick<'a>> {
        let rest = &mut self.rest;
        let clicked_at = self.before.checked_add_unsigned(take(rest)?)?;
        self.before = clicked_at;
        let (&flags, behind) = rest.split_first()?;
        *rest = behind;
        let mut value = || usize::try_from(take(rest)?).ok();
        let [agent, place, origin, way] = [value()?, value()?, value()?, value()?];
        (self.origin, self.way) = (origin, way);
        let mut id = [0; 16];
        let from = if flags & WHOLE_ID != 0 { 0 } else { 6 };
        id[..6].copy_from_slice(&clicked_at.to_be_bytes()[2..]);
        let (end, behind) = rest.split_at_checked(16 - from)?;
        id[from..].copy_from_slice(end);
        let (visitor, behind) = behind.split_first_chunk()?;
        *rest = behind;
        Some(BlockClick {
            clicked_at,
            id: Uuid::from_bytes(id),
            visitor: *visitor,
            is_bot: flags & IS_BOT != 0,
            is_new_to_link: flags & NEW_TO_LINK != 0,
            is_new_to_account: flags & NEW_TO_ACCOUNT != 0,
            agent: *self.agents.get(agent)?,
            place: *self.places.get(place)?,
            origin: *self.origins.get(origin)?,
            way: *self.ways.get(way)?,
        })
    }
}

impl<'a> Iterator for Block<'a> {
    type Item = Result<BlockClick<'a>, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            return None;
        }
        let click = self.click();
        // Nothing behind an unreadable click can be read.
        self.left = if click.is_some() { self.left - 1 } else { 0 };
        Some(click.ok_or(Unreadable))
    }
}

fn values<'a, const N: usize>(rest: &mut &'a [u8], texts: &[&'a str]) -> Option<Vec<Texts<'a, N>>> {
    let number = take(rest)?;
    let mut values = Vec::new();
    for _ in 0..number {
        let mut value = [None; N];
        for text in &mut value {
            *text = match usize::try_from(take(rest)?).ok()? {
                0 => None,
                number => Some(*texts.get(number - 1)?),
            };
        }
        values.push(value);
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, option, prelude::*};

    use super::*;

    const WORDS: [&str; 5] = ["a", "de", "Firefox", "ü", "0"];

    fn word() -> impl Strategy<Value = Option<&'static str>> {
        option::of((0..WORDS.len()).prop_map(|place| WORDS[place]))
    }

    fn click() -> impl Strategy<Value = BlockClick<'static>> {
        let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
        let texts = (vec(word(), 17), any::<[u8; 16]>(), any::<[u8; 16]>());
        (0_i64..1 << 45, flags, texts).prop_map(|(clicked_at, flags, (texts, mut id, visitor))| {
            let (is_bot, is_new_to_link, is_new_to_account, is_v7) = flags;
            if is_v7 {
                id[..6].copy_from_slice(&clicked_at.to_be_bytes()[2..]);
            }
            let text = |from: usize| texts[from];
            BlockClick {
                clicked_at,
                id: Uuid::from_bytes(id),
                visitor,
                is_bot,
                is_new_to_link,
                is_new_to_account,
                agent: [0, 1, 2, 3].map(text),
                place: [4, 5, 6].map(text),
                origin: [7, 8, 9, 10, 11, 12].map(text),
                way: [13, 14, 15, 16].map(text),
            }
        })
    }

    fn clicks() -> impl Strategy<Value = Vec<BlockClick<'static>>> {
        vec(click(), 0..40).prop_map(|mut clicks| {
            clicks.sort_by_key(|click| (click.clicked_at, click.id));
            clicks
        })
    }

    proptest! {
        #[test]
        fn a_block_reads_as_it_was_written(clicks in clicks()) {
            let bytes = encode(&clicks);
            let read: Vec<BlockClick<'_>> = Block::read(&bytes).unwrap().collect::<Result<_, _>>().unwrap();
            prop_assert_eq!(&read, &clicks);
            let link = Uuid::nil();
            let rows: Vec<click::Model> = read.iter().map(|click| click.to_row(link)).collect();
            prop_assert!(rows.iter().map(BlockClick::of).eq(clicks));
        }

        #[test]
        fn changed_bytes_are_refused(clicks in clicks(), place: prop::sample::Index, bit in 0_u32..8) {
            let mut bytes = encode(&clicks);
            let place = place.index(bytes.len());
            bytes[place] ^= 1_u8 << bit;
            prop_assert!(Block::read(&bytes).is_err());
            bytes.truncate(place);
            prop_assert!(Block::read(&bytes).is_err());
        }

        /// Even with a checksum that is right.
        #[test]
        fn other_bytes_are_no_panic(mut bytes in vec(any::<u8>(), 0..200)) {
            bytes.insert(0, VERSION);
            bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
            if let Ok(block) = Block::read(&bytes) {
                let _ = block.count();
            }
        }
    }

    #[test]
    fn a_click_takes_35_bytes() {
        let of = |number: i64| {
            let clicked_at = 1_796_000_000_000 + number * 60_000;
            let mut id = [7; 16];
            id[..6].copy_from_slice(&clicked_at.to_be_bytes()[2..]);
            let place = usize::try_from(number).unwrap() % 5;
            let agent = [Some(WORDS[place]), None, None, Some("de")];
            BlockClick {
                clicked_at,
                id: Uuid::from_bytes(id),
                visitor: [1; 16],
                is_bot: false,
                is_new_to_link: true,
                is_new_to_account: false,
                agent,
                place: [None; 3],
                origin: [None; 6],
                way: [None; 4],
            }
        };
        let clicks: Vec<BlockClick<'_>> = (0..512).map(of).collect();
        let bytes = encode(&clicks).len();
        assert!(bytes < 512 * 35, "{bytes}");
    }
}
