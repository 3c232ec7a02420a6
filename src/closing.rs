//! How connections learn that the service stops.

use std::{future::poll_fn, pin::Pin};

use tokio_util::{
    sync::{CancellationToken, WaitForCancellationFutureOwned},
    task::TaskTracker,
};

/// What all connections wait for. To listen takes a lock that they share: each does it once, and once more when it is time.
#[derive(Clone, Debug, Default)]
pub struct Closing {
    connections: TaskTracker,
    told: CancellationToken,
}

impl Closing {
    /// Where connections run.
    pub fn connections(&self) -> &TaskTracker {
        &self.connections
    }

    /// One connection's ear.
    pub fn listen(&self) -> Listening {
        Listening {
            connections: self.connections.clone(),
            told: Box::pin(self.told.clone().cancelled_owned()),
            listens: false,
        }
    }

    /// Says that it is time, and waits until all connections have ended.
    pub async fn close(&self) {
        // In this order: whoever is woken sees that it is time.
        self.connections.close();
        self.told.cancel();
        self.connections.wait().await;
    }
}

/// One connection's ear. Only one task may use it.
#[derive(Debug)]
pub struct Listening {
    connections: TaskTracker,
    told: Pin<Box<WaitForCancellationFutureOwned>>,
    listens: bool,
}

impl Listening {
    /// Whether it is time: answer what came, and end.
    pub fn is_due(&self) -> bool {
        self.connections.is_closed()
    }

    /// Waits until it is time. It may be dropped and called anew.
    pub async fn due(&mut self) {
        poll_fn(|context| {
            if self.listens && !self.is_due() {
                return std::task::Poll::Pending;
            }
            self.listens = true;
            self.told.as_mut().poll(context)
        })
        .await;
    }
}
