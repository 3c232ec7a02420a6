//! Puts summaries together out of what is counted by day and slot. Pure.

use std::{borrow::Borrow, collections::HashMap, hash::Hash};

use crate::{
    clicks::tally::{Counts, DIMENSIONS, LinkBytes, Reader, SLOT, Slots, Tops, Unreadable, ValueCount, Values},
    clock::{DAY, Millis},
};

/// Points that a series has at most.
pub const MAX_POINTS: usize = 2_000;
/// Values of one dimension that are held while days are added up.
const MAX_HELD: usize = 20_000;

/// The UTC day to which a moment belongs.
pub fn day(time: Millis) -> i64 {
    time.div_euclid(DAY)
}

/// What is counted at which time, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Timeline(Vec<(Millis, Counts)>);

impl Timeline {
    /// Adds a day later than those before.
    pub fn add_day(&mut self, day: i64, slots: &Slots) {
        let midnight = day * DAY;
        self.0.extend(slots.0.iter().map(|(slot, counts)| (midnight + Millis::from(*slot) * SLOT, *counts)));
    }

    /// The slot that goes on at the moment, or the part of it if it is taken apart: its start, its end and what is counted
    /// in it. None if that is nothing, or if it only begins then.
    pub fn around(&self, time: Millis) -> Option<(Millis, Millis, Counts)> {
        let slot = time.div_euclid(SLOT) * SLOT;
        let after = self.0.partition_point(|(start, _)| *start <= time);
        let (start, counts) = *self.0[..after].last().filter(|(start, _)| *start >= slot)?;
        let end = self.0.get(after).map_or(Millis::MAX, |(start, _)| *start);
        Some((start, end.min(slot.saturating_add(SLOT)), counts)).filter(|_| start < time && counts.clicks > 0)
    }

    /// Takes what goes on at the moment apart.
    pub fn split(&mut self, time: Millis, before: Counts, after: Counts) {
        let at = self.0.partition_point(|(start, _)| *start < time);
        if let Some((_, counts)) = self.0[..at].last_mut() {
            *counts = before;
            self.0.insert(at, (time, after));
        }
    }

    /// Everything from one moment until before another.
    pub fn between(&self, from: Millis, to: Millis) -> Counts {
        let mut sum = Counts::default();
        let first = self.0.partition_point(|(time, _)| *time < from);
        self.0.iter().skip(first).take_while(|(time, _)| *time < to).for_each(|(_, counts)| sum += *counts);
        sum
    }

    /// What is counted in each part of a range; the parts begin at these moments.
    pub fn series(&self, starts: &[Millis], from: Millis, to: Millis) -> Vec<(Millis, Counts)> {
        let ends = starts.iter().skip(1).copied().chain([to]);
        starts.iter().zip(ends).map(|(start, end)| (*start, self.between((*start).max(from), end))).collect()
    }

    /// Without what lies before a moment, or not before another.
    pub fn within(mut self, from: Millis, to: Millis) -> Self {
        self.0.retain(|(time, _)| (from..to).contains(time));
        self
    }

    /// Where the newest clicks are to be skipped: a moment before which the next click lies, and how many of the clicks
    /// before it are to be skipped still.
    pub fn skip(&self, skipped: u64, humans_only: bool) -> (Millis, u64) {
        let mut left = skipped;
        for (start, counts) in self.0.iter().rev() {
            let clicks = counts.clicks - if humans_only { counts.bots } else { 0 };
            if clicks > left {
                return (start.div_euclid(SLOT) * SLOT + SLOT, left);
            }
            left -= clicks;
        }
        (Millis::MIN, 0)
    }
}

/// Clicks by value, of many days.
#[derive(Debug)]
pub struct Counter<K> {
    listed: HashMap<K, ValueCount, foldhash::fast::RandomState>,
    unknown: ValueCount,
    other: ValueCount,
}

impl<K> Default for Counter<K> {
    fn default() -> Self {
        Counter { listed: HashMap::default(), unknown: ValueCount::default(), other: ValueCount::default() }
    }
}

/// The most frequent values; together with the other and the unknown ones they are all clicks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Top<K> {
    /// Most frequent first.
    pub values: Vec<(K, u64)>,
    /// Clicks without a value.
    pub unknown: u64,
    /// Clicks with other values.
    pub other: u64,
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

    fn add<T, Q>(
        &mut self,
        values: &Values<T>,
        value: impl Fn(&T) -> &Q,
        part: impl Fn(ValueCount) -> ValueCount,
    ) -> ValueCount
    where
        Q: ?Sized + Eq + Hash + ToOwned,
        Q::Owned: Into<K>,
        K: Borrow<Q>,
    {
        let (unknown, other) = (part(values.unknown), part(values.other));
        let mut sum = unknown;
        sum += other;
        self.unknown += unknown;
        self.other += other;
        for (listed, count) in &values.listed {
            let count = part(*count);
            sum += count;
            self.count(Some(value(listed)), count);
        }
        self.bound();
        sum
    }

    fn read<'a, Q>(
        &mut self,
        tops: &mut Reader<'a>,
        value: impl Fn(&mut Reader<'a>) -> Result<&'a Q, Unreadable>,
    ) -> Result<(), Unreadable>
    where
        Q: ?Sized + Eq + Hash + ToOwned + 'a,
        Q::Owned: Into<K>,
        K: Borrow<Q>,
    {
        for _ in 0..tops.length()? {
            let value = value(tops)?;
            self.count(Some(value), tops.count()?);
        }
        self.unknown += tops.count()?;
        self.other += tops.count()?;
        self.bound();
        Ok(())
    }

    /// Memory is bounded, whatever many days list.
    fn bound(&mut self) {
        if self.listed.len() > MAX_HELD {
            let mut listed: Vec<_> = self.listed.drain().collect();
            listed.sort_unstable_by(|a, b| b.1.clicks.cmp(&a.1.clicks).then_with(|| a.0.cmp(&b.0)));
            for (_, count) in listed.drain(MAX_HELD / 2..) {
                self.other += count;
            }
            self.listed.extend(listed);
        }
    }

    /// The most frequent values.
    pub fn top(self, limit: usize, with_bots: bool) -> Top<K> {
        let clicks = |count: ValueCount| count.clicks - if with_bots { 0 } else { count.bots };
        let mut values: Vec<_> = self
            .listed
            .into_iter()
            .map(|(value, count)| (value, clicks(count)))
            .filter(|(_, clicks)| *clicks > 0)
            .collect();
        values.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let rest: u64 = values.iter().skip(limit).map(|(_, clicks)| clicks).sum();
        values.truncate(limit);
        Top { values, unknown: clicks(self.unknown), other: clicks(self.other) + rest }
    }
}

/// Clicks by value, for each dimension.
#[derive(Debug, Default)]
pub struct TopCounter {
    /// In the order of [`crate::clicks::tally::values`].
    pub dimensions: [Counter<Box<str>>; DIMENSIONS],
    /// By link.
    pub links: Counter<LinkBytes>,
}

impl TopCounter {
    /// Adds the document of a whole day.
    pub fn add_day(&mut self, tops: &[u8], of_account: bool) -> Result<(), Unreadable> {
        let Some(mut tops) = Reader::of(tops)? else { return Ok(()) };
        for counter in &mut self.dimensions {
            counter.read(&mut tops, Reader::text)?;
        }
        if of_account { self.links.read(&mut tops, Reader::link) } else { Ok(()) }
    }

    /// Adds a part of a day, of which only the number of clicks is known: each value has the same part of it.
    pub fn add_part(&mut self, tops: &Tops<'_>, of_account: bool, part: Counts, whole: Counts) {
        let humans = (part.clicks - part.bots, whole.clicks - whole.bots);
        let scale = |count: u64, (part, whole): (u64, u64)| {
            u64::try_from(u128::from(count) * u128::from(part) / u128::from(whole.max(1))).unwrap_or_default()
        };
        let counted = self.add(tops, of_account, |count| {
            let bots = scale(count.bots, (part.bots, whole.bots));
            ValueCount { clicks: bots + scale(count.clicks - count.bots, humans), bots }
        });
        // What was rounded off.
        let rest = |counted: ValueCount| {
            let bots = part.bots.saturating_sub(counted.bots);
            let humans = humans.0.saturating_sub(counted.clicks - counted.bots);
            ValueCount { clicks: bots + humans, bots }
        };
        for (counter, counted) in self.dimensions.iter_mut().zip(&counted.0) {
            counter.other += rest(*counted);
        }
        if of_account {
            self.links.other += rest(counted.1);
        }
    }

    /// Adds one click.
    pub fn add_click(&mut self, values: [Option<&str>; DIMENSIONS], link: Option<LinkBytes>, is_bot: bool) {
        let one = ValueCount { clicks: 1, bots: u64::from(is_bot) };
        for (counter, value) in self.dimensions.iter_mut().zip(values) {
            counter.count(value, one);
        }
        if let Some(link) = link {
            self.links.count(Some(&link), one);
        }
    }

    /// Answers what was added.
    fn add(
        &mut self,
        tops: &Tops<'_>,
        of_account: bool,
        part: impl Fn(ValueCount) -> ValueCount,
    ) -> ([ValueCount; DIMENSIONS], ValueCount) {
        let mut counted = [ValueCount::default(); DIMENSIONS];
        for ((counter, values), counted) in self.dimensions.iter_mut().zip(&tops.dimensions).zip(&mut counted) {
            *counted = counter.add(values, |value: &&str| *value, &part);
        }
        let links = if of_account { self.links.add(&tops.links, |link| link, &part) } else { ValueCount::default() };
        (counted, links)
    }
}

/// Change relative to before: 0.25 is a quarter more. None from nothing.
pub fn change(now: u64, before: u64) -> Option<f64> {
    (before > 0).then(|| (now as f64 - before as f64) / before as f64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn slots() -> impl Strategy<Value = Vec<(Millis, bool, bool)>> {
        prop::collection::vec((moment(), any::<bool>(), any::<bool>()), 0..80)
    }

    /// Half of them in the same two slots.
    fn moment() -> impl Strategy<Value = Millis> {
        prop_oneof![0..5 * DAY, DAY - SLOT..DAY + SLOT]
    }

    fn timeline(clicks: &[(Millis, bool, bool)]) -> Timeline {
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
            let of = |from: Millis, to: Millis| {
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
        fn a_document_counts_as_what_it_was_made_of(days in prop::collection::vec(prop::collection::vec(("[a-e]{0,2}", 0_u64..300, 0_u64..300), 0..9), 0..4), of_account in any::<bool>()) {
            let mut read = TopCounter::default();
            let mut added = TopCounter::default();
            for day in &days {
                let mut tops = Tops::default();
                for (at, (value, humans, bots)) in day.iter().enumerate() {
                    let count = ValueCount { clicks: humans + bots, bots: *bots };
                    tops.dimensions[at].listed.push((value, count));
                    tops.dimensions[DIMENSIONS - 1 - at].unknown += count;
                    tops.dimensions[at].other += count;
                    tops.links.listed.push(([u8::try_from(humans % 9).unwrap(); 16], count));
                }
                added.add(&tops, of_account, |count| count);
                read.add_day(&tops.encode().unwrap(), of_account).unwrap();
                let bytes = tops.encode().unwrap();
                for end in 0..bytes.len() {
                    // A document that is cut off is refused, except for the links of a link's.
                    prop_assert!(end == 0 || !of_account || TopCounter::default().add_day(&bytes[..end], true).is_err());
                }
            }
            prop_assert_eq!(read.links.top(99, true), added.links.top(99, true));
            for (read, added) in read.dimensions.into_iter().zip(added.dimensions) {
                prop_assert_eq!(read.top(99, false), added.top(99, false));
            }
        }

        #[test]
        fn skipping_finds_the_click(clicks in slots(), skipped in 0_usize..90, humans_only in any::<bool>()) {
            let (before, rest) = timeline(&clicks).skip(skipped as u64, humans_only);
            let mut times: Vec<_> = clicks.iter().filter(|(_, is_bot, _)| !(humans_only && *is_bot)).map(|(time, ..)| *time).collect();
            times.sort_unstable_by(|a, b| b.cmp(a));
            let found = times.iter().filter(|time| **time < before).nth(usize::try_from(rest).unwrap());
            prop_assert_eq!(found, times.get(skipped));
        }

        #[test]
        fn a_part_of_a_day_has_as_many_clicks_as_are_known(listed in prop::collection::vec((0_u64..50, 0_u64..50), 0..9), part in (0_u64..99, 0_u64..99)) {
            let texts: Vec<String> = (0..listed.len()).map(|number| number.to_string()).collect();
            let count = |(humans, bots): (u64, u64)| ValueCount { clicks: humans + bots, bots };
            let values = Values { listed: texts.iter().map(|text| &**text).zip(listed.iter().map(|it| count(*it))).collect(), ..Values::default() };
            let (humans, bots) = listed.iter().fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
            let part = (part.0.min(humans), part.1.min(bots));
            let counts = |(humans, bots): (u64, u64)| Counts { clicks: humans + bots, bots, ..Counts::default() };
            for with_bots in [true, false] {
                let mut counter = TopCounter::default();
                let mut tops = Tops::default();
                tops.dimensions[0] = values.clone();
                counter.add_part(&tops, false, counts(part), counts((humans, bots)));
                let [first, ..] = counter.dimensions;
                let top = first.top(3, with_bots);
                let sum: u64 = top.values.iter().map(|(_, clicks)| clicks).sum();
                prop_assert_eq!(sum + top.unknown + top.other, part.0 + if with_bots { part.1 } else { 0 });
            }
        }
    }
}
