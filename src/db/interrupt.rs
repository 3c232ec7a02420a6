//! The means to end a statement that runs on a connection.

use std::sync::atomic::{AtomicBool, Ordering};

use uuid::Uuid;

/// The means to end the statement that runs on a connection.
#[derive(Debug)]
pub(super) struct Interrupt {
    /// Whether the statement that runs on an SQLite is to end.
    is_wanted: AtomicBool,
    /// The name under which PostgreSQL knows the connection. A pooler in between, such as PgBouncer, keeps it, while processes of
    /// PostgreSQL change.
    pub(super) name: String,
}

impl Default for Interrupt {
    fn default() -> Self {
        Interrupt { is_wanted: AtomicBool::new(false), name: format!("linkgraph-{}", Uuid::now_v7().simple()) }
    }
}

impl Interrupt {
    /// Whether the running statement may go on.
    pub(super) fn may_go_on(&self) -> bool {
        !self.is_wanted.load(Ordering::Relaxed)
    }

    /// Tells a statement on an SQLite whether it is to end.
    pub(super) fn set(&self, is_wanted: bool) {
        self.is_wanted.store(is_wanted, Ordering::Relaxed);
    }
}
