//! The feed of changes that nodes must know of: cached links and hosts are forgotten, user tokens are revoked, and open sockets
//! check their credential again. On the node of the change at once, on the others as soon as they have read of it.
//!
//! PostgreSQL's nodes read the feed several times a second. An SQLite has one node and commands beside it: that node reads the
//! feed when something was committed.
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
    auth::revocation,
    clock::{HOUR, MINUTE, Millis},
    db::{Polling, Transaction},
    ids::{AccountId, UserId},
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
/// The kind that is kept for longer: each start reads what is left of them.
const LASTING: &str = "user_tokens";

/// Something that a node may not remember, or trust, any longer.
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
    /// User tokens that are older than the password.
    UserTokens {
        /// The user's account.
        account: Uuid,
        /// The user.
        user: Uuid,
        /// Tokens are revoked if their password was set before: Unix milliseconds.
        not_before: Millis,
    },
    /// Credentials of an account that rows tell about: its open sockets look again.
    Credentials(Uuid),
    /// The operator's restrictions: they are read again.
    Restrictions,
}

impl Stale {
    /// Whatever is known of this slug.
    pub fn link(site: Site<'_>, slug: &str) -> Self {
        Stale::Link { host: site.host.to_owned(), account: site.account.0, slug: slug.to_owned() }
    }

    /// All tokens of the user that carry an earlier moment of the password.
    pub fn user_tokens(account: AccountId, user: UserId, not_before: Millis) -> Self {
        Stale::UserTokens { account: account.0, user: user.0, not_before }
    }

    /// Whether it is read at the next start.
    fn lasts(&self) -> bool {
        matches!(self, Stale::UserTokens { .. })
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

/// A change whose outcome is awaited. However that ends, and be it that nobody waits any longer, this node forgets. Tokens are
/// revoked only after a sure commit, since a revocation can't be undone.
struct Committing<'a> {
    app: &'a App,
    stale: &'a [Stale],
    own: Vec<i64>,
    is_committed: bool,
}

impl Drop for Committing<'_> {
    fn drop(&mut self) {
        let is_sure = |stale: &&Stale| self.is_committed || !stale.lasts();
        self.stale.iter().filter(is_sure).for_each(|stale| forget(self.app, stale));
        if !self.is_committed {
            // The change may be stored all the same: then it takes effect when it is read.
            let mut changes = self.app.own_changes.lock();
            self.own.iter().for_each(|id| _ = changes.remove(id));
        }
    }
}

/// Records in an open transaction what is stale once that commits, for the nodes that run. Answers the numbers. A command that
/// runs beside the service does this alone; the service commits by [`commit`].
pub async fn record(tx: &Transaction, stale: impl IntoIterator<Item = &Stale>, now: Millis) -> Result<Vec<i64>, DbErr> {
    let what = stale.into_iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>();
    let what = what.map_err(|error| DbErr::Json(error.to_string()))?;
    if what.is_empty() { Ok(Vec::new()) } else { repo::insert(tx, what, now).await }
}

/// Commits a change of what nodes may remember. All nodes forget it: this one before anyone is told of the change.
pub async fn commit(app: &App, tx: Transaction, stale: &[Stale]) -> Result<(), DbErr> {
    let is_for_others = |stale: &&Stale| app.db.is_shared() || stale.lasts();
    let own = record(&tx, stale.iter().filter(is_for_others), app.clock.now()).await?;
    app.own_changes.lock().extend(&own);
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
            app.watchers.tell(AccountId(*account));
        }
        Stale::UserTokens { account, user, not_before } => {
            app.revocations.revoke(UserId(*user), *not_before, app.clock.now());
            app.watchers.tell(AccountId(*account));
        }
        Stale::Credentials(account) => app.watchers.tell(AccountId(*account)),
        // Read again by whoever follows the changes.
        Stale::Restrictions => {}
    }
}

/// Forgets all caches and reads all revocations and restrictions again, since changes may have been overlooked.
async fn forget_all(app: &App) -> Result<(), DbErr> {
    app.redirects.forget_all();
    app.hosts.forget_all();
    read_revocations(app).await?;
    read_restrictions(app).await?;
    app.watchers.tell_all();
    Ok(())
}

/// Applies all stored revocations of user tokens that have not expired yet.
async fn read_revocations(app: &App) -> Result<(), DbErr> {
    let mut last = 0;
    loop {
        let found = repo::of_kind(app.db.read(), LASTING, last, BATCH).await?;
        for (id, what) in &found {
            last = *id;
            if let Ok(stale @ Stale::UserTokens { .. }) = serde_json::from_str(what) {
                forget(app, &stale);
            }
        }
        if found.len() as u64 != BATCH {
            return Ok(());
        }
    }
}

/// Reads the operator's restrictions again, and forgets what was found out by the old ones.
async fn read_restrictions(app: &App) -> Result<(), DbErr> {
    let changed = app.restrictions.reload(&app.db).await?;
    for account in changed.accounts {
        app.redirects.forget_account(account);
        app.watchers.tell(account);
    }
    changed.links.iter().for_each(|key| app.redirects.forget_key(key));
    Ok(())
}

/// Deletes the changes that every node has read.
pub async fn delete_old(app: &App) -> Result<(), DbErr> {
    let now = app.clock.now();
    repo::delete_before(app.db.write(), now - KEPT, (LASTING, now - revocation::KEPT)).await
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
    /// Whether some may have been overlooked.
    is_lost: bool,
    /// Whether the operator's restrictions are to be read again.
    must_reload: bool,
}

impl Follower {
    /// From now on; begins before anything is remembered. Changes that have not committed yet are among the last numbers.
    pub async fn open(app: &App) -> Result<Self, DbErr> {
        let newest = repo::newest(app.db.read()).await?;
        read_revocations(app).await?;
        read_restrictions(app).await?;
        // SQLite's changes commit in the order of their numbers.
        let uncommitted = if app.db.is_shared() { MAX_MISSING } else { 0 };
        Ok(Follower {
            newest: (newest - uncommitted).max(0),
            missing: BTreeMap::new(),
            read_at: app.clock.now(),
            is_lost: false,
            must_reload: false,
        })
    }

    /// Forgets what others have changed.
    async fn look(&mut self, app: &App) -> Result<(), DbErr> {
        while self.step(app).await? {}
        Ok(())
    }

    /// Forgets a batch of what others have changed. Answers whether there may be more.
    async fn step(&mut self, app: &App) -> Result<bool, DbErr> {
        let now = app.clock.now();
        let missing = self.missing.keys().copied().collect();
        let changes = repo::after(app.db.read(), self.newest, missing, BATCH).await?;
        // So late that some may have been deleted.
        self.is_lost |= now - self.read_at > KEPT / 2;
        for (id, what) in &changes {
            self.is_lost |= self.note(*id, now);
            if app.own_changes.lock().remove(id) {
                continue;
            }
            match serde_json::from_str(what) {
                Ok(Stale::Restrictions) => self.must_reload = true,
                Ok(stale) => forget(app, &stale),
                // A newer version's, which knows more to forget.
                Err(_) => self.is_lost = true,
            }
        }
        self.missing.retain(|_, since| now - *since < PATIENCE);
        if self.is_lost {
            forget_all(app).await?;
            self.is_lost = false;
        }
        if self.must_reload {
            read_restrictions(app).await?;
            self.must_reload = false;
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

/// Follows the changes of others until told to stop.
pub async fn run(app: Arc<App>, mut follower: Follower, stop: CancellationToken) {
    let mut polling = Polling::new(&app.db, &app.clock, POLL);
    let mut is_behind = false;
    while !stop.is_cancelled() {
        polling.begin();
        match follower.look(&app).await {
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
        // What can't be read is tried again, commits or not.
        let again = is_behind.then(|| app.clock.now());
        stop.run_until_cancelled(polling.wait(again)).await;
        if !app.db.is_shared() && !is_behind {
            // Until now nothing was committed.
            follower.read_at = app.clock.now();
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

    #[test]
    fn what_is_stale_is_written_plainly() {
        let (account, text) = (Uuid::nil(), |stale| serde_json::to_string(&stale).unwrap());
        let link = Stale::link(Site { host: "go.example", account: AccountId(account) }, "a");
        let written = r#"{"link":{"host":"go.example","account":"00000000-0000-0000-0000-000000000000","slug":"a"}}"#;
        assert_eq!(text(link.clone()), written);
        assert_eq!(serde_json::from_str::<Stale>(written).unwrap(), link);
        assert_eq!(text(Stale::Host("go.example".to_owned())), r#"{"host":"go.example"}"#);
        assert_eq!(text(Stale::Restrictions), r#""restrictions""#);
        assert_eq!(text(Stale::Account(account)), r#"{"account":"00000000-0000-0000-0000-000000000000"}"#);
        assert_eq!(text(Stale::Credentials(account)), r#"{"credentials":"00000000-0000-0000-0000-000000000000"}"#);
        let tokens = text(Stale::user_tokens(AccountId(account), UserId(account), 1));
        assert!(tokens.starts_with(&format!(r#"{{"{LASTING}":{{"account":"00"#)), "{tokens}");
    }
}
