//! When tasks that look for work in the database look again. Nodes that share a PostgreSQL look at intervals, since any of them
//! may have committed something. What is committed to an SQLite its one service knows: at rest it asks nothing.

use std::time::Duration;

use tokio::{sync::watch, time::sleep};

use super::Db;
use crate::clock::{Clock, UnixMillis};

/// The looks of one task.
#[derive(Debug)]
pub(crate) struct Polling {
    interval: Duration,
    clock: Clock,
    /// Commits to an SQLite; none for a database that nodes share.
    commits: Option<watch::Receiver<u64>>,
}

impl Polling {
    /// Looks at most this often, the intervals being those of a shared database.
    pub(crate) fn new(db: &Db, clock: &Clock, interval: Duration) -> Self {
        let commits = (!db.is_shared()).then(|| db.health().commits());
        Polling { interval, clock: clock.clone(), commits }
    }

    /// Notes that a look begins: what is committed from now on ends the wait for the next one.
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
