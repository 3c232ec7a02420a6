//! One request as a task, and the lane that it wants to be polled in.

use std::{
    cell::RefCell,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use async_task::{Builder, Runnable};
use tokio::task::yield_now;

use super::queue::Queue;

/// Where a task is polled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    /// At the priority of redirects, on other threads.
    Usual,
    /// When nothing else runs.
    Idle,
}

/// A request that is to be polled. When it is dropped, the request's future is.
pub(super) type Task = Runnable<Arc<Wish>>;

#[derive(Default)]
pub(super) struct Lanes {
    pub(super) usual: Queue<Task>,
    pub(super) idle: Queue<Task>,
}

/// The lane in which a request is to be polled.
#[derive(Default)]
pub(super) struct Wish {
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

/// Queues a request's future, now and whenever it is woken.
pub(super) fn spawn(lanes: &Arc<Lanes>, work: impl Future<Output = ()> + Send + 'static) {
    // Weak, so that a waker does not keep the threads alive.
    let lanes = Arc::downgrade(lanes);
    let enqueue = move |task: Task| match (lanes.upgrade(), task.metadata().lane()) {
        (Some(lanes), Lane::Usual) => lanes.usual.push(task),
        (Some(lanes), Lane::Idle) => lanes.idle.push(task),
        (None, _) => {}
    };
    let (task, handle) = Builder::new().metadata(Arc::default()).spawn(|_| work, enqueue);
    handle.detach();
    task.schedule();
}

/// Polls a request once.
pub(super) fn poll(task: Task, lane: Lane) {
    POLLING.set(Some((Arc::clone(task.metadata()), lane)));
    // Panics of handlers are caught earlier, and answered. Any other panic ends only this request.
    let polled = catch_unwind(AssertUnwindSafe(|| task.run()));
    POLLING.set(None);
    if polled.is_err() {
        tracing::error!("A request panicked");
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
