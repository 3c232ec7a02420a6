//! One request as a task, and the lane that it wants to be polled in.

use std::{
    cell::RefCell,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{
        Arc, Weak,
        atomic::{AtomicU8, AtomicUsize, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};

use parking_lot::Mutex;
use tokio::task::yield_now;

use super::queue::{Queue, Queued};

/// Nothing to do until it is woken.
const WAITING: u8 = 0;
const QUEUED: u8 = 1;
const POLLED: u8 = 2;
/// Woken while it is being polled.
const AGAIN: u8 = 3;
const DONE: u8 = 4;

/// Where a task is polled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    /// At the priority of redirects, on other threads.
    Usual,
    /// When nothing else runs.
    Idle,
}

pub(super) struct Lanes {
    pub(super) usual: Queue<Task>,
    pub(super) idle: Queue<Task>,
}

type Work = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The lane in which a request is to be polled.
#[derive(Default)]
struct Wish {
    /// Number of enclosing [`when_idle`]s.
    idle: AtomicUsize,
    /// Number of [`at_usual_priority`]s under way. While there is any, the whole request is polled in the usual lane.
    statements: AtomicUsize,
}

impl Wish {
    fn lane(&self) -> Lane {
        let wants_idle = self.idle.load(Ordering::Relaxed) > 0 && self.statements.load(Ordering::Relaxed) == 0;
        if wants_idle { Lane::Idle } else { Lane::Usual }
    }
}

thread_local! {
    /// The request that this thread polls, and in which lane.
    static POLLING: RefCell<Option<(Arc<Wish>, Lane)>> = const { RefCell::new(None) };
}

pub(super) struct Task {
    state: AtomicU8,
    wish: Arc<Wish>,
    /// The request's future; `None` once it has ended.
    work: Mutex<Option<Work>>,
    /// Weak, so that a waker does not keep the threads alive.
    lanes: Weak<Lanes>,
}

impl Task {
    pub(super) fn spawn(lanes: &Arc<Lanes>, work: impl Future<Output = ()> + Send + 'static) {
        let task = Task {
            state: AtomicU8::new(QUEUED),
            wish: Arc::default(),
            work: Mutex::new(Some(Box::pin(work))),
            lanes: Arc::downgrade(lanes),
        };
        Arc::new(task).enqueue();
    }

    fn enqueue(self: Arc<Self>) {
        match self.lanes.upgrade() {
            Some(lanes) => self.queue(&lanes).push(Arc::clone(&self)),
            None => self.abandon(),
        }
    }

    fn queue<'a>(&self, lanes: &'a Lanes) -> &'a Queue<Task> {
        match self.wish.lane() {
            Lane::Usual => &lanes.usual,
            Lane::Idle => &lanes.idle,
        }
    }

    /// Polls the work once. Only the thread that took the task out of a queue may call it.
    pub(super) fn poll(self: Arc<Self>, lane: Lane) {
        self.state.store(POLLED, Ordering::Release);
        let waker = Waker::from(Arc::clone(&self));
        let mut work = self.work.lock();
        let Some(future) = work.as_mut() else { return };
        POLLING.set(Some((Arc::clone(&self.wish), lane)));
        // Panics of handlers are caught earlier, and answered. Any other panic ends only this request.
        let polled = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(&mut Context::from_waker(&waker))));
        POLLING.set(None);
        if matches!(polled, Ok(Poll::Pending)) {
            drop(work);
            if self.state.compare_exchange(POLLED, WAITING, Ordering::AcqRel, Ordering::Acquire).is_err() {
                self.state.store(QUEUED, Ordering::Release);
                self.enqueue();
            }
            return;
        }
        self.state.store(DONE, Ordering::Release);
        let ended = work.take();
        drop(work);
        if catch_unwind(AssertUnwindSafe(|| drop(ended))).is_err() || polled.is_err() {
            tracing::error!("A request panicked");
        }
    }
}

impl Queued for Task {
    fn abandon(&self) {
        self.state.store(DONE, Ordering::Release);
        let work = self.work.lock().take();
        drop(work);
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        let woken = self.state.fetch_update(Ordering::AcqRel, Ordering::Acquire, |state| match state {
            WAITING => Some(QUEUED),
            POLLED => Some(AGAIN),
            _ => None,
        });
        if woken == Ok(WAITING) {
            self.enqueue();
        }
    }
}

/// Runs an expensive part of a request in the idle lane. Outside of the API's threads it runs where it is called.
pub(crate) async fn when_idle<T>(work: impl Future<Output = T>) -> T {
    let output = {
        let _counted = Counted::enter(|wish| &wish.idle);
        change_lanes().await;
        work.await
    };
    change_lanes().await;
    output
}

/// Runs a part of a request in the usual lane, whatever lane the rest of it is in.
pub(crate) async fn at_usual_priority<T>(work: impl Future<Output = T>) -> T {
    let output = {
        let _counted = Counted::enter(|wish| &wish.statements);
        change_lanes().await;
        work.await
    };
    change_lanes().await;
    output
}

/// Waits until the request is polled in the lane that it wants.
async fn change_lanes() {
    let is_there = || POLLING.with_borrow(|polling| polling.as_ref().is_none_or(|(wish, lane)| wish.lane() == *lane));
    while !is_there() {
        yield_now().await;
    }
}

/// Increments a counter of the request's [`Wish`] until dropped.
struct Counted {
    wish: Option<Arc<Wish>>,
    of: fn(&Wish) -> &AtomicUsize,
}

impl Counted {
    fn enter(of: fn(&Wish) -> &AtomicUsize) -> Self {
        let wish = POLLING.with_borrow(|polling| polling.as_ref().map(|(wish, _)| Arc::clone(wish)));
        if let Some(wish) = &wish {
            of(wish).fetch_add(1, Ordering::Relaxed);
        }
        Counted { wish, of }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        if let Some(wish) = &self.wish {
            (self.of)(wish).fetch_sub(1, Ordering::Relaxed);
        }
    }
}
