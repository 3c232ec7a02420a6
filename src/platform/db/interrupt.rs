//! The means to end a statement that runs on a connection, and to tell what it takes.

use std::{
    sync::atomic::{AtomicBool, AtomicI32, Ordering},
    time::Duration,
};

use uuid::Uuid;

use crate::base::metering;

/// The means to end the statement that runs on a connection, and to tell what it takes.
#[derive(Debug)]
pub(super) struct Interrupt {
    /// Whether the statement that runs on an SQLite is to end.
    is_wanted: AtomicBool,
    /// The thread that executes the statements of a connection to an SQLite, and nothing else. 0: it is not known.
    thread: AtomicI32,
    /// The name under which PostgreSQL knows the connection. A pooler in between, such as PgBouncer, keeps it, while processes of
    /// PostgreSQL change.
    pub(super) name: String,
}

impl Default for Interrupt {
    fn default() -> Self {
        Interrupt {
            is_wanted: AtomicBool::new(false),
            thread: AtomicI32::new(0),
            name: format!("linkgraph-{}", Uuid::now_v7().simple()),
        }
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

    /// Notes that the calling thread executes the statements.
    pub(super) fn executed_here(&self) {
        self.thread.store(metering::thread(), Ordering::Relaxed);
    }

    /// Processor time that the thread has taken so far. `None`: the connection is not open, or not to an SQLite.
    pub(super) fn taken(&self) -> Option<Duration> {
        let thread = self.thread.load(Ordering::Relaxed);
        if thread == 0 { None } else { metering::of(thread) }
    }
}
