//! The feed of changes that all nodes apply: they evict cached links and hosts, revoke user tokens, and have open sockets check their
//! credentials again. The node that makes a change applies it at once, the others when they read the feed.
//!
//! Nodes on PostgreSQL read the feed several times a second. An SQLite database has one node, and commands that run beside it: the
//! node reads the feed after each commit.
//!
//! The outbox can't be used for this: its events have a link's new address, not the old one, and their ids are made before the commit
//! by many clocks. Here the database numbers the changes. A missing number may belong to a change that has not committed yet: it is
//! looked for until no transaction can take so long.

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
    base::{
        clock::{HOUR, MINUTE, Millis, UnixMillis},
        ids::{AccountId, MembershipId, SessionId, UserId},
    },
    platform::{
        auth::revocation,
        db::{Polling, Transaction},
    },
};

/// How often the feed is read.
const POLL: Duration = Duration::from_millis(250);
/// Changes read at once.
const BATCH: u64 = 1_000;
/// How long a missing number is looked for, in milliseconds: longer than any transaction may take.
const PATIENCE: Millis = 2 * MINUTE;
/// Missing numbers held at most. More are missing when the database was restored, or lost some in a crash.
const MAX_MISSING: i64 = 500;
/// How long changes are kept for nodes that can't read them at the moment.
const KEPT: Millis = HOUR;
/// A commit in progress. When it is dropped, also after its request was cancelled, this node evicts what the change makes stale. Tokens
/// are revoked only after a confirmed commit, since a revocation can't be undone.
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
            // The commit may have succeeded all the same: then the change is applied when it is read from the feed.
            let mut changes = self.redirects.own_changes.0.lock();
            self.own.iter().for_each(|id| _ = changes.remove(id));
        }
    }
}

/// Adds changes to the feed in an open transaction, and returns their numbers. Commands that run beside the service call this; the
/// service itself calls `commit`, which also applies them.
pub async fn record(
    tx: &Transaction,
    stale: impl IntoIterator<Item = &Stale>,
    now: UnixMillis,
) -> Result<Vec<i64>, DbErr> {
    let what = stale.into_iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>();
    let what = what.map_err(|error| DbErr::Json(error.to_string()))?;
    if what.is_empty() { Ok(Vec::new()) } else { repo::insert(tx, what, now).await }
}

/// Commits a transaction that makes cached data or credentials stale. This node applies the changes before the call returns, the
/// others when they read the feed.
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
        Stale::Membership { account, membership, changed_at } => {
            let now = redirects.clock.now();
            redirects.revocations.change_membership(MembershipId(*membership), *changed_at, now);
            redirects.watchers.notify(AccountId(*account));
        }
        Stale::Session { account, session, ended_at } => {
            redirects.revocations.end_session(SessionId(*session), *ended_at, redirects.clock.now());
            redirects.watchers.notify(AccountId(*account));
        }
        Stale::Credentials(account) => redirects.watchers.notify(AccountId(*account)),
        // [`Follower::step`] reads them again.
        Stale::Restrictions => {}
    }
}

/// Clears all caches, and reads all revocations and restrictions again, since changes may have been missed.
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

/// Reads the operator's restrictions again, and evicts the links and accounts for which they have changed.
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

/// This node's position in the feed.
#[derive(Debug)]
pub(crate) struct Follower {
    /// The highest number that was read.
    newest: i64,
    /// Numbers before it that were not there yet, and when they were first missing.
    missing: BTreeMap<i64, UnixMillis>,
    /// When the feed was last read, in Unix milliseconds.
    read_at: UnixMillis,
    /// Whether changes may have been missed, so that all caches must be cleared.
    is_lost: bool,
    /// Whether the operator's restrictions are to be read again.
    must_reload: bool,
}

impl Follower {
    /// Starts at the newest change; call this before anything is cached. On a shared database the last [`MAX_MISSING`] numbers are
    /// read again, since changes that have not committed yet are among them.
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

    /// Applies all new changes of others.
    async fn look(&mut self, redirects: &Redirects) -> Result<(), DbErr> {
        while self.step(redirects).await? {}
        Ok(())
    }

    /// Applies a batch of changes of others. Returns whether there may be more.
    async fn step(&mut self, redirects: &Redirects) -> Result<bool, DbErr> {
        let now = redirects.clock.now();
        let missing = self.missing.keys().copied().collect();
        let changes = repo::after(redirects.db.read(), self.newest, missing, BATCH).await?;
        // The last read is so long ago that changes may have been deleted since.
        self.is_lost |= now - self.read_at > KEPT / 2;
        for (id, what) in &changes {
            self.is_lost |= self.note(*id, now);
            let is_own = redirects.own_changes.0.lock().remove(id);
            match serde_json::from_str::<Stale>(what) {
                // This node has evicted when its commit ended. Tokens, however, are revoked only after a confirmed commit, and the
                // request may have been cancelled before: a row that can be read confirms it.
                Ok(stale) if is_own && !stale.lasts() => {}
                Ok(Stale::Restrictions) => self.must_reload = true,
                Ok(stale) => evict(redirects, &stale),
                // A change of a newer version, of a kind that this version does not have.
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

    /// Notes that a number was read. Returns `true` if more numbers before it are missing than are looked for.
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

/// Reads the feed until `stop` is cancelled.
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
