//! Ingest gives way to visitors: a redirect costs a third of its ingest, and the log keeps what waits.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// Work at full speed between two looks at what the rest of the process does.
const BETWEEN_LOOKS: Duration = Duration::from_millis(250);
/// How long a look takes at least.
const LOOK: Duration = Duration::from_millis(10);
/// Part of the cores' time from which on the rest of the process needs them all.
const BUSY: f64 = 0.75;
/// While it does, ingest rests this many times as long as it worked, at most so long.
const REST: (u32, Duration) = (50, Duration::from_secs(5));

/// Decides how long ingest rests between batches.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// Work since the last look.
    worked: Duration,
    is_busy: bool,
}

impl Pace {
    /// How long to rest after a batch that took this long.
    pub(super) fn rest(&mut self, took: Duration) -> Duration {
        self.worked += took;
        if self.is_busy {
            (took * REST.0).clamp(LOOK, REST.1)
        } else if self.worked >= BETWEEN_LOOKS {
            LOOK
        } else {
            Duration::ZERO
        }
    }

    /// Takes into account how much processor time was used during a rest.
    pub(super) fn rested(&mut self, rest: Duration, used: Duration, cores: usize) {
        if rest >= LOOK {
            self.is_busy = used.as_secs_f64() > BUSY * rest.as_secs_f64() * cores as f64;
            self.worked = Duration::ZERO;
        }
    }
}

/// A moment, and the processor time of the process until then.
pub(super) struct Stopwatch(Instant, Duration);

impl Stopwatch {
    pub(super) fn start() -> Self {
        let used = clock_gettime(ClockId::ProcessCPUTime);
        let nanos = u32::try_from(used.tv_nsec).unwrap_or_default();
        Stopwatch(Instant::now(), Duration::new(used.tv_sec.unsigned_abs(), nanos))
    }

    /// Time since then, and processor time.
    pub(super) fn elapsed(&self) -> (Duration, Duration) {
        let Stopwatch(now, used) = Stopwatch::start();
        (now - self.0, used.saturating_sub(self.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn it_rests_long_while_others_need_the_cores_and_hardly_at_all_otherwise() {
        let mut pace = Pace::default();
        assert_eq!([pace.rest(ms(100)), pace.rest(ms(100)), pace.rest(ms(50))], [ms(0), ms(0), LOOK]);
        pace.rested(ms(10), ms(15), 2);
        assert_eq!(pace.rest(ms(100)), ms(0), "a quarter is free");
        pace.rested(ms(10), ms(16), 2);
        assert_eq!([pace.rest(ms(40)), pace.rest(ms(200)), pace.rest(ms(0))], [ms(2_000), ms(5_000), LOOK]);
        pace.rested(ms(1), ms(0), 2);
        assert_eq!(pace.rest(ms(40)), ms(2_000), "too short to tell");
        pace.rested(ms(2_000), ms(1_000), 2);
        assert_eq!(pace.rest(ms(40)), ms(0));
    }

    #[test]
    fn work_is_seen() {
        let watch = Stopwatch::start();
        while watch.elapsed().1 < ms(5) {}
        assert!(watch.elapsed().0 >= ms(1));
    }
}
