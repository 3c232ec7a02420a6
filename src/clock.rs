//! The one source of wall-clock time, so that tests control it; and how the API writes times.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

use chrono::{DateTime, SecondsFormat, Utc};

/// Unix time in milliseconds.
pub type Millis = i64;

/// One second, in [`Millis`].
pub const SECOND: Millis = 1_000;
/// One minute, in [`Millis`].
pub const MINUTE: Millis = 60 * SECOND;
/// One hour, in [`Millis`].
pub const HOUR: Millis = 60 * MINUTE;
/// One day, in [`Millis`].
pub const DAY: Millis = 24 * HOUR;

/// The moment as the API writes it: RFC 3339 in UTC with milliseconds.
pub fn rfc3339(time: Millis) -> String {
    DateTime::<Utc>::from_timestamp_millis(time).unwrap_or_default().to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// Reads RFC 3339 text with any offset.
pub fn parse_rfc3339(text: &str) -> Option<Millis> {
    DateTime::parse_from_rfc3339(text).ok().map(|time| time.timestamp_millis())
}

/// Tells the time. Cloning is cheap; clones of a moved clock move together.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    offset: Arc<AtomicI64>,
}

impl Clock {
    /// The time now.
    pub fn now(&self) -> Millis {
        #[expect(clippy::disallowed_methods, reason = "this is the clock")]
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX) + self.offset.load(Ordering::Relaxed)
    }

    /// Moves this clock forward, for tests of what expires.
    pub fn advance(&self, by: Millis) {
        self.offset.fetch_add(by, Ordering::Relaxed);
    }
}
