//! Health of the database, inferred from the results of statements: whether it takes changes, and whether its file is
//! whole.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use sea_orm::{DatabaseBackend, DbErr};
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

use crate::base::{error::database_code, metrics::Metrics};

/// For how long a change stored in PostgreSQL proves that the next one would be stored as well, unless one is refused
/// meanwhile: another primary may replace it at any moment.
const PROOF_OF_POSTGRES: Duration = Duration::from_secs(1);
/// For how long a change stored in SQLite does: a change that is tried waits for a long transaction of ingest, and ends it.
const PROOF_OF_SQLITE: Duration = Duration::from_secs(15);

/// Why a database can't do its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// No room is left on its disk, or it may not use more.
    Full,
    /// Its disk answers with errors.
    Io,
    /// No changes are accepted: the file system or the server is read-only.
    ReadOnly,
    /// Corruption: data read back differs from the data written.
    Damaged,
}

impl Fault {
    /// The fault that an error shows; `None` for an error of another kind.
    pub(crate) fn of(error: &DbErr) -> Option<Self> {
        let code = database_code(error)?;
        // SQLite has numbers, whose low byte is the kind (<https://sqlite.org/rescode.html>); PostgreSQL has five characters
        // (<https://www.postgresql.org/docs/current/errcodes-appendix.html>).
        match code.parse::<u32>().ok().filter(|_| code.len() < 5) {
            Some(number) => match number & 0xff {
                8 => Some(Fault::ReadOnly),
                10 => Some(Fault::Io),
                11 | 26 => Some(Fault::Damaged),
                13 => Some(Fault::Full),
                _ => None,
            },
            None => match &*code {
                "53100" => Some(Fault::Full),
                "25006" => Some(Fault::ReadOnly),
                "XX001" | "XX002" => Some(Fault::Damaged),
                code if code.starts_with("58") => Some(Fault::Io),
                _ => None,
            },
        }
    }
}

/// Health of one database, as seen by this process.
#[derive(Debug)]
pub(crate) struct Health {
    opened: Instant,
    /// Milliseconds from `opened` to the newest stored change, plus one; 0 before the first.
    stored_at: AtomicU64,
    refused: AtomicU64,
    is_refusing: AtomicBool,
    is_full: AtomicBool,
    needs_room: Notify,
    commits: watch::Sender<u64>,
    damage: OnceLock<()>,
    is_checked: CancellationToken,
}

impl Default for Health {
    fn default() -> Self {
        Health {
            opened: Instant::now(),
            stored_at: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            is_refusing: AtomicBool::new(false),
            is_full: AtomicBool::new(false),
            needs_room: Notify::new(),
            commits: watch::Sender::default(),
            damage: OnceLock::new(),
            is_checked: CancellationToken::new(),
        }
    }
}

impl Health {
    /// Changes that the database refused for a [`Fault`], since the start of the process.
    pub(crate) fn refused_changes(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// Whether the newest change was refused since the disk is full.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full.load(Ordering::Relaxed)
    }

    /// Whether damage was found. Stays true until the service is restarted.
    pub(crate) fn is_damaged(&self) -> bool {
        self.damage.get().is_some()
    }

    /// Updates the metrics of the database.
    pub(crate) fn show(&self, metrics: &Metrics) {
        metrics.observe_database(self.refused_changes(), self.is_full(), self.is_damaged());
    }

    /// Notes how a change ended: a commit, or a statement that is a transaction by itself.
    pub(super) fn note_change<T>(&self, answer: &Result<T, DbErr>) {
        if answer.is_err() {
            return self.note_error(answer, true);
        }
        self.stored_at.store(self.now() + 1, Ordering::Relaxed);
        self.note_commit();
        if self.is_refusing.load(Ordering::Relaxed) && self.is_refusing.swap(false, Ordering::Relaxed) {
            self.is_full.store(false, Ordering::Relaxed);
            tracing::info!("The database takes changes again");
        }
    }

    /// Notes an error, if there is one.
    pub(super) fn note_error<T>(&self, answer: &Result<T, DbErr>, is_change: bool) {
        let Err(error) = answer else { return };
        let Some(fault) = Fault::of(error) else { return };
        if fault == Fault::Damaged {
            self.note_damage(&error.to_string());
        }
        if is_change {
            self.refused.fetch_add(1, Ordering::Relaxed);
            self.is_full.store(fault == Fault::Full, Ordering::Relaxed);
            if fault == Fault::Full {
                self.needs_room.notify_one();
            }
            if !self.is_refusing.swap(true, Ordering::Relaxed) {
                tracing::error!(cause = %error, "The database takes no changes");
            }
        }
    }

    /// Notes that something was committed, by this process or another.
    pub(super) fn note_commit(&self) {
        self.commits.send_modify(|commits| *commits = commits.wrapping_add(1));
    }

    /// Receives a notification of each commit: of this process, and on SQLite also of others.
    pub(super) fn commits(&self) -> watch::Receiver<u64> {
        self.commits.subscribe()
    }

    /// Waits until a change is refused since the disk is full.
    pub(super) async fn needs_room(&self) {
        self.needs_room.notified().await;
    }

    /// Notes that the database's file is not whole.
    pub(super) fn note_damage(&self, finding: &str) {
        if self.damage.set(()).is_ok() {
            tracing::error!(finding, "The database is damaged: restore a backup");
        }
    }

    /// Whether the newest change was stored so recently that no other has to be tried.
    pub(super) fn has_just_stored(&self, backend: DatabaseBackend) -> bool {
        let proof = if backend == DatabaseBackend::Sqlite { PROOF_OF_SQLITE } else { PROOF_OF_POSTGRES };
        let stored_at = self.stored_at.load(Ordering::Relaxed);
        stored_at > 0
            && !self.is_refusing.load(Ordering::Relaxed)
            && u128::from(self.now() + 1 - stored_at.min(self.now() + 1)) < proof.as_millis()
    }

    /// Notes that the check of the file has ended.
    pub(super) fn note_checked(&self) {
        self.is_checked.cancel();
    }

    /// Waits until the check of the file has ended.
    pub(super) async fn checked(&self) {
        self.is_checked.cancelled().await;
    }

    fn now(&self) -> u64 {
        u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX - 1)
    }
}
