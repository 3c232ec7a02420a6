//! Tasks that are to be polled, in their order.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use parking_lot::{Condvar, Mutex};

/// The queue of a lane. It contains each task at most once, so that its length is bounded by the number of requests.
pub(super) struct Queue<T> {
    state: Mutex<State<T>>,
    /// Wakes a thread of the lane when a task is queued.
    ready: Condvar,
    /// Wakes the relief thread when the queue is no longer empty, or is closed.
    filled: Condvar,
}

struct State<T> {
    waiting: VecDeque<(T, Instant)>,
    is_closed: bool,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        let state = Mutex::new(State { waiting: VecDeque::new(), is_closed: false });
        Queue { state, ready: Condvar::new(), filled: Condvar::new() }
    }
}

impl<T> Queue<T> {
    /// Puts a task at the end. A closed queue drops it.
    pub(super) fn push(&self, task: T) {
        let mut state = self.state.lock();
        if state.is_closed {
            drop(state);
            drop(task);
            return;
        }
        state.waiting.push_back((task, Instant::now()));
        let is_first = state.waiting.len() == 1;
        drop(state);
        self.ready.notify_one();
        if is_first {
            self.filled.notify_one();
        }
    }

    /// Waits for the next task; none when the queue is closed.
    pub(super) fn next(&self) -> Option<T> {
        let mut state = self.state.lock();
        loop {
            if state.is_closed {
                return None;
            }
            if let Some((task, _)) = state.waiting.pop_front() {
                return Some(task);
            }
            self.ready.wait(&mut state);
        }
    }

    /// Waits for the next task that has waited for at least `limit`, and for which `is_late` returns true; that is asked again
    /// after each further `limit`. `None`: the queue is closed.
    pub(super) fn next_late(&self, limit: Duration, mut is_late: impl FnMut(Duration) -> bool) -> Option<T> {
        let mut state = self.state.lock();
        loop {
            if state.is_closed {
                return None;
            }
            match state.waiting.front().map(|(_, since)| since.elapsed()) {
                None => self.filled.wait(&mut state),
                Some(waited) if waited < limit => {
                    self.filled.wait_for(&mut state, limit - waited);
                }
                Some(waited) if !is_late(waited) => {
                    self.filled.wait_for(&mut state, limit);
                }
                Some(_) => return state.waiting.pop_front().map(|(task, _)| task),
            }
        }
    }

    /// Sleeps, unless the queue is closed meanwhile.
    pub(super) fn rest(&self, time: Duration) {
        let until = Instant::now() + time;
        let mut state = self.state.lock();
        while !state.is_closed {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            self.filled.wait_for(&mut state, left);
        }
    }

    /// Drops all tasks. Tasks that are pushed later are dropped as well.
    pub(super) fn close(&self) {
        let mut state = self.state.lock();
        state.is_closed = true;
        let left = std::mem::take(&mut state.waiting);
        drop(state);
        self.ready.notify_all();
        self.filled.notify_all();
        drop(left);
    }
}
