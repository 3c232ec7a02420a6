//! Counts per key in a fixed window. Unlike governor's limiters it can be asked without counting, so that a right password
//! costs nothing.

use std::{collections::HashMap, time::Duration};

use parking_lot::Mutex;

use super::policy::{Decision, Key};
use crate::base::clock::{Clock, Millis, UnixMillis};

/// Keys held at most; beyond it the oldest windows go first.
const MAX_KEYS: usize = 100_000;

#[derive(Clone, Copy)]
struct Window {
    since: UnixMillis,
    count: u32,
}

/// At most `max` for each key and window.
pub(super) struct Windows {
    clock: Clock,
    max: u32,
    window: Millis,
    windows: Mutex<HashMap<Key, Window>>,
}

impl Windows {
    pub(super) fn new(clock: Clock, max: u32, window: Millis) -> Self {
        Windows { clock, max, window, windows: Mutex::default() }
    }

    /// Whether the key has not used up its window.
    pub(super) fn ask(&self, key: Key) -> Decision {
        let now = self.clock.now();
        let known = self.windows.lock().get(&key).copied();
        self.decide(known.unwrap_or(Window { since: now, count: 0 }), now)
    }

    /// Counts one, or refuses like [`ask`](Self::ask) when the window is used up.
    pub(super) fn count(&self, key: Key) -> Decision {
        let now = self.clock.now();
        let mut windows = self.windows.lock();
        if windows.len() >= MAX_KEYS {
            self.sweep(&mut windows, now);
        }
        let window = windows.entry(key).or_insert(Window { since: now, count: 0 });
        if now >= window.since + self.window {
            *window = Window { since: now, count: 0 };
        }
        let decision = self.decide(*window, now);
        if !decision.granted {
            return decision;
        }
        window.count += 1;
        Decision { remaining: decision.remaining - 1, ..decision }
    }

    fn decide(&self, window: Window, now: UnixMillis) -> Decision {
        // At most a window: `since` is later than `now` if another thread read the clock later, or the clock was set back.
        let left = (window.since + self.window - now).min(self.window);
        let remaining = if left <= 0 { self.max } else { self.max.saturating_sub(window.count) };
        let reset = Duration::from_millis(u64::try_from(left).unwrap_or(0));
        Decision { granted: remaining > 0, remaining, reset }
    }

    pub(super) fn reset(&self, key: Key) {
        self.windows.lock().remove(&key);
    }

    pub(super) fn drop_idle(&self) {
        let now = self.clock.now();
        self.sweep(&mut self.windows.lock(), now);
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.windows.lock().len()
    }

    fn sweep(&self, windows: &mut HashMap<Key, Window>, now: UnixMillis) {
        windows.retain(|_, window| now < window.since + self.window);
        if windows.len() >= MAX_KEYS {
            let mut since: Vec<UnixMillis> = windows.values().map(|window| window.since).collect();
            let (_, median, _) = since.select_nth_unstable(windows.len() / 2);
            let median = *median;
            windows.retain(|_, window| window.since > median);
        }
        windows.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::clock::MINUTE;

    #[test]
    fn no_wait_is_longer_than_a_window() {
        let clock = Clock::default();
        let windows = Windows::new(clock.clone(), 1, MINUTE);
        let key = Key::of_email("a");
        assert!(windows.count(key).granted);
        clock.advance(-MINUTE);
        for refused in [windows.count(key), windows.ask(key)] {
            assert_eq!((refused.granted, refused.reset), (false, Duration::from_secs(60)));
        }
    }

    #[test]
    fn refuses_after_the_last_one_until_the_window_ends() {
        let clock = Clock::default();
        let windows = Windows::new(clock.clone(), 5, 15 * MINUTE);
        let (a, b) = (Key::of_email("a"), Key::of_email("b"));
        for left in (0..5).rev() {
            assert!(windows.ask(a).granted);
            let counted = windows.count(a);
            assert_eq!((counted.granted, counted.remaining), (true, left));
        }
        assert!(!windows.count(a).granted);
        let refused = windows.ask(a);
        assert!(!refused.granted && (899..=900).contains(&refused.reset.as_secs()), "{refused:?}");
        assert!(windows.ask(b).granted);
        clock.advance(15 * MINUTE);
        assert!(windows.ask(a).granted && windows.count(a).granted && windows.ask(a).granted);
        windows.drop_idle();
        assert_eq!(windows.len(), 1);
        windows.reset(a);
        assert_eq!(windows.len(), 0);
    }
}
