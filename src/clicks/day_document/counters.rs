//! Counts of values in bounded space, with a proof: the algorithm of Misra and Gries (*Finding repeated elements*, 1982),
//! merged as Agarwal et al. show (*Mergeable Summaries*, 2012). Of `n` clicks, `k` counters miss no value with more than
//! `n / (k + 1)` clicks, and a count is at most so much too low, in whatever order the clicks come and the counters are
//! merged. Pure.

use std::{collections::HashMap, hash::Hash};

/// The slot of clicks of which only the day is known.
pub(crate) const SOME_TIME: u8 = 96;

/// Clicks of people and of bots. Each kind has counters of its own: neither can push out the values of the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ValueCount {
    pub(crate) people: u64,
    pub(crate) bots: u64,
}

impl ValueCount {
    /// Count of one click.
    pub(crate) fn one(is_bot: bool) -> Self {
        let bots = u64::from(is_bot);
        ValueCount { people: 1 - bots, bots }
    }

    /// Whether there are none.
    pub(crate) fn is_zero(self) -> bool {
        self == ValueCount::default()
    }

    /// Maximum of the two counts, separately for people and bots.
    pub(crate) fn max(self, other: Self) -> Self {
        ValueCount { people: self.people.max(other.people), bots: self.bots.max(other.bots) }
    }
}

impl std::ops::AddAssign for ValueCount {
    fn add_assign(&mut self, other: Self) {
        self.people += other.people;
        self.bots += other.bots;
    }
}

impl std::iter::Sum for ValueCount {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(ValueCount::default(), |mut sum, count| {
            sum += count;
            sum
        })
    }
}

/// A kind of clicks.
pub(crate) type Kind = fn(&mut ValueCount) -> &mut u64;
/// People and bots.
pub(crate) const KINDS: [Kind; 2] = [|count| &mut count.people, |count| &mut count.bots];

/// Clicks of a value in a slot of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell<K> {
    pub(crate) value: K,
    /// The slot, or [`SOME_TIME`].
    pub(crate) slot: u8,
    pub(crate) count: ValueCount,
}

/// Clicks by value and slot. Those that are neither here nor unknown have other values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Values<K> {
    /// In the order of values and slots; no count is zero.
    pub(crate) cells: Vec<Cell<K>>,
    /// Clicks without a value, in the order of the slots.
    pub(crate) unknown: Vec<(u8, ValueCount)>,
    /// By how much the count of a value can be too low at most.
    pub(crate) error: ValueCount,
}

impl<K> Default for Values<K> {
    fn default() -> Self {
        Values { cells: Vec::new(), unknown: Vec::new(), error: ValueCount::default() }
    }
}

impl<K: Copy + Ord + Hash> Values<K> {
    /// Counts clicks, each with its value (`None`: unknown), slot and whether a bot made it.
    pub(crate) fn of(clicks: impl Iterator<Item = (Option<K>, u8, bool)>) -> Self {
        let mut counted: HashMap<(K, u8), ValueCount, foldhash::fast::RandomState> = HashMap::default();
        let mut unknown = Vec::new();
        for (value, slot, is_bot) in clicks {
            match value {
                Some(value) => *counted.entry((value, slot)).or_default() += ValueCount::one(is_bot),
                None => unknown.push((slot, ValueCount::one(is_bot))),
            }
        }
        let mut cells: Vec<_> = counted.into_iter().map(|((value, slot), count)| Cell { value, slot, count }).collect();
        cells.sort_unstable_by_key(|cell| (cell.value, cell.slot));
        unknown.sort_unstable_by_key(|(slot, _)| *slot);
        add_equal(&mut unknown, |(slot, _)| *slot, |(_, count)| count);
        Values { cells, unknown, error: ValueCount::default() }
    }

    /// Adds the counts of both. The errors add up.
    pub(crate) fn merged(mut self, more: Self) -> Self {
        // Two runs in order: the sort is a merge.
        self.cells.extend(more.cells);
        self.cells.sort_by_key(|cell| (cell.value, cell.slot));
        add_equal(&mut self.cells, |cell| (cell.value, cell.slot), |cell| &mut cell.count);
        self.unknown.extend(more.unknown);
        self.unknown.sort_by_key(|(slot, _)| *slot);
        add_equal(&mut self.unknown, |(slot, _)| *slot, |(_, count)| count);
        self.error += more.error;
        self
    }

    pub(crate) fn at_some_time(mut self) -> Self {
        self.cells.iter_mut().for_each(|cell| cell.slot = SOME_TIME);
        add_equal(&mut self.cells, |cell| cell.value, |cell| &mut cell.count);
        self.unknown.iter_mut().for_each(|(slot, _)| *slot = SOME_TIME);
        add_equal(&mut self.unknown, |(slot, _)| *slot, |(_, count)| count);
        self
    }

    /// The same clicks as if no value were known.
    pub(crate) fn without_values(&self) -> Self {
        let cells = self.cells.iter().map(|cell| (cell.slot, cell.count));
        let mut unknown: Vec<_> = cells.chain(self.unknown.iter().copied()).collect();
        unknown.sort_unstable_by_key(|(slot, _)| *slot);
        add_equal(&mut unknown, |(slot, _)| *slot, |(_, count)| count);
        Values { cells: Vec::new(), unknown, error: ValueCount::default() }
    }

    /// Keeps at most this many counters of each kind: the count of the next value is subtracted from all, and added to the error.
    pub(crate) fn limited(mut self, counters: usize) -> Self {
        for kind in KINDS {
            let mut totals: Vec<u64> =
                self.totals().map(|(_, mut count)| *kind(&mut count)).filter(|total| *total > 0).collect();
            if totals.len() <= counters {
                continue;
            }
            let (_, surplus, _) = totals.select_nth_unstable_by(counters, |a, b| b.cmp(a));
            for cells in self.cells.chunk_by_mut(|a, b| a.value == b.value) {
                let mut left = *surplus;
                for cell in cells {
                    let count = kind(&mut cell.count);
                    let taken = left.min(*count);
                    *count -= taken;
                    left -= taken;
                }
            }
            *kind(&mut self.error) += *surplus;
        }
        self.cells.retain(|cell| !cell.count.is_zero());
        self
    }

    /// The values, in their order, with their clicks of all slots.
    pub(crate) fn totals(&self) -> impl Iterator<Item = (K, ValueCount)> {
        let values = self.cells.chunk_by(|a, b| a.value == b.value);
        values.map(|cells| (cells[0].value, cells.iter().map(|cell| cell.count).sum()))
    }
}

/// Merges adjacent items with the same key by adding their counts.
fn add_equal<T: Copy, Q: PartialEq>(
    list: &mut Vec<T>,
    key: impl Fn(&T) -> Q,
    count: impl Fn(&mut T) -> &mut ValueCount,
) {
    list.dedup_by(|later, first| {
        let is_equal = key(later) == key(first);
        if is_equal {
            *count(first) += *count(later);
        }
        is_equal
    });
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    type Click = (Option<u8>, u8, bool);

    /// Few values that come often, many that come once or twice, and clicks without one.
    fn clicks() -> impl Strategy<Value = Vec<Click>> {
        let value = prop_oneof![
            4 => (0_u8..6).prop_map(Some),
            5 => (6_u8..=255).prop_map(Some),
            1 => Just(None),
        ];
        prop::collection::vec((value, 0_u8..96, prop::bool::weighted(0.3)), 0..200)
    }

    fn exact(clicks: &[Click]) -> BTreeMap<u8, ValueCount> {
        let mut counts: BTreeMap<u8, ValueCount> = BTreeMap::new();
        for (value, _, is_bot) in clicks {
            if let Some(value) = value {
                *counts.entry(*value).or_default() += ValueCount::one(*is_bot);
            }
        }
        counts
    }

    fn summary(clicks: &[Click], counters: usize) -> Values<u8> {
        Values::of(clicks.iter().copied()).limited(counters)
    }

    /// Merges them two by two in an order that the numbers tell, until one is left.
    fn merged(mut parts: Vec<Values<u8>>, order: &[usize], counters: usize) -> Values<u8> {
        let mut order = order.iter().cycle();
        while parts.len() > 1 {
            let mut take = || parts.swap_remove(order.next().map_or(0, |at| at % parts.len()));
            let (a, b) = (take(), take());
            parts.push(a.merged(b).limited(counters));
        }
        parts.pop().unwrap_or_default()
    }

    fn keeps_its_promise(
        values: &Values<u8>,
        clicks: &[Click],
        (counters, most): (usize, usize),
    ) -> Result<(), TestCaseError> {
        let exact = exact(clicks);
        let counted: BTreeMap<u8, ValueCount> = values.totals().collect();
        let unknown = clicks.iter().filter(|(value, ..)| value.is_none()).count() as u64;
        prop_assert_eq!(values.unknown.iter().map(|(_, count)| count.people + count.bots).sum::<u64>(), unknown);
        prop_assert!(values.cells.is_sorted_by(|a, b| (a.value, a.slot) < (b.value, b.slot)));
        for kind in KINDS {
            let of = |mut count: ValueCount| *kind(&mut count);
            let all: u64 = exact.values().copied().map(of).sum();
            let listed: u64 = counted.values().copied().map(of).sum();
            let error = of(values.error);
            prop_assert!(
                error * (counters as u64 + 1) <= all - listed,
                "{error} of {all}, of which {listed} are listed"
            );
            prop_assert!(counted.values().filter(|count| of(**count) > 0).count() <= most);
            if exact.values().filter(|count| of(**count) > 0).count() <= counters && error == 0 {
                prop_assert_eq!(listed, all);
            }
            for (value, count) in &exact {
                let shown = counted.get(value).copied().map_or(0, of);
                prop_assert!(shown <= of(*count) && of(*count) <= shown + error);
            }
        }
        for cell in &values.cells {
            let in_slot = clicks.iter().filter(|(value, slot, _)| (*value, *slot) == (Some(cell.value), cell.slot));
            let in_slot: ValueCount = in_slot.map(|(.., is_bot)| ValueCount::one(*is_bot)).sum();
            prop_assert!(
                cell.count.people <= in_slot.people && cell.count.bots <= in_slot.bots,
                "what was never there"
            );
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn the_error_is_bounded_in_any_order_of_merges(
            clicks in clicks(),
            made_up in 0_u8..4,
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
            order in prop::collection::vec(any::<usize>(), 1..20),
            counters in 1_usize..40,
        ) {
            let mut clicks = clicks;
            match made_up {
                // Made-up values come first, last, or one batch each.
                0 => clicks.sort_by_key(|(value, ..)| value.is_some_and(|value| value < 6)),
                1 => clicks.sort_by_key(|(value, ..)| value.is_some_and(|value| value >= 6)),
                _ => {}
            }
            let parts: Vec<Values<u8>> = if made_up == 2 {
                clicks.iter().map(|click| summary(&[*click], counters)).collect()
            } else {
                let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(clicks.len() + 1)).collect();
                cuts.extend([0, clicks.len()]);
                cuts.sort_unstable();
                cuts.windows(2).map(|pair| summary(&clicks[pair[0]..pair[1]], counters)).collect()
            };
            let one_after_the_other =
                parts.iter().cloned().fold(Values::default(), |all, part| all.merged(part).limited(counters));
            keeps_its_promise(&one_after_the_other, &clicks, (counters, counters))?;
            keeps_its_promise(&merged(parts.clone(), &order, counters), &clicks, (counters, counters))?;
            // Days are merged into a month with more counters.
            keeps_its_promise(&merged(parts, &order, counters * 3), &clicks, (counters, counters * 3))?;
        }

        #[test]
        fn few_values_are_exact(batches in prop::collection::vec(clicks(), 1..5), order in prop::collection::vec(any::<usize>(), 1..9)) {
            let all: Vec<Click> = batches.iter().flatten().copied().collect();
            let parts = batches.iter().map(|batch| summary(batch, 256)).collect();
            prop_assert_eq!(merged(parts, &order, 256), Values::of(all.into_iter()), "the batches do not matter");
        }
    }

    #[test]
    fn a_frequent_value_displaces_earlier_rare_ones() {
        let made_up = (0..100_u32).flat_map(|value| [(Some(value), 0, false), (Some(value), 0, false)]);
        let mut values = Values::of(made_up).limited(100);
        for _ in 0..150 {
            values = values.merged(Values::of([(Some(1_000), 1, false)].into_iter())).limited(100);
        }
        let most = values.totals().max_by_key(|(_, count)| count.people);
        assert_eq!(most, Some((1_000, ValueCount { people: 150 - values.error.people, bots: 0 })));
        assert!(values.error.people <= 350 / 101);
    }
}
