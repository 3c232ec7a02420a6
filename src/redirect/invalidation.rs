//! The feed of changes that nodes must know of: cached links and hosts are forgotten, user tokens are revoked, and open sockets
//! check their credential again. On the node of the change at once, on the others as soon as they have read of it.
//!
//! PostgreSQL's nodes read the feed several times a second. An SQLite has one node and commands beside it: that node reads the
//! feed when something was committed.
//!
//! The outbox would not do: it tells of a link as it is, not of where it was, and its ids are made before the commit by
//! many clocks. Here the database numbers the changes. A number that is missing may belong to a change that has not
//! committed yet: it is asked for until no change can take so long.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use sea_orm::DbErr;
use tokio_util::sync::CancellationToken;

use super::{
    Redirects,
    cache::Site,
    invalidation_repo as repo,
    stale::{LASTING, Stale},
};
use crate::{
    auth::revocation,
    clock::{HOUR, MINUTE, Millis, UnixMillis},
    db::{Polling, Transaction},
    ids::{AccountId, SessionId, UserId},
};

/// How often to look what others have changed.
const POLL: Duration = Duration::from_millis(250);
/// Changes read at once.
const BATCH: u64 = 1_000;
/// How long a number may be missing: longer than any transaction may take.
const PATIENCE: Millis = 2 * MINUTE;
/// Missing numbers held at most. More are missing when the database was restored, or lost some in a crash.
const MAX_MISSING: i64 = 500;
/// How long changes are kept for nodes that can't read them at the moment.
const KEPT: Millis = HOUR;
/// A change whose outcome is awaited. However that ends, and be it that nobody waits any longer, this node forgets. Tokens are
/// revoked only after a sure commit, since a revocation can't be undone.
struct Committing<'a> {
    redirects: &'a Redirects,
    stale: &'a [Stale],
    own: Vec<i64>,
    is_committed: bool,
}

impl Drop for Committing<'_> {
    fn drop(&mut self) {
        let is_sure = |stale: &&Stale| self.is_committed || !stale.lasts();
        self.stale.iter().filter(is_sure).for_each(|stale| evict(self.redirects, stale));
        if !self.is_committed {
            // The change may be stored all the same: then it takes effect when it is read.
            let mut changes = self.redirects.own_changes.0.lock();
            self.own.iter().for_each(|id| _ = changes.remove(id));
        }
    }
}

/// Records in an open transaction what is stale once that commits, for the nodes that run. Answers the numbers. A command that
/// runs beside the service does this alone; the service commits by [`commit`].
pub async fn record(
    tx: &Transaction,
    stale: impl IntoIterator<Item = &Stale>,
    now: UnixMillis,
) -> Result<Vec<i64>, DbErr> {
    let what = stale.into_iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>();
    let what = what.map_err(|error| DbErr::Json(error.to_string()))?;
    if what.is_empty() { Ok(Vec::new()) } else { repo::insert(tx, what, now).await }
}

/// Commits a change of what nodes may remember. All nodes forget it: this one before anyone is told of the change.
pub(crate) async fn commit(redirects: &Redirects, tx: Transaction, stale: &[Stale]) -> Result<(), DbErr> {
    let is_for_others = |stale: &&Stale| redirects.db.is_shared() || stale.lasts();
    let own = record(&tx, stale.iter().filter(is_for_others), redirects.clock.now()).await?;
    redirects.own_changes.0.lock().extend(&own);
    let mut committing = Committing { redirects, stale, own, is_committed: false };
    tx.commit().await?;
    committing.is_committed = true;
    Ok(())
}

fn evict(redirects: &Redirects, stale: &Stale) {
    match stale {
        Stale::Link { host, account, slug } => {
            redirects.cache.evict(Site::exact(host, AccountId(*account)), slug);
        }
        Stale::Host(name) => redirects.hosts.evict(name),
        Stale::Account(account) => {
            redirects.cache.evict_account(AccountId(*account));
            redirects.hosts.evict_account(AccountId(*account));
            redirects.watchers.notify(AccountId(*account));
        }
        Stale::UserTokens { account, user, not_before } => {
            redirects.revocations.revoke(UserId(*user), *not_before, redirects.clock.now());
            redirects.watchers.notify(AccountId(*account));
        }
        Stale::Session { account, session, ended_at } => {
            redirects.revocations.end_session(SessionId(*session), *ended_at, redirects.clock.now());
            redirects.watchers.notify(AccountId(*account));
        }
        Stale::Credentials(account) => redirects.watchers.notify(AccountId(*account)),
        // Read again by whoever follows the changes.
        Stale::Restrictions => {}
    }
}

/// Forgets all caches and reads all revocations and restrictions again, since changes may have been overlooked.
async fn evict_all(redirects: &Redirects) -> Result<(), DbErr> {
    redirects.cache.evict_all();
    redirects.hosts.evict_all();
    read_revocations(redirects).await?;
    read_restrictions(redirects).await?;
    redirects.watchers.notify_all();
    Ok(())
}

/// Applies all stored revocations of user tokens that have not expired yet.
async fn read_revocations(redirects: &Redirects) -> Result<(), DbErr> {
    let mut last = 0;
    loop {
        let found = repo::of_kinds(redirects.db.read(), &LASTING, last, BATCH).await?;
        for (id, what) in &found {
            last = *id;
            if let Ok(stale) = serde_json::from_str::<Stale>(what)
                && stale.lasts()
            {
                evict(redirects, &stale);
            }
        }
        if found.len() as u64 != BATCH {
            return Ok(());
        }
    }
}

/// Reads the operator's restrictions again, and forgets what was found out by the old ones.
async fn read_restrictions(redirects: &Redirects) -> Result<(), DbErr> {
    let changed = redirects.restrictions.reload(&redirects.db).await?;
    for account in changed.accounts {
        redirects.cache.evict_account(account);
        redirects.watchers.notify(account);
    }
    changed.links.iter().for_each(|key| redirects.cache.evict_key(key));
    Ok(())
}

/// Deletes the changes that every node has read.
pub async fn delete_old(redirects: &Redirects) -> Result<(), DbErr> {
    let now = redirects.clock.now();
    repo::delete_before(redirects.db.write(), now - KEPT, (&LASTING, now - revocation::KEPT)).await
}

/// How far the changes of all nodes have been read.
#[derive(Debug)]
pub(crate) struct Follower {
    /// The newest that was read.
    newest: i64,
    /// Numbers before it that were not there yet, and when they were first missing.
    missing: BTreeMap<i64, UnixMillis>,
    /// When all that there was had been read.
    read_at: UnixMillis,
    /// Whether some may have been overlooked.
    is_lost: bool,
    /// Whether the operator's restrictions are to be read again.
    must_reload: bool,
}

impl Follower {
    /// From now on; begins before anything is remembered. Changes that have not committed yet are among the last numbers.
    pub(crate) async fn open(redirects: &Redirects) -> Result<Self, DbErr> {
        let newest = repo::newest(redirects.db.read()).await?;
        read_revocations(redirects).await?;
        read_restrictions(redirects).await?;
        // SQLite's changes commit in the order of their numbers.
        let uncommitted = if redirects.db.is_shared() { MAX_MISSING } else { 0 };
        Ok(Follower {
            newest: (newest - uncommitted).max(0),
            missing: BTreeMap::new(),
            read_at: redirects.clock.now(),
            is_lost: false,
            must_reload: false,
        })
    }

    /// Forgets what others have changed.
    async fn look(&mut self, redirects: &Redirects) -> Result<(), DbErr> {
        while self.step(redirects).await? {}
        Ok(())
    }

    /// Forgets a batch of what others have changed. Answers whether there may be more.
    async fn step(&mut self, redirects: &Redirects) -> Result<bool, DbErr> {
        let now = redirects.clock.now();
        let missing = self.missing.keys().copied().collect();
        let changes = repo::after(redirects.db.read(), self.newest, missing, BATCH).await?;
        // So late that some may have been deleted.
        self.is_lost |= now - self.read_at > KEPT / 2;
        for (id, what) in &changes {
            self.is_lost |= self.note(*id, now);
            let is_own = redirects.own_changes.0.lock().remove(id);
            match serde_json::from_str::<Stale>(what) {
                // This node evicts as soon as its commit ends, but revokes tokens only if it hears that it was stored. The commit may
                // be given up before; that the row can be read says that it was.
                Ok(stale) if is_own && !stale.lasts() => {}
                Ok(Stale::Restrictions) => self.must_reload = true,
                Ok(stale) => evict(redirects, &stale),
                // A newer version's, which knows more to forget.
                Err(_) => self.is_lost = true,
            }
        }
        self.missing.retain(|_, since| now - *since < PATIENCE);
        if self.is_lost {
            evict_all(redirects).await?;
            self.is_lost = false;
        }
        if self.must_reload {
            read_restrictions(redirects).await?;
            self.must_reload = false;
        }
        self.read_at = now;
        Ok(changes.len() as u64 == BATCH)
    }

    /// Notes that a number was read. Answers whether so many before it are missing that they are not waited for.
    fn note(&mut self, id: i64, now: UnixMillis) -> bool {
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

/// Follows the changes of others until told to stop.
pub(crate) async fn run(redirects: Arc<Redirects>, mut follower: Follower, stop: CancellationToken) {
    let mut polling = Polling::new(&redirects.db, &redirects.clock, POLL);
    let mut is_behind = false;
    while !stop.is_cancelled() {
        polling.begin();
        match follower.look(&redirects).await {
            Ok(()) if is_behind => {
                is_behind = false;
                tracing::info!("Changes of others are followed again");
            }
            Ok(()) => {}
            Err(_) if is_behind => {}
            Err(error) => {
                is_behind = true;
                tracing::warn!(%error, "Changes of others can't be read; redirects go on with what is known");
            }
        }
        // A failed read is retried, whether there was a new commit or not.
        let again = is_behind.then(|| redirects.clock.now());
        stop.run_until_cancelled(polling.wait(again)).await;
        if !redirects.db.is_shared() && !is_behind {
            // Until now nothing was committed.
            follower.read_at = redirects.clock.now();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follower(newest: i64) -> Follower {
        Follower { newest, missing: BTreeMap::new(), read_at: 0, is_lost: false, must_reload: false }
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
}
