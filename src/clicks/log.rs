//! The click log: append-only segments. A click is in the file before its redirect is answered, so a killed process
//! loses none; clicks that come at the same time share one `write` (group commit). On the disk it is at most 50 ms later,
//! or before the answer with `LINKGRAPH_CLICK_SYNC=strict`.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use anyhow::{Context, bail};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{click::Click, segment};
use crate::{config::ClickSync, file::write_whole, metrics::Metrics};

/// A new segment begins beyond it.
const SEGMENT_BYTES: u64 = 64 << 20;
/// How long a click may be in the file but not on the disk.
const SYNC_INTERVAL: Duration = Duration::from_millis(50);

/// A place in the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Number of the segment.
    pub segment: u64,
    /// Bytes from its start.
    pub offset: u64,
}

/// The log of one data directory.
pub struct ClickLog {
    folder: PathBuf,
    id: Uuid,
    sync: ClickSync,
    metrics: Arc<Metrics>,
    state: Mutex<State>,
    /// Clicks whose `write` is done, and whose sync is; counted from the start of the process.
    written: AtomicU64,
    synced: AtomicU64,
    progress: Notify,
    sync_wanted: Notify,
    failing: AtomicBool,
    sync_failed: AtomicBool,
    _lock: File,
}

struct State {
    /// Records that wait for the next `write`.
    pending: Vec<u8>,
    /// Clicks taken so far.
    taken: u64,
    /// Taken out while somebody writes.
    writer: Option<Writer>,
    /// Full segments that are not synced yet.
    retired: Vec<Arc<File>>,
}

struct Writer {
    file: Arc<File>,
    at: Position,
    /// What a failed write left behind could not be cut off.
    is_torn: bool,
    /// The buffer of the last write, kept for the next.
    spare: Vec<u8>,
}

impl ClickLog {
    /// Opens the log, cuts off a torn tail, and begins a new segment, numbered from `first` at least.
    pub fn open(
        lock: DirectoryLock,
        id: Uuid,
        first: u64,
        sync: ClickSync,
        metrics: Arc<Metrics>,
    ) -> anyhow::Result<Self> {
        let folder = &*lock.folder;
        let numbers = segment::list(folder).context("the click log can't be listed")?;
        if let Some(last) = numbers.last() {
            segment::recover(&segment::path(folder, *last)).context("the click log can't be recovered")?;
        }
        let number = numbers.last().map_or(1, |last| last + 1).max(first);
        let writer = Writer::create(folder, number).context("the click log can't be written")?;
        Ok(ClickLog {
            folder: folder.to_owned(),
            id,
            sync,
            metrics,
            state: Mutex::new(State { pending: Vec::new(), taken: 0, writer: Some(writer), retired: Vec::new() }),
            written: AtomicU64::new(0),
            synced: AtomicU64::new(0),
            progress: Notify::new(),
            sync_wanted: Notify::new(),
            failing: AtomicBool::new(false),
            sync_failed: AtomicBool::new(false),
            _lock: lock.file,
        })
    }

    /// Identity of a log directory: made once, and kept when the directory moves.
    pub fn identity(folder: &Path) -> anyhow::Result<Uuid> {
        let path = folder.join("log-id");
        match fs::read_to_string(&path) {
            Ok(text) => Uuid::parse_str(text.trim()).with_context(|| format!("{} holds no id", path.display())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let id = Uuid::now_v7();
                write_whole(&path, id.to_string().as_bytes())?;
                Ok(id)
            }
            Err(error) => Err(error).with_context(|| format!("can't read {}", path.display())),
        }
    }

    /// Identity of this log.
    pub fn id(&self) -> Uuid {
        self.id
    }

    /// Where the segments are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Appends a click. When this returns, a killed process does not lose it (or, in strict mode, a power cut). A disk
    /// that is full does not keep visitors from being redirected: the click is dropped and counted.
    pub async fn append(&self, click: &Click) {
        let (mine, writer) = {
            let mut state = self.lock_state();
            segment::append(&mut state.pending, |out| click.encode(out));
            state.taken += 1;
            (state.taken, state.writer.take())
        };
        if let Some(writer) = writer {
            self.write_pending(writer);
        }
        self.reached(&self.written, mine).await;
        if self.sync == ClickSync::Strict {
            self.sync_wanted.notify_one();
            self.reached(&self.synced, mine).await;
        }
    }

    /// The end of what is written.
    pub fn end(&self) -> Position {
        loop {
            if let Some(writer) = &self.lock_state().writer {
                return writer.at;
            }
            // Somebody writes: a matter of microseconds.
            std::thread::yield_now();
        }
    }

    /// Whether clicks can be written at present.
    pub fn is_healthy(&self) -> bool {
        !self.failing.load(Ordering::Relaxed)
    }

    /// Syncs what was written, again and again, and once more when told to stop.
    pub async fn run(self: Arc<Self>, stop: CancellationToken) {
        loop {
            let stopping = tokio::select! {
                () = stop.cancelled() => true,
                () = self.sync_wanted.notified() => false,
                () = tokio::time::sleep(SYNC_INTERVAL) => false,
            };
            let log = Arc::clone(&self);
            if let Err(error) = tokio::task::spawn_blocking(move || log.sync_written()).await {
                tracing::error!(%error, "Syncing the click log failed");
            }
            if stopping {
                return;
            }
        }
    }

    fn lock_state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn reached(&self, progress: &AtomicU64, target: u64) {
        while progress.load(Ordering::Acquire) < target {
            let mut changed = std::pin::pin!(self.progress.notified());
            // Listen before looking again: what happens in between is not missed.
            changed.as_mut().enable();
            if progress.load(Ordering::Acquire) >= target {
                return;
            }
            changed.await;
        }
    }

    /// Writes what is pending, and what others add meanwhile. `write` goes to the page cache and takes microseconds.
    fn write_pending(&self, mut writer: Writer) {
        loop {
            let (buffer, taken) = {
                let mut state = self.lock_state();
                if state.pending.is_empty() {
                    state.writer = Some(writer);
                    return;
                }
                let spare = std::mem::take(&mut writer.spare);
                (std::mem::replace(&mut state.pending, spare), state.taken)
            };
            let clicks = taken - self.written.load(Ordering::Relaxed);
            match writer.write(&buffer) {
                Ok(()) => {
                    self.metrics.clicks_logged.increment(clicks);
                    // A segment that is full because no other can begin is no recovery.
                    if writer.at.offset < SEGMENT_BYTES {
                        self.failing.store(false, Ordering::Relaxed);
                    }
                }
                Err(error) => {
                    self.metrics.clicks_dropped.increment(clicks);
                    if !self.failing.swap(true, Ordering::Relaxed) {
                        tracing::error!(%error, "The click log can't be written: clicks are dropped until it can");
                    }
                    // As long as nothing fits into an empty one, others would be as empty, and without number.
                    if writer.at.offset > 0 || writer.is_torn {
                        self.replace(&mut writer);
                    }
                }
            }
            if writer.at.offset >= SEGMENT_BYTES || self.sync_failed.swap(false, Ordering::Relaxed) {
                self.replace(&mut writer);
            }
            writer.spare = buffer;
            writer.spare.clear();
            self.written.store(taken, Ordering::Release);
            self.progress.notify_waiters();
        }
    }

    /// Begins the next segment; stays with the old one when that fails.
    fn replace(&self, writer: &mut Writer) {
        match Writer::create(&self.folder, writer.at.segment + 1) {
            Ok(next) => {
                let full = std::mem::replace(writer, next);
                self.lock_state().retired.push(full.file);
            }
            Err(error) => {
                if !self.failing.swap(true, Ordering::Relaxed) {
                    tracing::error!(%error, "The click log can't begin a new segment");
                }
            }
        }
    }

    fn sync_written(&self) {
        let target = self.written.load(Ordering::Acquire);
        if target == self.synced.load(Ordering::Relaxed) {
            return;
        }
        let files = loop {
            let mut state = self.lock_state();
            if let Some(current) = state.writer.as_ref().map(|writer| Arc::clone(&writer.file)) {
                let mut files = std::mem::take(&mut state.retired);
                files.push(current);
                break files;
            }
            drop(state);
            std::thread::yield_now();
        };
        for file in files {
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

impl Writer {
    fn create(folder: &Path, number: u64) -> io::Result<Self> {
        let file = File::options().append(true).create_new(true).open(segment::path(folder, number))?;
        // The directory's entry survives a power cut too.
        File::open(folder)?.sync_all()?;
        Ok(Writer {
            file: Arc::new(file),
            at: Position { segment: number, offset: 0 },
            is_torn: false,
            spare: Vec::new(),
        })
    }

    /// All or nothing: what an error left behind is cut off.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match (&*self.file).write_all(bytes) {
            Ok(()) => {
                self.at.offset += bytes.len() as u64;
                Ok(())
            }
            Err(error) => {
                self.is_torn = self.file.set_len(self.at.offset).is_err();
                Err(error)
            }
        }
    }
}

/// The directory of a log, taken for this process: a second one would mix its records with ours.
#[derive(Debug)]
pub struct DirectoryLock {
    folder: PathBuf,
    file: File,
}

impl DirectoryLock {
    /// Makes the directory if need be, and takes it.
    pub fn take(folder: &Path) -> anyhow::Result<Self> {
        let shown = folder.display();
        fs::create_dir_all(folder).with_context(|| format!("LINKGRAPH_DATA_DIR: can't create {shown}"))?;
        let file =
            File::create(folder.join("lock")).with_context(|| format!("LINKGRAPH_DATA_DIR: can't write {shown}"))?;
        if file.try_lock().is_err() {
            bail!("LINKGRAPH_DATA_DIR: another process uses {shown}");
        }
        Ok(DirectoryLock { folder: folder.to_owned(), file })
    }
}
