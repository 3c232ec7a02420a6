//! Puts summaries together out of what is counted by day and slot. Pure.

use std::{
    borrow::Borrow,
    collections::{BTreeMap, HashMap},
    hash::Hash,
};

use crate::{
    base::clock::{DAY, UnixMillis},
    clicks::day_document::{
        Counts, DEVICE, DIMENSIONS, Document, KINDS, LinkBytes, Reader, SLOT, SOME_TIME, Slots, Unreadable, ValueCount,
        Values,
    },
};

/// Points that a series has at most.
pub(crate) const MAX_POINTS: usize = 2_000;
/// Values of one dimension that are counted while days are added up; above this number, the rarest are dropped.
const HELD: usize = 25_000;
/// Values that are left then. There are no fewer than counters of a day, so the error stays below one click in 513.
const COUNTERS_LEFT: usize = 20_000;

/// The UTC day to which a moment belongs.
pub(crate) fn day(time: UnixMillis) -> i64 {
    time.div_euclid(DAY)
}

/// Counts by time (Unix milliseconds), oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timeline(Vec<(UnixMillis, Counts)>);

impl Timeline {
    /// Counts by when they begin.
    pub(crate) fn of(counts: BTreeMap<UnixMillis, Counts>) -> Self {
        Timeline(counts.into_iter().collect())
    }

    /// Adds a day later than those before.
    pub(crate) fn add_day(&mut self, day: i64, slots: &Slots) {
        let midnight = day * DAY;
        self.0.extend(slots.0.iter().map(|(slot, counts)| (midnight + UnixMillis::from(*slot) * SLOT, *counts)));
    }

    /// The slot that contains the moment, or the part of it if it is split already: start, end and counts. `None`: it has no
    /// clicks, or begins at the moment.
    pub(crate) fn around(&self, time: UnixMillis) -> Option<(UnixMillis, UnixMillis, Counts)> {
        let slot = time.div_euclid(SLOT) * SLOT;
        let after = self.0.partition_point(|(start, _)| *start <= time);
        let (start, counts) = *self.0[..after].last().filter(|(start, _)| *start >= slot)?;
        let end = self.0.get(after).map_or(UnixMillis::MAX, |(start, _)| *start);
        Some((start, end.min(slot.saturating_add(SLOT)), counts)).filter(|_| start < time && counts.clicks > 0)
    }

    /// Splits the slot that contains the moment into the counts before and after it.
    pub(crate) fn split(&mut self, time: UnixMillis, before: Counts, after: Counts) {
        let at = self.0.partition_point(|(start, _)| *start < time);
        if let Some((_, counts)) = self.0[..at].last_mut() {
            *counts = before;
            self.0.insert(at, (time, after));
        }
    }

    /// Everything from one moment until before another.
    pub(crate) fn between(&self, from: UnixMillis, to: UnixMillis) -> Counts {
        let mut sum = Counts::default();
        let first = self.0.partition_point(|(time, _)| *time < from);
        self.0.iter().skip(first).take_while(|(time, _)| *time < to).for_each(|(_, counts)| sum += *counts);
        sum
    }

    /// Counts in each part of a range; the parts begin at these moments.
    pub(crate) fn series(&self, starts: &[UnixMillis], from: UnixMillis, to: UnixMillis) -> Vec<(UnixMillis, Counts)> {
        let ends = starts.iter().skip(1).copied().chain([to]);
        starts.iter().zip(ends).map(|(start, end)| (*start, self.between((*start).max(from), end))).collect()
    }

    /// Removes the counts outside of the range.
    pub(crate) fn within(mut self, from: UnixMillis, to: UnixMillis) -> Self {
        self.0.retain(|(time, _)| (from..to).contains(time));
        self
    }

    /// Divides a range into parts of at most so many clicks, the last part first. A slot is in one part, however many it has.
    pub(crate) fn parts(&self, (from, to): (UnixMillis, UnixMillis), most: u64) -> Vec<(UnixMillis, UnixMillis)> {
        let (mut parts, mut clicks, mut start, mut end) = (Vec::new(), 0, to, to);
        for (slot, counts) in self.0.iter().rev().filter(|(slot, _)| *slot < to && slot.saturating_add(SLOT) > from) {
            if clicks > 0 && clicks + counts.clicks > most {
                parts.push((start, end));
                (end, clicks) = (start, 0);
            }
            clicks += counts.clicks;
            start = *slot;
        }
        if from < end {
            parts.push((from, end));
        }
        parts
    }

    /// How to skip the newest clicks: the end (exclusive) of the slot in which the next click is, and how many clicks before that
    /// end are still to be skipped.
    pub(crate) fn skip(&self, skipped: u64, humans_only: bool) -> (UnixMillis, u64) {
        let mut left = skipped;
        for (start, counts) in self.0.iter().rev() {
            let clicks = counts.clicks - if humans_only { counts.bots } else { 0 };
            if clicks > left {
                return (start.div_euclid(SLOT) * SLOT + SLOT, left);
            }
            left -= clicks;
        }
        (UnixMillis::MIN, 0)
    }
}

/// Clicks by value, of many days. Those that are neither listed nor unknown have other values.
#[derive(Debug)]
pub(crate) struct Counter<K> {
    listed: HashMap<K, ValueCount, foldhash::fast::RandomState>,
    unknown: ValueCount,
    error: ValueCount,
}

impl<K> Default for Counter<K> {
    fn default() -> Self {
        Counter { listed: HashMap::default(), unknown: ValueCount::default(), error: ValueCount::default() }
    }
}

/// The most frequent values; together with the other and the unknown ones they are all clicks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Top<K> {
    /// Most frequent first.
    pub(crate) values: Vec<(K, u64)>,
    /// Clicks without a value.
    pub(crate) unknown: u64,
    /// Clicks with other values.
    pub(crate) other: u64,
    /// By how much the count of a value, listed or not, is too low at most.
    pub(crate) error: u64,
}

impl<K: Clone + Eq + Hash + Ord> Counter<K> {
    fn count<Q>(&mut self, value: Option<&Q>, count: ValueCount)
    where
        Q: ?Sized + Eq + Hash + ToOwned,
        Q::Owned: Into<K>,
        K: Borrow<Q>,
    {
        let Some(value) = value else { return self.unknown += count };
        match self.listed.get_mut(value) {
            Some(known) => *known += count,
            None => drop(self.listed.insert(value.to_owned().into(), count)),
        }
    }

    /// Adds the totals of a day, and returns its clicks as far as they are listed or unknown.
    fn read<'a, Q>(
        &mut self,
        tops: &mut Reader<'a>,
        value: impl Fn(&mut Reader<'a>) -> Result<&'a Q, Unreadable>,
    ) -> Result<ValueCount, Unreadable>
    where
        Q: ?Sized + Eq + Hash + ToOwned + 'a,
        Q::Owned: Into<K>,
        K: Borrow<Q>,
    {
        let mut clicks = ValueCount::default();
        for _ in 0..tops.length()? {
            let (value, count) = (value(tops)?, tops.count()?);
            self.count(Some(value), count);
            clicks += count;
        }
        let (unknown, error) = tops.tail()?;
        self.unknown += unknown;
        self.error += error;
        self.bound();
        clicks += unknown;
        Ok(clicks)
    }

    /// Adds the clicks of some slots. Clicks whose slot is unknown increase the error, by the most that one value has of them.
    fn add<T, Q>(&mut self, values: &Values<T>, value: impl Fn(&T) -> &Q, is_in: impl Fn(u8) -> bool)
    where
        T: PartialEq,
        Q: ?Sized + Eq + Hash + ToOwned,
        Q::Owned: Into<K>,
        K: Borrow<Q>,
    {
        let mut unplaced = ValueCount::default();
        for cells in values.cells.chunk_by(|a, b| a.value == b.value) {
            let counted: ValueCount = cells.iter().filter(|cell| is_in(cell.slot)).map(|cell| cell.count).sum();
            if !counted.is_zero() {
                self.count(Some(value(&cells[0].value)), counted);
            }
            let some_time = cells.iter().filter(|cell| cell.slot == SOME_TIME);
            unplaced = unplaced.max(some_time.map(|cell| cell.count).sum());
        }
        let unknown = values.unknown.iter().filter(|(slot, _)| is_in(*slot));
        self.unknown += unknown.map(|(_, count)| *count).sum();
        self.error += values.error;
        self.error += unplaced;
        self.bound();
    }

    /// Bounds memory: of more than [`HELD`] values, it keeps [`COUNTERS_LEFT`] of each kind, as [`Values::limited`] does.
    fn bound(&mut self) {
        if self.listed.len() <= HELD {
            return;
        }
        for kind in KINDS {
            let mut totals: Vec<u64> = self.listed.values().map(|count| *kind(&mut count.clone())).collect();
            let (_, surplus, _) = totals.select_nth_unstable_by(COUNTERS_LEFT, |a, b| b.cmp(a));
            self.listed.values_mut().for_each(|count| *kind(count) = kind(count).saturating_sub(*surplus));
            *kind(&mut self.error) += *surplus;
        }
        self.listed.retain(|_, count| !count.is_zero());
    }

    /// The `limit` most frequent values. `all` are all clicks that were counted, listed or not.
    pub(crate) fn top(self, limit: usize, with_bots: bool, all: Counts) -> Top<K> {
        let clicks = |count: ValueCount| count.people + if with_bots { count.bots } else { 0 };
        let mut values: Vec<_> = self
            .listed
            .into_iter()
            .map(|(value, count)| (value, clicks(count)))
            .filter(|(_, clicks)| *clicks > 0)
            .collect();
        values.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        values.truncate(limit);
        let all = all.clicks - if with_bots { 0 } else { all.bots };
        let unknown = clicks(self.unknown);
        let listed: u64 = values.iter().map(|(_, clicks)| clicks).sum();
        Top { values, unknown, other: all.saturating_sub(listed + unknown), error: clicks(self.error) }
    }
}

/// Clicks by value, for each dimension.
#[derive(Debug, Default)]
pub(crate) struct TopCounter {
    /// In the order of [`crate::clicks::day_document::values`].
    pub(crate) dimensions: [Counter<Box<str>>; DIMENSIONS],
    pub(crate) links: Counter<LinkBytes>,
}

impl TopCounter {
    /// Adds the totals of a whole day.
    pub(crate) fn add_day(&mut self, tops: &[u8]) -> Result<(), Unreadable> {
        let Some(mut tops) = Reader::of(tops)? else { return Ok(()) };
        let (first, later) = self.dimensions.split_at_mut(tops.before_links());
        let mut all = ValueCount::default();
        for (dimension, counter) in first.iter_mut().enumerate() {
            let clicks = counter.read(&mut tops, Reader::text)?;
            if dimension == DEVICE {
                all = clicks;
            }
        }
        // A link's document lists none.
        self.links.read(&mut tops, Reader::link)?;
        let (behind, absent) = later.split_at_mut(tops.behind_links()?);
        for counter in behind {
            counter.read(&mut tops, Reader::text)?;
        }
        absent.iter_mut().for_each(|counter| counter.unknown += all);
        Ok(())
    }

    /// Adds some slots of a day.
    pub(crate) fn add_slots(&mut self, document: &Document<'_>, of_account: bool, is_in: impl Fn(u8) -> bool) {
        for (counter, values) in self.dimensions.iter_mut().zip(&document.dimensions) {
            counter.add(values, |value: &&str| *value, &is_in);
        }
        if of_account {
            self.links.add(&document.links, |link| link, &is_in);
        }
    }

    pub(crate) fn add_click(&mut self, values: [Option<&str>; DIMENSIONS], link: Option<LinkBytes>, is_bot: bool) {
        let one = ValueCount::one(is_bot);
        for (counter, value) in self.dimensions.iter_mut().zip(values) {
            counter.count(value, one);
        }
        if let Some(link) = link {
            self.links.count(Some(&link), one);
        }
    }

    /// Adds clicks whose values were not read: they increase the error, since all may have the same value.
    pub(crate) fn add_unread(&mut self, clicks: Counts) {
        let count = ValueCount { people: clicks.clicks - clicks.bots, bots: clicks.bots };
        self.dimensions.iter_mut().for_each(|counter| counter.error += count);
        self.links.error += count;
    }
}

/// Relative change: 0.25 is a quarter more. `None`: there was nothing before.
pub(crate) fn change(now: u64, before: u64) -> Option<f64> {
    (before > 0).then(|| (now as f64 - before as f64) / before as f64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn slots() -> impl Strategy<Value = Vec<(UnixMillis, bool, bool)>> {
        prop::collection::vec((moment(), any::<bool>(), any::<bool>()), 0..80)
    }

    /// Half of them in the same two slots.
    fn moment() -> impl Strategy<Value = UnixMillis> {
        prop_oneof![0..5 * DAY, DAY - SLOT..DAY + SLOT]
    }

    fn timeline(clicks: &[(UnixMillis, bool, bool)]) -> Timeline {
        let mut timeline = Timeline::default();
        for day in 0..5 {
            let mut slots = Slots::default();
            for (time, is_bot, is_new) in clicks.iter().filter(|(time, ..)| time / DAY == day) {
                slots.add(*time, Counts::one(*is_bot, *is_new));
            }
            timeline.add_day(day, &slots);
        }
        timeline
    }

    proptest! {
        #[test]
        fn parts_add_up_to_the_whole(clicks in slots(), cuts in prop::collection::vec(moment(), 1..9)) {
            let mut timeline = timeline(&clicks);
            let mut cuts = cuts;
            cuts.sort_unstable();
            cuts.dedup();
            let of = |from: UnixMillis, to: UnixMillis| {
                let mut sum = Counts::default();
                clicks.iter().filter(|(time, ..)| (from..to).contains(time)).for_each(|(_, is_bot, is_new)| sum += Counts::one(*is_bot, *is_new));
                sum
            };
            let (from, to) = (cuts[0], cuts[cuts.len() - 1].max(cuts[0] + 1));
            for edge in [(from + from.div_euclid(SLOT) * SLOT) / 2, from, to] {
                if let Some((start, end, known)) = timeline.around(edge) {
                    prop_assert_eq!(known, of(start, end));
                    timeline.split(edge, of(start, edge), of(edge, end));
                }
            }
            let whole = timeline.between(from, to);
            prop_assert_eq!(whole, of(from, to));
            let mut sum = Counts::default();
            timeline.series(&cuts[..cuts.len() - 1], from, to).iter().for_each(|(_, counts)| sum += *counts);
            prop_assert!(cuts.len() == 1 || sum == whole);
        }

        #[test]
        fn skipping_finds_the_click(clicks in slots(), skipped in 0_usize..90, humans_only in any::<bool>()) {
            let (before, rest) = timeline(&clicks).skip(skipped as u64, humans_only);
            let mut times: Vec<_> = clicks.iter().filter(|(_, is_bot, _)| !(humans_only && *is_bot)).map(|(time, ..)| *time).collect();
            times.sort_unstable_by(|a, b| b.cmp(a));
            let found = times.iter().filter(|time| **time < before).nth(usize::try_from(rest).unwrap());
            prop_assert_eq!(found, times.get(skipped));
        }
    }

    proptest! {
        #[test]
        fn parts_of_a_range_have_few_clicks(clicks in slots(), edges in (moment(), moment()), most in 1_u64..40) {
            let timeline = timeline(&clicks);
            let (from, to) = edges;
            let parts = timeline.parts((from, to), most);
            let mut end = to;
            for part in &parts {
                prop_assert!(part.0 < part.1 && part.1 == end);
                end = part.0;
                let within = clicks.iter().filter(|(time, ..)| (part.0..part.1).contains(time));
                let slots: std::collections::BTreeSet<_> = within.clone().map(|(time, ..)| time / SLOT).collect();
                prop_assert!(slots.len() < 2 || within.count() as u64 <= most);
            }
            prop_assert_eq!(end, from.min(to));
            prop_assert!(parts.len() as u64 <= 1 + 2 * clicks.len() as u64 / most);
        }
    }

    #[test]
    fn many_values_of_many_days_take_bounded_space() {
        let mut counter = TopCounter::default();
        for day in 0..80_u32 {
            let values: Vec<String> = (0..512).map(|number| format!("made-up-{}", day * 512 + number)).collect();
            let mut document = Document::default();
            let clicks = values.iter().map(|value| (Some(&**value), 3, false));
            document.dimensions[1] = Values::of(clicks.chain((0..2).map(|_| (Some("news"), 4, true))));
            let encoded = document.encode();
            counter.add_day(&encoded.tops).unwrap();
        }
        let [_, referrers, ..] = counter.dimensions;
        assert!(referrers.listed.len() <= HELD);
        let all = Counts { clicks: 80 * 514, bots: 160, ..Counts::default() };
        let top = referrers.top(1, true, all);
        assert_eq!((top.values, top.unknown, top.other), (vec![("news".into(), 160)], 0, 80 * 512));
        assert!((1..=80 * 514 / 20_001).contains(&top.error));
    }

    #[test]
    fn clicks_without_a_slot_are_not_values_of_a_part_of_the_day() {
        let mut document = Document::default();
        let value = |slot, number| (0..number).map(move |_| (Some("CH"), slot, false));
        document.dimensions[0] = Values::of(value(SOME_TIME, 3).chain(value(7, 2)).chain([(None, 7, false)]));
        let mut counter = TopCounter::default();
        counter.add_slots(&document, false, |slot| slot == 7);
        let mut values = [None; DIMENSIONS];
        values[0] = Some("CH");
        counter.add_click(values, None, true);
        counter.add_unread(Counts { clicks: 4, ..Counts::default() });
        let [countries, ..] = counter.dimensions;
        let all = Counts { clicks: 11, bots: 1, ..Counts::default() };
        assert_eq!(countries.top(9, true, all), Top { values: vec![("CH".into(), 3)], unknown: 1, other: 7, error: 7 });
    }
}
