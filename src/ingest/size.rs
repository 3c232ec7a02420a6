//! The number of clicks in a batch: few while visitors may be waiting, otherwise as many as the database stores within a time limit.

use std::time::Duration;

/// Clicks that take a few milliseconds, so that no visitor waits longer: the size of all batches of a rush, and of the first batch
/// after the log was empty, when a rush may begin.
const FEW: usize = 100;
/// The largest batch until the time that one takes is measured.
const MOST_AT_FIRST: usize = 1_000;
/// The largest batch ever.
const MOST: usize = 16_000;

/// Clicks of the next batch.
#[derive(Debug)]
pub(super) struct Size {
    next: usize,
    /// The largest batch, in clicks, that the database stores within the time limit.
    most: usize,
}

impl Size {
    pub(super) fn new() -> Self {
        Size { next: FEW, most: MOST_AT_FIRST }
    }

    /// Clicks of the next batch.
    pub(super) fn get(&self, is_rush: bool) -> usize {
        if is_rush { FEW } else { self.next }
    }

    /// Sets the size of the next batch, when the last one left `lag` bytes in the log: twice as many clicks, but few if nothing is
    /// left or in a rush.
    pub(super) fn grow(&mut self, lag: u64, is_rush: bool) {
        self.next = if lag == 0 || is_rush { FEW } else { (self.next * 2).min(self.most) };
    }

    /// Adjusts the largest batch to what the database stores within `limit`, by the time that a batch took.
    pub(super) fn learn(&mut self, clicks: usize, took: Duration, limit: Duration) {
        if clicks >= self.most || took > limit {
            let factor = limit.as_secs_f64() / took.as_secs_f64().max(0.001);
            self.most = ((clicks as f64 * factor.clamp(0.5, 2.0)) as usize).clamp(FEW, MOST);
            self.next = self.next.min(self.most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_millis(100);

    #[test]
    fn batches_grow_while_there_is_more_to_do() {
        let mut size = Size::new();
        let mut sizes = Vec::new();
        for _ in 0..9 {
            sizes.push(size.get(false));
            size.learn(size.get(false), LIMIT / 2, LIMIT);
            size.grow(1, false);
        }
        assert_eq!(sizes, [100, 200, 400, 800, 1_000, 2_000, 4_000, 8_000, 16_000]);
        size.learn(16_000, LIMIT * 2, LIMIT);
        assert_eq!(size.get(false), 8_000, "that took too long");
        assert_eq!(size.get(true), 100, "visitors come fast");
        size.grow(0, false);
        assert_eq!(size.get(false), 100, "nothing was left");
        size.grow(1, false);
        size.grow(1, true);
        assert_eq!(size.get(false), 100, "a rush is over");
    }
}
