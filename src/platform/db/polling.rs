//! Intervals at which tasks poll the database for work. Nodes that share a PostgreSQL always poll, since any of them may have
//! committed something. An SQLite belongs to one service, which is notified of commits: without any, it does not poll.

use std::time::Duration;

use tokio::{sync::watch, time::sleep};

use super::Db;
use crate::base::clock::{Clock, UnixMillis};

/// The polling of one task.
#[derive(Debug)]
pub(crate) struct Polling {
    interval: Duration,
    clock: Clock,
    /// Notifications of commits to an SQLite. `None` for a database that nodes share.
    commits: Option<watch::Receiver<u64>>,
}

impl Polling {
    /// Polls a shared database at this interval, and an SQLite at most that often.
    pub(crate) fn new(db: &Db, clock: &Clock, interval: Duration) -> Self {
        let commits = (!db.is_shared()).then(|| db.health().commits());
        Polling { interval, clock: clock.clone(), commits }
    }

    /// Must be called before each poll: a commit from now on ends the [`wait`](Self::wait) for the next one.
    pub(crate) fn begin(&mut self) {
        if let Some(commits) = &mut self.commits {
            commits.mark_unchanged();
        }
    }

    /// Waits until another look may find something: for the interval, and on SQLite longer, until something is committed or
    /// the clock shows `due`. `None`: nothing is due without a commit.
    pub(crate) async fn wait(&mut self, due: Option<UnixMillis>) {
        sleep(self.interval).await;
        let Some(commits) = &mut self.commits else { return };
        tokio::select! {
            // An error would say that the database is gone, and this task holds it.
            _ = commits.changed() => {}
            () = self.clock.reach(due.unwrap_or(UnixMillis::MAX)) => {}
        }
    }
}
