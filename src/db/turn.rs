//! Turns of processes beside the service, as `linkgraph links block` is one, that are to write to its SQLite. A process that
//! finds SQLite busy tries again every 100 ms, and nobody is told; so it holds a shared lock on a file meanwhile, and gets
//! its turn. The kernel ends the locks of a process that is gone (`flock(2)`).

use std::{
    fs::{File, TryLockError},
    io,
    path::Path,
    time::Duration,
};

use crate::file;

/// For how long the database stays free, so that another process finds it so: longer than SQLite waits before it tries again.
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
