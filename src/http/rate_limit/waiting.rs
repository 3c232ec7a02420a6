//! Logins that wait for their turn.

use std::sync::Arc;

use tokio::sync::Semaphore;

use super::policy::Key;
use crate::{clock::Clock, concurrency::ConcurrencyLimit};

/// Logins that wait at once: for one e-mail address, and for all. Each holds a connection and some kilobytes, but no
/// connection to the database and no place among passwords that are hashed. More are refused.
pub(super) const MAX_WAITING_EACH: usize = 4;
const MAX_WAITING: usize = 256;

/// Logins that wait for their turn.
pub(super) struct Waiting {
    pub(super) each: Arc<ConcurrencyLimit<Key>>,
    pub(super) all: Semaphore,
    pub(super) clock: Clock,
}

impl Waiting {
    /// Creates the queue, in which no login waits yet.
    pub(super) fn new(clock: &Clock) -> Self {
        let each = ConcurrencyLimit::new(MAX_WAITING_EACH, "logins for the e-mail address waiting");
        Waiting { each, all: Semaphore::new(MAX_WAITING), clock: clock.clone() }
    }
}
