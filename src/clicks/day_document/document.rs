//! The document of a day's clicks on a link, or on all links of an account, as it is stored: how many there are by slot
//! of the day, the values with their clicks of the whole day, and which part of these was in which slot.

use entity::click;

use super::{
    Counts, DEVICE, DIMENSIONS, LinkBytes, Slots, Unreadable,
    counters::{Cell, KINDS, SOME_TIME, ValueCount, Values},
    encoding::{BEFORE_LINKS, Reader, VERSION, put_all, put_count, put_spread, put_text},
    slot, values,
};
use crate::clicks::number::put;

/// Counters of each dimension of a day, people and bots each. The API promises 500.
const COUNTERS: usize = 512;
/// Links with the most clicks that the totals of an account's day list. Its parts know all.
const LISTED_LINKS: usize = 1_000;
/// Counters of a month, of values and of links. What its days list is often the same.
const MONTH_COUNTERS: usize = 4_096;
/// First byte of the parts.
const PARTS_VERSION: u8 = 1;
/// First byte of the parts, and the only one, when all clicks are in one slot.
const IN_ONE_SLOT: u8 = 2;
/// The columns of a document. Totals and parts are empty when nothing is counted yet; parts are also when only the day is
/// known of all clicks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Encoded {
    pub(crate) slots: Vec<u8>,
    /// Values with their clicks of the whole day.
    pub(crate) tops: Vec<u8>,
    /// The slots of these clicks, and all links of an account.
    pub(crate) parts: Vec<u8>,
}

/// Clicks of a day, or of a part of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Document<'a> {
    pub(crate) slots: Slots,
    /// By value, in the order of [`values`]; at most [`COUNTERS`] of each kind.
    pub(crate) dimensions: [Values<&'a str>; DIMENSIONS],
    /// By link, for an account: all of them.
    pub(crate) links: Values<LinkBytes>,
}

impl<'a> Document<'a> {
    /// Counts these clicks on a link, or on an account's links.
    pub(crate) fn of(clicks: &[&'a click::Model], of_account: bool) -> Self {
        let mut document = Document::default();
        for click in clicks {
            let is_new = if of_account { click.new_to_account } else { click.new_to_link };
            document.slots.add(click.clicked_at, Counts::one(click.is_bot, is_new.unwrap_or_default()));
        }
        let valued = clicks.iter().map(|click| (values(click, of_account), slot(click.clicked_at), click.is_bot));
        let valued: Vec<_> = valued.collect();
        for (dimension, counted) in document.dimensions.iter_mut().enumerate() {
            let clicks = valued.iter().map(|(values, slot, is_bot)| (values[dimension], *slot, *is_bot));
            *counted = Values::of(clicks).limited(COUNTERS);
        }
        if of_account {
            document.links =
                Values::of(clicks.iter().map(|it| (Some(it.link_id.into_bytes()), slot(it.clicked_at), it.is_bot)));
        }
        document
    }

    /// Adds the counts of both.
    pub(crate) fn merged(mut self, more: Self) -> Self {
        self.slots.merge(&more.slots);
        for (known, more) in self.dimensions.iter_mut().zip(more.dimensions) {
            *known = std::mem::take(known).merged(more).limited(COUNTERS);
        }
        self.links = self.links.merged(more.links);
        self
    }

    /// Adds days to the document of a month, whose clicks have no slots. It has more counters than a day, so that the bound of
    /// the error is no higher.
    pub(crate) fn merged_by_month(mut self, more: Self) -> Self {
        for (known, more) in self.dimensions.iter_mut().zip(more.dimensions) {
            *known = std::mem::take(known).merged(more.at_some_time()).limited(MONTH_COUNTERS);
        }
        self.links = self.links.merged(more.links.at_some_time()).limited(MONTH_COUNTERS);
        self
    }

    /// Reads the columns of a document.
    pub(crate) fn decode(slots: &[u8], tops: &'a [u8], parts: &'a [u8]) -> Result<Self, Unreadable> {
        let mut document = Document { slots: Slots::decode(slots)?, ..Document::default() };
        let Some(mut tops) = Reader::of(tops)? else { return Ok(document) };
        let mut only = SOME_TIME;
        let mut parts = match (parts.split_first(), &document.slots.0[..]) {
            (Some((&PARTS_VERSION, parts)), _) => Some(Reader::of_bytes(parts)),
            (Some((&IN_ONE_SLOT, [])), [(slot, _)]) => {
                only = *slot;
                None
            }
            (Some(_), _) => return Err(Unreadable),
            (None, _) => None,
        };
        let read = |tops: &mut Reader<'a>, parts: &mut Option<Reader<'a>>, values: &mut Values<&'a str>| {
            let mut place = |count: ValueCount, cell: &mut dyn FnMut(u8, ValueCount)| match parts {
                Some(parts) => parts.spread(Some(count), cell),
                None => {
                    cell(only, count);
                    Ok(())
                }
            };
            for _ in 0..tops.length()? {
                let (value, count) = (tops.text()?, tops.count()?);
                place(count, &mut |slot, count| values.cells.push(Cell { value, slot, count }))?;
            }
            let (unknown, error) = tops.tail()?;
            if !unknown.is_zero() {
                place(unknown, &mut |slot, count| values.unknown.push((slot, count)))?;
            }
            values.error = error;
            Ok::<(), Unreadable>(())
        };
        let (first, later) = document.dimensions.split_at_mut(tops.before_links());
        first.iter_mut().try_for_each(|values| read(&mut tops, &mut parts, values))?;
        let links = &mut document.links;
        for _ in 0..tops.length()? {
            let (value, count) = (*tops.link()?, tops.count()?);
            links.cells.push(Cell { value, slot: only, count });
        }
        links.error = tops.tail()?.1;
        if let Some(parts) = &mut parts {
            // All of them, where the totals list some.
            links.cells.clear();
            for _ in 0..parts.number()? {
                let value = *parts.link()?;
                parts.spread(None, &mut |slot, count| links.cells.push(Cell { value, slot, count }))?;
            }
            links.error = parts.count()?;
        }
        let (behind, absent) = later.split_at_mut(tops.behind_links()?);
        behind.iter_mut().try_for_each(|values| read(&mut tops, &mut parts, values))?;
        absent.iter_mut().for_each(|values| *values = first[DEVICE].without_values());
        Ok(document)
    }

    pub(crate) fn encode(&self) -> Encoded {
        let mut parts = vec![PARTS_VERSION];
        let put_values = |parts: &mut Vec<u8>, values: &Values<&str>| {
            for cells in values.cells.chunk_by(|a, b| a.value == b.value) {
                put_spread(parts, cells, |cell| (cell.slot, cell.count), true);
            }
            if !values.unknown.is_empty() {
                put_spread(parts, &values.unknown, |unknown| *unknown, true);
            }
        };
        let (first, behind) = self.dimensions.split_at(BEFORE_LINKS);
        first.iter().for_each(|values| put_values(&mut parts, values));
        put(&mut parts, self.links.totals().count() as u64);
        for cells in self.links.cells.chunk_by(|a, b| a.value == b.value) {
            parts.extend(cells[0].value);
            put_spread(&mut parts, cells, |cell| (cell.slot, cell.count), false);
        }
        put_count(&mut parts, self.links.error);
        behind.iter().for_each(|values| put_values(&mut parts, values));
        if self.is_in_one_slot() {
            parts = vec![IN_ONE_SLOT];
        }
        let tops = self.tops(most_followed(&self.links));
        Encoded { slots: self.slots.encode(), tops, parts }
    }

    /// The only column of a month's document.
    pub(crate) fn encode_month(&self) -> Vec<u8> {
        self.tops((self.links.totals().collect(), self.links.error))
    }

    /// The totals, with these links of an account.
    fn tops(&self, (links, error): (Vec<(LinkBytes, ValueCount)>, ValueCount)) -> Vec<u8> {
        let mut tops = vec![VERSION];
        let put_values = |tops: &mut Vec<u8>, values: &Values<&str>| {
            let unknown = values.unknown.iter().map(|(_, count)| *count).sum();
            put_all(tops, values.totals().collect(), put_text, unknown, values.error);
        };
        let (first, behind) = self.dimensions.split_at(BEFORE_LINKS);
        first.iter().for_each(|values| put_values(&mut tops, values));
        put_all(&mut tops, links, |tops, link| tops.extend(link), ValueCount::default(), error);
        tops.push(behind.len() as u8);
        behind.iter().for_each(|values| put_values(&mut tops, values));
        tops
    }
}

impl Document<'_> {
    /// Whether all clicks are in one slot, so that the parts need not be stored. Never so for an account, whose parts also list
    /// the links.
    fn is_in_one_slot(&self) -> bool {
        let [(only, _)] = self.slots.0[..] else { return false };
        let mut slots = self.dimensions.iter().flat_map(|values| {
            values.cells.iter().map(|cell| cell.slot).chain(values.unknown.iter().map(|(slot, _)| *slot))
        });
        self.links.cells.is_empty() && slots.all(|slot| slot == only)
    }
}

/// The links with the most clicks of people, and those with the most of bots, in the order of ids; and the most clicks that any
/// other link can have.
fn most_followed(links: &Values<LinkBytes>) -> (Vec<(LinkBytes, ValueCount)>, ValueCount) {
    let mut listed: Vec<(LinkBytes, ValueCount)> = links.totals().collect();
    let mut error = links.error;
    if listed.len() <= LISTED_LINKS {
        return (listed, error);
    }
    let mut least = ValueCount::default();
    for kind in KINDS {
        let mut totals: Vec<u64> = listed.iter().map(|(_, count)| *kind(&mut count.clone())).collect();
        *kind(&mut least) = *totals.select_nth_unstable_by(LISTED_LINKS, |a, b| b.cmp(a)).1;
    }
    let mut largest = ValueCount::default();
    listed.retain(|(_, count)| {
        let is_listed = count.people > least.people || count.bots > least.bots;
        if !is_listed {
            largest = largest.max(*count);
        }
        is_listed
    });
    error += largest;
    (listed, error)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn clicks() -> impl Strategy<Value = Vec<click::Model>> {
        let text = || prop::option::weighted(0.8, "[a-dé]{1,2}|Chrome|MIUI Browser|desktop");
        let led = || (prop::option::of("QR|CARD"), prop::option::of("[1-9]"));
        let click = (0_i64..86_400_000, any::<bool>(), any::<(bool, bool)>(), 0_u8..4, text(), text(), led());
        let click =
            click.prop_map(|(clicked_at, is_bot, (new_to_link, new_to_account), link, country, utm_campaign, led)| {
                click::Model {
                    id: uuid::Uuid::nil(),
                    link_id: uuid::Uuid::from_bytes([link; 16]),
                    clicked_at,
                    visitor: Vec::new(),
                    is_bot,
                    browser: None,
                    os: None,
                    device: country.clone(),
                    referrer_host: None,
                    region: country.as_ref().map(|country| format!("{country}-1")),
                    city: None,
                    country,
                    language: None,
                    utm_source: None,
                    utm_medium: None,
                    utm_campaign,
                    utm_term: None,
                    utm_content: None,
                    trigger: led.0,
                    destination: led.1,
                    rule: None,
                    ad_click: None,
                    new_to_link: Some(new_to_link),
                    new_to_account: Some(new_to_account),
                }
            });
        prop::collection::vec(click, 0..60)
    }

    fn document(clicks: &[click::Model], of_account: bool) -> Document<'_> {
        Document::of(&clicks.iter().collect::<Vec<_>>(), of_account)
    }

    /// Bytes of a document's totals behind the links.
    fn length_behind_links(document: &Document<'_>) -> usize {
        let mut totals = Vec::new();
        for values in &document.dimensions[BEFORE_LINKS..] {
            let unknown = values.unknown.iter().map(|(_, count)| *count).sum();
            put_all(&mut totals, values.totals().collect(), put_text, unknown, values.error);
        }
        1 + totals.len()
    }

    /// Encodes a document as the nodes did that knew no dimensions behind the links.
    fn encoded_without_sources(mut document: Document<'_>) -> Encoded {
        document.dimensions[BEFORE_LINKS..].fill(Values::default());
        let mut encoded = document.encode();
        encoded.tops.truncate(encoded.tops.len() - length_behind_links(&document));
        encoded
    }

    /// Encodes a document as version 2 did: without trigger and destination, too.
    fn encoded_before(mut document: Document<'_>) -> Encoded {
        document.dimensions[9..].fill(Values::default());
        let links = std::mem::take(&mut document.links);
        // The number of links is the last byte.
        let end_of_dimensions = encoded_without_sources(document.clone()).tops.len() - 1;
        document.links = links;
        let mut encoded = encoded_without_sources(document);
        encoded.tops[0] = 2;
        encoded.tops.drain(end_of_dimensions - 2..end_of_dimensions);
        encoded
    }

    proptest! {
        /// Of clicks that version 2 counted, trigger and destination are unknown, of all of them and in their slots.
        #[test]
        fn the_second_version_is_read_and_added_to(clicks in clicks(), cut in any::<prop::sample::Index>(), of_account in any::<bool>()) {
            let (before, after) = clicks.split_at(cut.index(clicks.len() + 1));
            let Encoded { slots, tops, parts } = encoded_before(document(before, of_account));
            let mut expected = document(before, of_account);
            let unknown = before.iter().map(|click| (None, slot(click.clicked_at), click.is_bot));
            expected.dimensions[9..].fill(Values::of(unknown));
            let known = Document::decode(&slots, &tops, &parts).unwrap();
            prop_assert_eq!(&known, &expected);
            let sum = known.merged(document(after, of_account));
            let Encoded { slots, mut tops, parts } = sum.encode();
            prop_assert_eq!(&Document::decode(&slots, &tops, &parts).unwrap(), &sum);
            tops[0] += 1;
            prop_assert!(Document::decode(&slots, &tops, &parts).is_err(), "a later version is refused");
            let named = |dimension: usize| sum.dimensions[dimension].totals().map(|(_, count)| count.people + count.bots).sum::<u64>();
            prop_assert_eq!(named(9), after.len() as u64, "each click that is counted now has a trigger");
            prop_assert_eq!(named(10), if of_account { 0 } else { after.len() as u64 });
            prop_assert_eq!(named(12), after.len() as u64, "and a channel");
        }

        /// Nodes that know no sources and nodes that do read each other's documents. Clicks that the former counted, or merged, have none.
        #[test]
        fn documents_without_sources_are_read_and_added_to(clicks in clicks(), cut in any::<prop::sample::Index>(), of_account in any::<bool>()) {
            let (before, after) = clicks.split_at(cut.index(clicks.len() + 1));
            let Encoded { slots, tops, parts } = encoded_without_sources(document(before, of_account));
            let mut expected = document(before, of_account);
            let unknown = before.iter().map(|click| (None, slot(click.clicked_at), click.is_bot));
            expected.dimensions[BEFORE_LINKS..].fill(Values::of(unknown));
            let known = Document::decode(&slots, &tops, &parts).unwrap();
            prop_assert_eq!(&known, &expected);
            let whole = document(before, of_account).encode();
            prop_assert_eq!(whole.slots, slots);
            prop_assert!(whole.tops.starts_with(&tops), "what follows is left out");
            prop_assert!(whole.parts.starts_with(&parts), "and so here");
            let sum = known.merged(document(after, of_account));
            let Encoded { slots, tops, parts } = sum.encode();
            prop_assert_eq!(&Document::decode(&slots, &tops, &parts).unwrap(), &sum);
        }

        /// Dimensions that a later version adds are left out, and everything else is read.
        #[test]
        fn later_dimensions_are_not_read(clicks in clicks(), of_account in any::<bool>()) {
            let whole = document(&clicks, of_account);
            let Encoded { slots, mut tops, parts } = whole.encode();
            let number = tops.len() - length_behind_links(&whole);
            tops[number] += 1;
            tops.extend([4, 2, b'x', 2]);
            prop_assert_eq!(&Document::decode(&slots, &tops, &parts).unwrap(), &whole);
        }

        #[test]
        fn documents_are_read_as_they_were_written(clicks in clicks(), cut in any::<prop::sample::Index>(), of_account in any::<bool>()) {
            let whole = document(&clicks, of_account);
            let Encoded { slots, tops, parts } = whole.encode();
            prop_assert_eq!(&Document::decode(&slots, &tops, &parts).unwrap(), &whole);
            let behind_links = tops.len() - length_behind_links(&whole);
            // Nodes that know no sources end there.
            for end in (1..tops.len()).filter(|end| *end != behind_links) {
                prop_assert!(Document::decode(&slots, &tops[..end], &[]).is_err(), "totals cut off at {end}");
            }
            for end in 1..parts.len() {
                prop_assert!(Document::decode(&slots, &tops, &parts[..end]).is_err(), "parts cut off at {end}");
            }
            let (first, second) = clicks.split_at(cut.index(clicks.len() + 1));
            prop_assert_eq!(document(first, of_account).merged(document(second, of_account)), whole);
        }

        #[test]
        fn arbitrary_bytes_are_refused_or_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..80), version in 0_u8..5) {
            let tops = [&[version][..], &bytes].concat();
            let _ = (Document::decode(&bytes, &tops, &[]), Document::decode(&[], &tops, &tops), Document::decode(&[], &bytes, &bytes));
        }
    }

    /// Bytes as the first version wrote them for two clicks of people and one of a bot.
    #[test]
    fn the_first_version_is_read_still() {
        let mut tops = vec![1];
        // Two of CH, one of them of a bot; one unknown, and five others, two of bots.
        tops.extend([1, 2, b'C', b'H', 2, 1, 1, 0, 5, 2]);
        tops.extend([0; 3 * 5]);
        // The same clicks by device, where none has another value.
        tops.extend([1, 2, b't', b'v', 2, 1, 0, 0, 0, 0]);
        tops.extend([0; 4 * 5]);
        tops.push(1);
        tops.extend([7; 16]);
        tops.extend([3, 1, 0, 0, 0, 0]);
        let document = Document::decode(&[], &tops, &[]).unwrap();
        let [countries, ..] = &document.dimensions;
        let count = |people, bots| ValueCount { people, bots };
        assert_eq!(countries.cells, [Cell { value: "CH", slot: SOME_TIME, count: count(1, 1) }]);
        assert_eq!((&*countries.unknown, countries.error), (&[(SOME_TIME, count(1, 0))][..], count(3, 2)));
        assert_eq!(document.links.cells, [Cell { value: [7; 16], slot: SOME_TIME, count: count(2, 1) }]);
        let unknown = Values { unknown: vec![(SOME_TIME, count(1, 1))], ..Values::default() };
        assert!(document.dimensions[9..].iter().all(|values| *values == unknown));
        let Encoded { slots, tops, parts } = document.encode();
        assert_eq!(Document::decode(&slots, &tops, &parts).unwrap(), document);
    }

    #[test]
    fn the_totals_of_an_account_list_the_links_with_the_most_clicks() {
        let link = |number: u16| {
            let mut link = [0; 16];
            link[..2].copy_from_slice(&number.to_be_bytes());
            link
        };
        let count = |people, bots| ValueCount { people, bots };
        let cells = |bots: u64| {
            (0..3_000).map(move |number| Cell { value: link(number), slot: 5, count: count(u64::from(number), bots) })
        };
        let links = Values { cells: cells(1).collect(), ..Values::default() };
        let (listed, error) = most_followed(&links);
        assert_eq!(
            listed,
            (2_000..3_000).map(|number| (link(number), count(u64::from(number), 1))).collect::<Vec<_>>()
        );
        assert_eq!(error, count(1_999, 1));
        let few = Values { cells: cells(0).take(1_000).collect(), ..Values::default() };
        assert_eq!((most_followed(&few).0.len(), most_followed(&few).1), (1_000, count(0, 0)));
        let document = Document { links, ..Document::default() };
        let Encoded { slots, tops, parts } = document.encode();
        assert_eq!(Document::decode(&slots, &tops, &parts).unwrap(), document, "the parts know all links");
    }
}
