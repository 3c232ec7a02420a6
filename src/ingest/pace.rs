//! Pauses ingest while visitors come fast: a redirect takes a quarter of the time of its ingest, and the log keeps the clicks.

use std::time::{Duration, Instant};

/// Clicks per second and core above which ingest rests most of the time: it could hardly keep up with more, and visitors would wait. A
/// slow core still answers as many redirects while ingest uses half of it.
const RUSH: f64 = 20_000.0;
/// The shortest time over which a high rate of clicks begins a rush: visitors wait while a batch has the core.
const RUSH_BEGINS: Duration = Duration::from_millis(5);
/// The shortest time over which a low rate of clicks ends a rush.
const RUSH_ENDS: Duration = Duration::from_millis(100);
/// In a rush, ingest pauses for this multiple of the time of its last batch. So only one visitor in a thousand comes while it works;
/// with all other work beside redirects it is less than one in a hundred.
const REST_PER_BATCH: u32 = 1_000;
/// The longest rest.
const REST_MOST: Duration = Duration::from_secs(60);
/// How often a pause checks whether the rush is over.
pub(super) const LOOK: Duration = Duration::from_millis(250);

/// Detects rushes by how fast the log grows.
#[derive(Debug)]
pub(super) struct Pace {
    cores: f64,
    /// Time of the last measurement, and the number of clicks then.
    last: (Instant, u64),
    /// The result of the last measurement.
    is_rush: bool,
}

impl Pace {
    pub(super) fn new(cores: u32, now: Instant, clicks: u64) -> Self {
        Pace { cores: f64::from(cores), last: (now, clicks), is_rush: false }
    }

    /// Whether there is a rush; `clicks` have come since the start.
    pub(super) fn is_rush(&mut self, now: Instant, clicks: u64) -> bool {
        let (then, before) = self.last;
        let passed = now - then;
        let came = clicks.saturating_sub(before) as f64;
        let is_rush = came > RUSH * self.cores * passed.as_secs_f64();
        if passed >= if is_rush { RUSH_BEGINS } else { RUSH_ENDS } {
            (self.is_rush, self.last) = (is_rush, (now, clicks));
        }
        self.is_rush
    }

    /// How long to rest in a rush when the last batch took this long.
    pub(super) fn rest(took: Duration) -> Duration {
        (took * REST_PER_BATCH).min(REST_MOST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ingest_pauses_while_clicks_come_faster_than_it_stores_them() {
        let start = Instant::now();
        let at = |millis| start + Duration::from_millis(millis);
        let mut pace = Pace::new(2, start, 100);
        assert!(!pace.is_rush(at(4), 500), "400 in 4 ms");
        assert!(!pace.is_rush(at(100), 500), "no more came");
        assert!(!pace.is_rush(at(200), 4_500), "40,000 a second");
        assert!(pace.is_rush(at(300), 8_600), "41,000 a second");
        assert!(pace.is_rush(at(399), 8_600), "a batch kept them waiting");
        assert!(!pace.is_rush(at(1_300), 20_000), "it is over");
        assert!(!pace.is_rush(at(1_350), 20_000), "none came");
        assert!(pace.is_rush(at(1_360), 22_500), "2,500 in 60 ms");
        assert_eq!(Pace::rest(Duration::from_millis(2)), Duration::from_secs(2));
        assert_eq!(Pace::rest(Duration::from_secs(1)), Duration::from_secs(60));
    }
}
