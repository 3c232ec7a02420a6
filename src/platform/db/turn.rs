//! Turns to write to SQLite for processes beside the service, such as `linkgraph links block`. A process that finds SQLite busy
//! tries again every 100 ms, unnoticed by the service. So it holds a shared lock on a file meanwhile, upon which the service
//! leaves SQLite free for a [`TURN`]. The kernel releases the locks of a process that has ended (`flock(2)`).

use std::{
    fs::{File, TryLockError},
    io,
    path::Path,
    time::Duration,
};

use crate::base::file;

/// How long the database stays free for another process: longer than SQLite waits between two attempts.
pub(crate) const TURN: Duration = Duration::from_millis(150);

/// The file, which lies beside the database.
#[derive(Debug)]
pub(super) struct Turn(File);

impl Turn {
    pub(super) fn beside(database: &Path) -> io::Result<Self> {
        let mut path = database.as_os_str().to_owned();
        path.push("-turn");
        file::private().create(true).truncate(false).open(path).map(Turn)
    }

    /// Asks for turns for as long as this lives.
    pub(super) fn ask(&self) -> io::Result<()> {
        self.0.lock_shared()
    }

    /// Whether another process asks for one.
    pub(super) fn is_asked_for(&self) -> bool {
        match self.0.try_lock() {
            Ok(()) => self.0.unlock().is_err(),
            Err(error) => matches!(error, TryLockError::WouldBlock),
        }
    }
}
