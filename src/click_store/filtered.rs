//! Adds up clicks that were read one by one. Pure.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::RandomState;

use super::{
    rows::ScannedClick,
    summary::{Timeline, TopCounter, day},
};
use crate::{
    base::clock::UnixMillis,
    clicks::day_document::{Counts, SLOT, counted},
};

/// The sums of clicks in a range and in the period before it.
#[derive(Debug)]
pub(crate) struct FilteredSum {
    /// Start of the period before the range.
    before: UnixMillis,
    /// Start of the range.
    from: UnixMillis,
    of_account: bool,
    /// Whether values are counted.
    with_tops: bool,
    /// By the slot of the day, of which the parts in the range and in the period before are slots of their own.
    slots: BTreeMap<UnixMillis, Counts>,
    /// Visitors of each UTC day of the period before, and of the range, with their first click of those that were added.
    visitors: [HashMap<(i64, u128), UnixMillis, RandomState>; 2],
    top: TopCounter,
}

impl FilteredSum {
    /// Nothing so far, of the period from the first to the second time and of the range that begins there.
    pub(crate) fn new((before, from): (UnixMillis, UnixMillis), of_account: bool, with_tops: bool) -> Self {
        let (slots, visitors, top) = (BTreeMap::new(), Default::default(), TopCounter::default());
        FilteredSum { before, from, of_account, with_tops, slots, visitors, top }
    }

    pub(crate) fn add(&mut self, click: &ScannedClick<'_>) {
        let is_in_range = click.clicked_at >= self.from;
        *self.slot(click.clicked_at) += Counts::one(click.is_bot, false);
        let visitor = (day(click.clicked_at), click.visitor);
        let first = self.visitors[usize::from(is_in_range)].entry(visitor).or_insert(click.clicked_at);
        *first = click.clicked_at.min(*first);
        if is_in_range && self.with_tops {
            let link = self.of_account.then(|| click.link.into_bytes());
            self.top.add_click(counted(click.columns, self.of_account), link, click.is_bot);
        }
    }

    /// The counts by slot, and those of values in the range. A visitor counts once a UTC day, at the first click that was added.
    pub(crate) fn finish(mut self) -> (Timeline, TopCounter) {
        for ((_, visitor), first) in std::mem::take(&mut self.visitors).into_iter().flatten() {
            let is_bot = ScannedClick::is_bots(visitor);
            *self.slot(first) += Counts { clicks: 0, bots: 0, ..Counts::one(is_bot, true) };
        }
        (Timeline::of(self.slots), self.top)
    }

    fn slot(&mut self, time: UnixMillis) -> &mut Counts {
        let slot = time.div_euclid(SLOT) * SLOT;
        let period = if time >= self.from { self.from } else { self.before };
        self.slots.entry(slot.max(period)).or_default()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::{base::clock::DAY, clicks::day_document::COLUMNS};

    fn click(clicked_at: UnixMillis, visitor: u128) -> ScannedClick<'static> {
        let (id, link, columns) = (Uuid::nil(), Uuid::nil(), [None; COLUMNS]);
        let is_bot = ScannedClick::is_bots(visitor);
        ScannedClick { clicked_at, id, link, visitor, is_bot, columns, utm_term: None, utm_content: None }
    }

    #[test]
    fn visitors_count_at_their_first_click_of_each_period() {
        let from = 10 * SLOT + 5;
        let mut sum = FilteredSum::new((from - 2, from), false, true);
        // In no order. The visitors with odd numbers are bots.
        let of_this_day = [(from + SLOT, 2), (from, 2), (from - 1, 2), (from - 1, 3), (from + 9, 4), (from + 9, 3)];
        for (time, visitor) in of_this_day.into_iter().chain([(from + DAY, 4)]) {
            sum.add(&click(time, visitor));
        }
        let (timeline, top) = sum.finish();
        let counts = |clicks, bots, visitors, bot_visitors| Counts { clicks, bots, visitors, bot_visitors };
        assert_eq!(timeline.between(from, UnixMillis::MAX), counts(5, 1, 4, 1));
        assert_eq!(timeline.between(from - 2, from), counts(2, 1, 2, 1));
        assert_eq!(timeline.between(from, 11 * SLOT), counts(3, 1, 3, 1));
        let [countries, ..] = top.dimensions;
        assert_eq!(countries.top(9, true, timeline.between(from, UnixMillis::MAX)).unknown, 5);
    }
}
