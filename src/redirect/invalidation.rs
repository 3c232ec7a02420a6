//! What redirects remember, forgotten when it changes: on this node at once, on the others as soon as they have read of it.
//!
//! The outbox would not do: it tells of a link as it is, not of where it was, and its ids are made before the commit by
//! many clocks. Here the database numbers the changes. A number that is missing may belong to a change that has not
//! committed yet: it is asked for until no change can take so long.

use std::{
    collections::{BTreeMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use sea_orm::DbErr;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{cache::Site, invalidation_repo as repo};
use crate::{
    app::App,
    clock::{HOUR, MINUTE, Millis},
    db::{Db, Transaction},
    ids::AccountId,
};

/// How often to look what other nodes have changed.
const POLL: Duration = Duration::from_millis(250);
/// Changes read at once.
const BATCH: u64 = 1_000;
/// How long a number may be missing: longer than any transaction may take.
const PATIENCE: Millis = 2 * MINUTE;
/// Missing numbers held at most. More are missing when the database was restored, or lost some in a crash.
const MAX_MISSING: i64 = 500;
/// How long changes are kept for nodes that can't read them at the moment.
pub const KEPT: Millis = HOUR;

/// What is not to be remembered any longer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stale {
    /// A link at a place.
    Link {
        /// The host; empty for the service's own.
        host: String,
        /// Whose links.
        account: Uuid,
        /// The slug.
        slug: String,
    },
    /// Whose a host is.
    Host(String),
    /// All that there is of an account.
    Account(Uuid),
}

impl Stale {
    /// Whatever is known of this slug.
    pub fn link(site: Site<'_>, slug: &str) -> Self {
        Stale::Link { host: site.host.to_owned(), account: site.account.0, slug: slug.to_owned() }
    }
}

/// Numbers of this node's own changes: what it forgot when they were committed it need not forget once more when it reads
/// of them.
#[derive(Debug, Default)]
pub struct OwnChanges(Mutex<HashSet<i64>>);

impl OwnChanges {
    fn lock(&self) -> MutexGuard<'_, HashSet<i64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A change whose outcome is awaited. However that ends, and be it that nobody waits any longer, this node forgets.
struct Committing<'a> {
    app: &'a App,
    stale: &'a [Stale],
    own: Vec<i64>,
    is_committed: bool,
}

impl Drop for Committing<'_> {
    fn drop(&mut self) {
        self.stale.iter().for_each(|stale| forget(self.app, stale));
        if !self.is_committed {
            // It may be all the same, or in a moment: then it is forgotten again when it is read.
            let mut changes = self.app.own_changes.lock();
            self.own.iter().for_each(|id| _ = changes.remove(id));
        }
    }
}

/// Commits a change of what redirects may remember. All nodes forget it: this one before anyone is told of the change.
pub async fn commit(app: &App, tx: Transaction, stale: &[Stale]) -> Result<(), DbErr> {
    let mut own = Vec::new();
    if app.db.is_shared() && !stale.is_empty() {
        let what = stale.iter().map(serde_json::to_string).collect::<Result<_, _>>();
        let what = what.map_err(|error| DbErr::Json(error.to_string()))?;
        own = repo::insert(&tx, what, app.clock.now()).await?;
        app.own_changes.lock().extend(&own);
    }
    let mut committing = Committing { app, stale, own, is_committed: false };
    tx.commit().await?;
    committing.is_committed = true;
    Ok(())
}

fn forget(app: &App, stale: &Stale) {
    match stale {
        Stale::Link { host, account, slug } => {
            app.redirects.forget(Site { host, account: AccountId(*account) }, slug);
        }
        Stale::Host(name) => app.hosts.forget(name),
        Stale::Account(account) => {
            app.redirects.forget_account(AccountId(*account));
            app.hosts.forget_account(AccountId(*account));
        }
    }
}

fn forget_all(app: &App) {
    app.redirects.forget_all();
    app.hosts.forget_all();
}

/// How far the changes of all nodes have been read.
#[derive(Debug)]
pub struct Follower {
    /// The newest that was read.
    newest: i64,
    /// Numbers before it that were not there yet, and when they were first missing.
    missing: BTreeMap<i64, Millis>,
    /// When all that there was had been read.
    read_at: Millis,
}

impl Follower {
    /// From now on; begins before anything is remembered. Changes that have not committed yet are among the last numbers.
    pub async fn open(db: &Db, now: Millis) -> Result<Self, DbErr> {
        let newest = if db.is_shared() { repo::newest(db.read()).await? } else { 0 };
        Ok(Follower { newest: (newest - MAX_MISSING).max(0), missing: BTreeMap::new(), read_at: now })
    }

    /// Forgets what other nodes have changed. Answers whether there may be more.
    async fn step(&mut self, app: &App) -> Result<bool, DbErr> {
        let now = app.clock.now();
        let missing = self.missing.keys().copied().collect();
        let changes = repo::after(app.db.read(), self.newest, missing, BATCH).await?;
        // So late that some may have been deleted.
        let mut is_lost = now - self.read_at > KEPT / 2;
        for (id, what) in &changes {
            is_lost |= self.note(*id, now);
            if app.own_changes.lock().remove(id) {
                continue;
            }
            match serde_json::from_str(what) {
                Ok(stale) => forget(app, &stale),
                // A newer version's, which knows more to forget.
                Err(_) => is_lost = true,
            }
        }
        self.missing.retain(|_, since| now - *since < PATIENCE);
        if is_lost {
            forget_all(app);
        }
        self.read_at = now;
        Ok(changes.len() as u64 == BATCH)
    }

    /// Notes that a number was read. Answers whether so many before it are missing that they are not waited for.
    fn note(&mut self, id: i64, now: Millis) -> bool {
        if id <= self.newest {
            self.missing.remove(&id);
            return false;
        }
        let first = self.newest + 1;
        self.newest = id;
        let room = MAX_MISSING - i64::try_from(self.missing.len()).unwrap_or(MAX_MISSING);
        let waited_for = first.max(id - room.max(0))..id;
        let are_too_many = waited_for.start > first;
        self.missing.extend(waited_for.map(|missing| (missing, now)));
        are_too_many
    }
}

/// Follows the changes of other nodes until told to stop.
pub async fn run(app: Arc<App>, mut follower: Follower, stop: CancellationToken) {
    if !app.db.is_shared() {
        return;
    }
    let mut is_behind = false;
    while !stop.is_cancelled() {
        match follower.step(&app).await {
            Ok(true) => continue,
            Ok(false) if is_behind => {
                is_behind = false;
                tracing::info!("Changes of other nodes are followed again");
            }
            Ok(false) => {}
            Err(_) if is_behind => {}
            Err(error) => {
                is_behind = true;
                tracing::warn!(%error, "Changes of other nodes can't be read; redirects go on with what is known");
            }
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(POLL) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follower(newest: i64) -> Follower {
        Follower { newest, missing: BTreeMap::new(), read_at: 0 }
    }

    #[test]
    fn numbers_that_are_skipped_are_waited_for() {
        let mut follower = follower(10);
        assert!(!follower.note(11, 1));
        assert!(!follower.note(14, 2));
        assert_eq!(follower.missing, BTreeMap::from([(12, 2), (13, 2)]));
        assert!(!follower.note(13, 3));
        assert_eq!((follower.newest, follower.missing), (14, BTreeMap::from([(12, 2)])));
    }

    #[test]
    fn a_leap_is_not_waited_for() {
        let mut follower = follower(0);
        assert!(!follower.note(MAX_MISSING + 1, 1));
        assert_eq!(follower.missing.len() as i64, MAX_MISSING);
        assert!(follower.note(i64::MAX, 2));
        assert_eq!(follower.missing.len() as i64, MAX_MISSING);
        assert!(!follower.note(5, 3));
        assert!(!follower.note(i64::MAX, 3));
    }

    #[test]
    fn what_is_stale_is_written_plainly() {
        let (account, text) = (Uuid::nil(), |stale| serde_json::to_string(&stale).unwrap());
        let link = Stale::link(Site { host: "go.example", account: AccountId(account) }, "a");
        let written = r#"{"link":{"host":"go.example","account":"00000000-0000-0000-0000-000000000000","slug":"a"}}"#;
        assert_eq!(text(link.clone()), written);
        assert_eq!(serde_json::from_str::<Stale>(written).unwrap(), link);
        assert_eq!(text(Stale::Host("go.example".to_owned())), r#"{"host":"go.example"}"#);
        assert_eq!(text(Stale::Account(account)), r#"{"account":"00000000-0000-0000-0000-000000000000"}"#);
    }
}
