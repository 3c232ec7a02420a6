//! Settings of the process: modes of files, memory, signals, threads, and its log.

use std::io::{IsTerminal, Write};

use anyhow::Context;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tracing_subscriber::{EnvFilter, filter::LevelFilter, layer::SubscriberExt, util::SubscriberInitExt};

use crate::base::{
    config::{Config, LogFormat},
    library_logs, priority,
};

/// Sets options of the whole process. Must be called first, while there is only one thread.
pub(super) fn prepare() {
    close_new_files();
    #[cfg(target_env = "gnu")]
    bound_free_memory();
    ignore_file_size_signal();
}

/// Sets the umask, so that files that libraries create are readable by their owner only. Our own files have explicit modes
/// (`file.rs`), also where a folder's default ACL replaces the umask.
#[expect(unsafe_code, reason = "the standard library has no call for it")]
fn close_new_files() {
    // SAFETY: no other thread runs yet, and the call can't fail (`umask(2)`).
    unsafe {
        libc::umask(0o077);
    }
}

/// Bytes from which on an allocation is mapped from the kernel, and unmapped when freed: more than a summary of a year reads at
/// once, whose pages would be mapped and cleared each time.
#[cfg(target_env = "gnu")]
const LARGE: i32 = 4 << 20;
/// Free bytes at the end of a glibc arena above which they are returned to the kernel.
#[cfg(target_env = "gnu")]
const FREE: i32 = 8 << 20;

/// Fixes these limits of glibc, which it otherwise raises when large allocations come and go (`mallopt(3)`), and so keeps more
/// and more memory: a password's hash has 19 MiB, a batch of clicks several.
#[cfg(target_env = "gnu")]
#[expect(unsafe_code, reason = "the only way to tell glibc")]
fn bound_free_memory() {
    // SAFETY: no other thread runs yet, and any value is allowed.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        libc::mallopt(libc::M_TRIM_THRESHOLD, FREE);
    }
}

/// A file that reaches the limit of file sizes (`ulimit -f`) is an error of the write, not the end of the process.
#[expect(unsafe_code, reason = "the only way to tell the kernel")]
fn ignore_file_size_signal() {
    // SAFETY: no other thread runs yet, and ignoring a signal runs no code.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// Raises the limit of open files: the usual 1,024 are fewer than the connections that one node takes.
pub(super) fn raise_open_files() {
    if let Err(error) = rlimit::increase_nofile_limit(u64::MAX) {
        tracing::warn!(%error, "The limit of open files stays as it is");
    }
}

/// SIGTERM and SIGINT, which end the service in order.
pub(super) struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignals {
    /// From now on they no longer end the process.
    pub(super) fn install() -> anyhow::Result<Self> {
        let of = |kind| signal(kind).context("signals can't be received");
        Ok(StopSignals { terminate: of(SignalKind::terminate())?, interrupt: of(SignalKind::interrupt())? })
    }

    /// Waits for one of them.
    pub(super) async fn receive(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// The runtime of redirects and of background work.
pub(super) fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    // The threads that answer redirects; the API has others (`api_threads`).
    let begin = || {
        if let Err(error) = priority::as_soon_as_it_wakes() {
            tracing::debug!(%error, "Redirects wait for their turn as everything else does");
        }
    };
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.enable_all().on_thread_start(begin).build().context("the runtime can't start")
}

/// Prints text on standard output.
pub(super) fn print(text: &str) -> anyhow::Result<()> {
    std::io::stdout().write_all(text.as_bytes()).context("can't print")
}

/// Reports a failure on standard error.
pub(super) fn report(line: &str) {
    let _ = writeln!(std::io::stderr(), "linkgraph: {line}");
}

/// Writes the log as the settings say, on standard error.
pub(super) fn start_log(config: &Config) {
    let mut filter = EnvFilter::new(&config.log);
    // PostgreSQL writes a notice for each table that is made unless it exists, and does. A filter that names sqlx decides
    // itself what is shown of them.
    if filter.max_level_hint().is_none_or(|most| most >= LevelFilter::INFO)
        && !config.log.contains("sqlx")
        && let Ok(directive) = "sqlx::postgres::notice=warn".parse()
    {
        filter = filter.add_directive(directive);
    }
    // Colours are codes that files and collectors of logs would show (<https://no-color.org>).
    let colours = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(colours).with_writer(std::io::stderr);
    match config.log_format {
        LogFormat::Text => builder.finish().with(library_logs::no_details()).init(),
        LogFormat::Json => builder.json().flatten_event(true).finish().with(library_logs::no_details()).init(),
    }
}
