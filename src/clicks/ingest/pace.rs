//! Ingest gives way to visitors: a redirect costs a quarter of its ingest, and the log keeps what waits.

use std::time::{Duration, Instant};

/// From so many clicks a second and core on there is a rush. A core redirects some 130,000 visitors a second when it does
/// nothing else, and ingests less than 40,000 clicks: it could not keep up, but would keep visitors waiting.
const RUSH: f64 = 40_000.0;
/// In a rush ingest rests so many times as long as its last batch took, at most so long. So fewer than one visitor in a
/// hundred comes while it works.
const REST: (u32, Duration) = (200, Duration::from_secs(60));
/// How often a rest looks whether the rush is over.
pub(super) const LOOK: Duration = Duration::from_millis(250);

/// Tells rushes by how fast the log grows.
#[derive(Debug)]
pub(super) struct Pace {
    cores: f64,
    /// When it looked last, and how many clicks there had been.
    last: (Instant, u64),
}

impl Pace {
    pub(super) fn new(cores: u32, now: Instant, clicks: u64) -> Self {
        Pace { cores: f64::from(cores), last: (now, clicks) }
    }

    /// Whether there was a rush since the last time that this was asked; `clicks` have come since the start.
    pub(super) fn is_rush(&mut self, now: Instant, clicks: u64) -> bool {
        let (then, before) = std::mem::replace(&mut self.last, (now, clicks));
        let came = clicks.saturating_sub(before) as f64;
        came > RUSH * self.cores * (now - then).as_secs_f64()
    }

    /// How long to rest in a rush when the last batch took this long.
    pub(super) fn rest(took: Duration) -> Duration {
        (took * REST.0).min(REST.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_rests_while_more_visitors_come_than_it_can_follow() {
        let start = Instant::now();
        let at = |millis| start + Duration::from_millis(millis);
        let mut pace = Pace::new(2, start, 100);
        assert!(!pace.is_rush(at(100), 100), "none came");
        assert!(!pace.is_rush(at(200), 8_100), "80,000 a second");
        assert!(pace.is_rush(at(300), 16_200), "81,000 a second");
        assert!(!pace.is_rush(at(1_300), 20_000), "it is over");
        assert!(pace.is_rush(at(1_300), 20_001), "no time at all");
        assert_eq!(Pace::rest(Duration::from_millis(2)), Duration::from_millis(400));
        assert_eq!(Pace::rest(Duration::from_secs(1)), Duration::from_secs(60));
    }
}
