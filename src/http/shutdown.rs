//! Notifies connections that the service stops.

use std::{future::poll_fn, pin::Pin};

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
        ShutdownSignal {
            connections: self.connections.clone(),
            begun: Box::pin(self.begun.clone().cancelled_owned()),
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

/// The shutdown signal of one connection. Only one task may use it.
#[derive(Debug)]
pub struct ShutdownSignal {
    connections: TaskTracker,
    begun: Pin<Box<WaitForCancellationFutureOwned>>,
    is_waiting: bool,
}

impl ShutdownSignal {
    /// Whether the shutdown has begun: requests that came are answered, and the connection ends.
    pub(crate) fn has_begun(&self) -> bool {
        self.connections.is_closed()
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
