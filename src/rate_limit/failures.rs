//! Counts failures per key in a fixed window. Unlike governor's limiters it can be asked without counting, so that a
//! right password costs nothing.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use sha2::{Digest, Sha256};

use crate::clock::{Clock, Millis, SECOND};

/// Keys held at most; beyond it the oldest windows go first.
const MAX_KEYS: usize = 100_000;

#[derive(Clone, Copy)]
struct Window {
    since: Millis,
    count: u32,
}

/// At most `max` failures per key and window.
pub(super) struct Failures {
    clock: Clock,
    max: u32,
    window: Millis,
    /// By hash: an attacker's megabyte of e-mail address costs 16 bytes, and no address is kept.
    windows: Mutex<HashMap<[u8; 16], Window>>,
}

impl Failures {
    pub(super) fn new(clock: Clock, max: u32, window: Millis) -> Self {
        Failures { clock, max, window, windows: Mutex::default() }
    }

    /// Fails with the seconds to wait when the key has used up its failures.
    pub(super) fn check(&self, key: &str) -> Result<(), u64> {
        let now = self.clock.now();
        self.lock().get(&digest(key)).map_or(Ok(()), |window| self.room(*window, now))
    }

    /// Counts a failure, or fails like [`check`](Self::check) when others have used them up meanwhile.
    pub(super) fn count(&self, key: &str) -> Result<(), u64> {
        let now = self.clock.now();
        let mut windows = self.lock();
        if windows.len() >= MAX_KEYS {
            self.sweep(&mut windows, now);
        }
        let window = windows.entry(digest(key)).or_insert(Window { since: now, count: 0 });
        if now >= window.since + self.window {
            *window = Window { since: now, count: 0 };
        }
        self.room(*window, now)?;
        window.count += 1;
        Ok(())
    }

    fn room(&self, window: Window, now: Millis) -> Result<(), u64> {
        let left = window.since + self.window - now;
        if window.count < self.max || left <= 0 { Ok(()) } else { Err(u64::try_from(left / SECOND + 1).unwrap_or(1)) }
    }

    pub(super) fn forget(&self, key: &str) {
        self.lock().remove(&digest(key));
    }

    pub(super) fn drop_idle(&self) {
        let now = self.clock.now();
        self.sweep(&mut self.lock(), now);
    }

    fn sweep(&self, windows: &mut HashMap<[u8; 16], Window>, now: Millis) {
        windows.retain(|_, window| now < window.since + self.window);
        if windows.len() >= MAX_KEYS {
            let mut since: Vec<Millis> = windows.values().map(|window| window.since).collect();
            let (_, median, _) = since.select_nth_unstable(windows.len() / 2);
            let median = *median;
            windows.retain(|_, window| window.since > median);
        }
        windows.shrink_to_fit();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<[u8; 16], Window>> {
        self.windows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn digest(key: &str) -> [u8; 16] {
    let mut short = [0; 16];
    short.copy_from_slice(&Sha256::digest(key.as_bytes())[..16]);
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::MINUTE;

    #[test]
    fn blocks_after_the_last_failure_until_the_window_ends() {
        let clock = Clock::default();
        let failures = Failures::new(clock.clone(), 5, 15 * MINUTE);
        for _ in 0..5 {
            assert_eq!(failures.check("a"), Ok(()));
            assert_eq!(failures.count("a"), Ok(()));
        }
        assert!(failures.count("a").is_err());
        let wait = failures.check("a").unwrap_err();
        assert!((899..=901).contains(&wait), "{wait}");
        assert_eq!(failures.check("b"), Ok(()));
        clock.advance(15 * MINUTE);
        assert_eq!(failures.check("a"), Ok(()));
        assert_eq!(failures.count("a"), Ok(()));
        assert_eq!(failures.check("a"), Ok(()));
        failures.drop_idle();
        assert_eq!(failures.lock().len(), 1);
        failures.forget("a");
        assert_eq!(failures.lock().len(), 0);
    }
}
