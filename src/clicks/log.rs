//! The click log: append-only segments. A click is in the kernel's page cache before its redirect is answered, so a killed
//! process loses none. On the disk it is at most 50 ms later, or before the answer with `LINKGRAPH_CLICK_SYNC=strict`.

use std::{
    cell::RefCell,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{click::Click, position::Position, record, segment, writing::Writing};
use crate::base::{
    config::ClickSync,
    file::{self, write_whole},
    metrics::Metrics,
};

/// The file that holds a directory's identity.
const IDENTITY: &str = "log-id";
/// How long a click may be in the file but not on the disk.
const SYNC_INTERVAL: Duration = Duration::from_millis(50);
/// How long `linkgraph check` holds the lock at most.
const CHECKED: Duration = Duration::from_millis(100);
/// Segments that a crash may leave unfinished: the one that is written, and the one that is to be next.
const UNFINISHED: usize = 2;

thread_local! {
    /// A record is encoded here, outside the lock.
    static RECORD: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The log of one data directory.
pub struct ClickLog {
    folder: PathBuf,
    id: Uuid,
    sync: ClickSync,
    metrics: Arc<Metrics>,
    state: Mutex<State>,
    /// Clicks that are on the disk, counted from the start of the process.
    synced: AtomicU64,
    progress: Notify,
    sync_wanted: Notify,
    /// How far the log was ingested at which time; a log that is ingested as a whole is so all the time.
    ingested: Mutex<(Position, Instant)>,
    failing: AtomicBool,
    sync_failed: AtomicBool,
    _lock: File,
}

struct State {
    /// The segment being written. `None`: the disk has refused every segment so far.
    current: Option<Writing>,
    /// The next segment, created in advance so that no redirect waits for a file.
    next: Option<Writing>,
    next_number: u64,
    /// Whether the last attempt to create a segment failed; the background task tries again.
    is_stuck: bool,
    end: Position,
    /// Clicks since the start of the process, dropped ones included.
    taken: u64,
    /// Full segments that are not synced yet.
    retired: Vec<Writing>,
}

impl ClickLog {
    /// Opens the log, and begins a new segment, numbered from `first` at least.
    pub fn open(
        lock: DirectoryLock,
        id: Uuid,
        first: u64,
        sync: ClickSync,
        metrics: Arc<Metrics>,
    ) -> anyhow::Result<Self> {
        let folder = lock.folder;
        let numbers = segment::list(&folder).context("the click log can't be listed")?;
        for number in numbers.iter().rev().take(UNFINISHED) {
            segment::trim(&segment::path(&folder, *number)).context("the click log can't be trimmed")?;
        }
        let number = numbers.last().map_or(1, |last| last + 1).max(first);
        let state = State {
            current: None,
            next: None,
            next_number: number + 1,
            is_stuck: false,
            end: Position { segment: number, offset: 0 },
            taken: 0,
            retired: Vec::new(),
        };
        let log = ClickLog {
            folder,
            id,
            sync,
            metrics,
            state: Mutex::new(state),
            synced: AtomicU64::new(0),
            progress: Notify::new(),
            sync_wanted: Notify::new(),
            ingested: Mutex::new((Position::default(), Instant::now())),
            failing: AtomicBool::new(false),
            sync_failed: AtomicBool::new(false),
            _lock: lock.file,
        };
        match Writing::create(&log.folder, number) {
            Ok(writing) => log.state.lock().begin(writing),
            // Visitors are redirected all the same.
            Err(error) if is_full(&error) => {
                log.state.lock().is_stuck = true;
                stuck(&error);
            }
            Err(error) => return Err(error).context("the click log can't be written"),
        }
        Ok(log)
    }

    /// Identity of a log directory: made once, and kept when the directory moves.
    pub fn identity(folder: &Path) -> anyhow::Result<Uuid> {
        if let Some(id) = Self::kept_identity(folder)? {
            return Ok(id);
        }
        let id = Uuid::now_v7();
        write_whole(&folder.join(IDENTITY), id.to_string().as_bytes())?;
        Ok(id)
    }

    /// The same, if it was made already.
    pub(crate) fn kept_identity(folder: &Path) -> anyhow::Result<Option<Uuid>> {
        let path = folder.join(IDENTITY);
        match fs::read_to_string(&path) {
            Ok(text) => {
                Uuid::parse_str(text.trim()).map(Some).with_context(|| format!("{} holds no id", path.display()))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("can't read {}", path.display())),
        }
    }

    /// Identity of this log.
    pub(crate) fn id(&self) -> Uuid {
        self.id
    }

    /// Where the segments are.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether an answer must wait for [`synced`](Self::synced).
    pub fn is_strict(&self) -> bool {
        self.sync == ClickSync::Strict
    }

    /// Appends a click, and answers its number. When this returns, a killed process does not lose it. A disk that is full
    /// does not keep visitors from being redirected: the click is dropped and counted.
    pub fn append(&self, click: &Click<'_>) -> u64 {
        RECORD.with_borrow_mut(|record| {
            record.clear();
            record::encode(record, |out| click.encode(out));
            let mut state = self.state.lock();
            let mut fits = |writing: &mut Writing| writing.append(record);
            let mut is_taken =
                !self.sync_failed.load(Ordering::Relaxed) && state.current.as_mut().is_some_and(&mut fits);
            if !is_taken {
                self.replace(&mut state);
                is_taken = state.current.as_mut().is_some_and(&mut fits);
            }
            if let Some(current) = &state.current {
                state.end = current.at();
            }
            state.taken += 1;
            let number = state.taken;
            drop(state);
            if is_taken {
                self.metrics.clicks_logged.inc();
                if self.failing.load(Ordering::Relaxed) {
                    self.failing.store(false, Ordering::Relaxed);
                }
            } else {
                self.metrics.clicks_dropped.inc();
                if !self.failing.swap(true, Ordering::Relaxed) {
                    tracing::error!("The click log can't be written: clicks are dropped until it can");
                }
            }
            number
        })
    }

    /// Waits until the click of this number, and all before it, are on the disk.
    pub async fn synced(&self, number: u64) {
        self.sync_wanted.notify_one();
        while self.synced.load(Ordering::Acquire) < number {
            let mut changed = std::pin::pin!(self.progress.notified());
            // Listen before looking again: what happens in between is not missed.
            changed.as_mut().enable();
            if self.synced.load(Ordering::Acquire) >= number {
                return;
            }
            changed.await;
        }
    }

    /// The end of what is written.
    pub fn end(&self) -> Position {
        self.state.lock().end
    }

    /// Clicks since the start of the process, dropped ones included.
    pub fn taken(&self) -> u64 {
        self.state.lock().taken
    }

    /// Notes how far the log is ingested now.
    pub(crate) fn note_ingested(&self, position: Position) {
        *self.ingested.lock() = (position, Instant::now());
    }

    /// For how long nothing was ingested though clicks wait.
    pub(crate) fn waiting(&self) -> Duration {
        let (position, at) = *self.ingested.lock();
        if position < self.end() { at.elapsed() } else { Duration::ZERO }
    }

    /// Whether clicks can be written at present.
    pub fn is_healthy(&self) -> bool {
        !self.failing.load(Ordering::Relaxed) && self.state.lock().current.is_some()
    }

    /// Syncs the log and prepares the next segment, at intervals, and syncs once more when stopped.
    pub async fn run(self: Arc<Self>, stop: CancellationToken) {
        loop {
            let stopping = tokio::select! {
                () = stop.cancelled() => true,
                () = self.sync_wanted.notified() => false,
                () = tokio::time::sleep(SYNC_INTERVAL) => false,
            };
            let log = Arc::clone(&self);
            let work = move || {
                if !stopping {
                    log.prepare();
                }
                log.sync_written();
            };
            if let Err(error) = tokio::task::spawn_blocking(work).await {
                tracing::error!(%error, "Syncing the click log failed");
            }
            if stopping {
                return;
            }
        }
    }

    /// Switches to the next segment, or keeps the current one if there is none.
    fn replace(&self, state: &mut State) {
        let next = match state.next.take() {
            Some(next) => next,
            None if state.is_stuck => return,
            // The background task has not prepared one yet.
            None => match Writing::create(&self.folder, state.take_number()) {
                Ok(next) => next,
                Err(error) => {
                    state.is_stuck = true;
                    return stuck(&error);
                }
            },
        };
        self.sync_failed.store(false, Ordering::Relaxed);
        if let Some(full) = state.current.take() {
            if let Err(error) = full.finish() {
                tracing::warn!(%error, "A full segment of the click log keeps its room");
            }
            state.retired.push(full);
        }
        state.begin(next);
    }

    /// Creates the next segment in advance.
    fn prepare(&self) {
        let number = {
            let mut state = self.state.lock();
            if state.next.is_some() {
                return;
            }
            state.take_number()
        };
        let made = Writing::create(&self.folder, number);
        let mut state = self.state.lock();
        match made {
            Ok(next) if next.at() > state.end => {
                state.is_stuck = false;
                state.next = Some(next);
            }
            // Meanwhile, a click began a later segment.
            Ok(late) => {
                if let Err(error) = late.remove(&self.folder) {
                    tracing::warn!(%error, "A segment of the click log that is not needed stays");
                }
            }
            Err(error) => {
                if !std::mem::replace(&mut state.is_stuck, true) {
                    stuck(&error);
                }
            }
        }
    }

    fn sync_written(&self) {
        let (target, retired, current) = {
            let mut state = self.state.lock();
            if state.taken == self.synced.load(Ordering::Relaxed) {
                return;
            }
            let current = state.current.as_ref().map(|current| Arc::clone(current.file()));
            (state.taken, std::mem::take(&mut state.retired), current)
        };
        for file in retired.iter().map(Writing::file).chain(&current) {
            if let Err(error) = file.sync_data() {
                // The kernel may have dropped the pages: a second sync would succeed and prove nothing. The next click
                // begins a new segment.
                self.sync_failed.store(true, Ordering::Relaxed);
                tracing::error!(%error, "The disk did not take the click log: clicks may be lost if the machine stops");
                self.failing.store(true, Ordering::Relaxed);
            }
        }
        self.synced.store(target, Ordering::Release);
        self.progress.notify_waiters();
    }
}

impl State {
    fn take_number(&mut self) -> u64 {
        let number = self.next_number;
        self.next_number += 1;
        number
    }

    fn begin(&mut self, writing: Writing) {
        self.end = writing.at();
        self.current = Some(writing);
    }
}

fn stuck(error: &io::Error) {
    tracing::error!(%error, "The click log can't begin a segment");
}

/// Whether there is no room, as opposed to a folder that can't be used.
fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge)
}

/// The lock on a log's directory: a second process would mix its records with ours.
#[derive(Debug)]
pub struct DirectoryLock {
    folder: PathBuf,
    file: File,
}

impl DirectoryLock {
    /// Creates the directory if it does not exist, and locks it.
    pub fn take(folder: &Path) -> anyhow::Result<Self> {
        let shown = folder.display();
        file::create_folder(folder).with_context(|| format!("LINKGRAPH_DATA_DIR: can't create {shown}"))?;
        let file = file::private().create(true).truncate(true).open(folder.join("lock"));
        let file = file.with_context(|| format!("LINKGRAPH_DATA_DIR: can't write {shown}"))?;
        let mut locked = file.try_lock();
        if locked.is_err() {
            // `linkgraph check` may hold it for a moment.
            std::thread::sleep(CHECKED);
            locked = file.try_lock();
        }
        if locked.is_err() {
            bail!("LINKGRAPH_DATA_DIR: another process uses {shown}");
        }
        Ok(DirectoryLock { folder: folder.to_owned(), file })
    }

    /// Whether a process holds the lock. `None`: no process ever did. Creates nothing.
    pub(crate) fn is_taken(folder: &Path) -> io::Result<Option<bool>> {
        match File::open(folder.join("lock")) {
            Ok(file) => Ok(Some(file.try_lock_shared().is_err())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}
