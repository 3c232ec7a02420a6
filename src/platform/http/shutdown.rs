//! Notifies connections that the service stops, or that one is to end since others need its place.

use std::{
    future::poll_fn,
    pin::Pin,
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering},
    },
};

use tokio_util::{
    sync::{CancellationToken, WaitForCancellationFutureOwned},
    task::TaskTracker,
};

/// The shutdown of all connections. Waiting for it takes a lock that they share: each takes it once, and once more when the
/// shutdown begins.
#[derive(Clone, Debug, Default)]
pub struct Shutdown {
    connections: TaskTracker,
    begun: CancellationToken,
}

impl Shutdown {
    pub(crate) fn connections(&self) -> &TaskTracker {
        &self.connections
    }

    /// The shutdown signal of one connection.
    pub fn signal(&self) -> ShutdownSignal {
        let end = Arc::new(End { is_wanted: AtomicBool::new(false), begun: self.begun.child_token() });
        ShutdownSignal {
            connections: self.connections.clone(),
            begun: Box::pin(end.begun.clone().cancelled_owned()),
            end,
            is_waiting: false,
        }
    }

    /// Begins the shutdown, and waits until all connections have ended.
    pub(crate) async fn complete(&self) {
        // In this order: a task that is woken sees that the shutdown has begun.
        self.connections.close();
        self.begun.cancel();
        self.connections.wait().await;
    }
}

/// The end of one connection.
#[derive(Debug)]
struct End {
    is_wanted: AtomicBool,
    begun: CancellationToken,
}

/// Ends one connection as a shutdown ends all: at once if it is idle, else after the request that it is about.
#[derive(Debug)]
pub(crate) struct ConnectionHandle(Weak<End>);

impl ConnectionHandle {
    /// Tells it to end. False: it has ended.
    pub(crate) fn end(&self) -> bool {
        let Some(end) = self.0.upgrade() else { return false };
        // In this order: a task that is woken sees that it is to end.
        end.is_wanted.store(true, Ordering::Release);
        end.begun.cancel();
        true
    }

    /// Whether it has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.0.strong_count() == 0
    }
}

/// The shutdown signal of one connection. Only one task may use it.
#[derive(Debug)]
pub struct ShutdownSignal {
    connections: TaskTracker,
    end: Arc<End>,
    begun: Pin<Box<WaitForCancellationFutureOwned>>,
    is_waiting: bool,
}

impl ShutdownSignal {
    /// Ends this connection alone.
    pub(crate) fn handle(&self) -> ConnectionHandle {
        ConnectionHandle(Arc::downgrade(&self.end))
    }

    /// Whether the shutdown has begun: requests that came are answered, and the connection ends.
    pub(crate) fn has_begun(&self) -> bool {
        self.connections.is_closed() || self.end.is_wanted.load(Ordering::Acquire)
    }

    /// Waits until the shutdown begins. The future may be dropped, and another one made.
    pub(crate) async fn begun(&mut self) {
        poll_fn(|context| {
            if self.is_waiting && !self.has_begun() {
                return std::task::Poll::Pending;
            }
            self.is_waiting = true;
            self.begun.as_mut().poll(context)
        })
        .await;
    }
}
