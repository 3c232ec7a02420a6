//! The one source of wall-clock time, so that tests control it; and how the API writes times.

use std::{
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use chrono::{DateTime, SecondsFormat, Utc};
use tokio::{sync::Notify, time::sleep};

/// A moment: milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
pub type UnixMillis = i64;

/// A length of time in milliseconds, as it is added to a moment.
pub type Millis = i64;

/// One second, in [`Millis`].
pub const SECOND: Millis = 1_000;
/// One minute, in [`Millis`].
pub const MINUTE: Millis = 60 * SECOND;
/// One hour, in [`Millis`].
pub const HOUR: Millis = 60 * MINUTE;
/// One day, in [`Millis`].
pub const DAY: Millis = 24 * HOUR;

/// The UTC day of a moment, in days since 1970.
pub fn day(time: UnixMillis) -> i32 {
    i32::try_from(time.div_euclid(DAY)).unwrap_or(i32::MAX)
}

/// The moment as the API writes it: RFC 3339 in UTC with milliseconds.
pub fn rfc3339(time: UnixMillis) -> String {
    DateTime::<Utc>::from_timestamp_millis(time).unwrap_or_default().to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// Reads RFC 3339 text with any offset.
pub fn parse_rfc3339(text: &str) -> Option<UnixMillis> {
    DateTime::parse_from_rfc3339(text).ok().map(|time| time.timestamp_millis())
}

/// Tells the time. Cloning is cheap; clones of a moved clock move together.
#[derive(Clone, Debug, Default)]
pub struct Clock(Arc<Hand>);

#[derive(Debug, Default)]
struct Hand {
    offset: AtomicI64,
    moved: Notify,
}

impl Clock {
    /// The time now.
    pub fn now(&self) -> UnixMillis {
        #[expect(clippy::disallowed_methods, reason = "this is the clock")]
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX) + self.0.offset.load(Ordering::Relaxed)
    }

    /// Moves this clock forward, for tests of what expires.
    pub fn advance(&self, by: Millis) {
        self.0.offset.fetch_add(by, Ordering::Relaxed);
        self.0.moved.notify_waiters();
    }

    /// Waits until this clock shows the time, or a later one.
    pub(crate) async fn reach(&self, time: UnixMillis) {
        loop {
            let mut moved = pin!(self.0.moved.notified());
            moved.as_mut().enable();
            // Asked again and again: timers do not count the time in which the machine slept, nor steps of its clock.
            let left = time.saturating_sub(self.now()).min(MINUTE);
            if left <= 0 {
                return;
            }
            tokio::select! {
                () = moved => {}
                () = sleep(Duration::from_millis(left.unsigned_abs())) => {}
            }
        }
    }
}
