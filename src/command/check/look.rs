//! How thoroughly files are looked through, and how long a check takes.

use std::{pin::pin, time::Duration};

use anyhow::bail;
use tokio::time::timeout;

use crate::command::process::report;

/// How long each of the checks may take, but for what looks through files.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a check that looks through files says that it still does.
const PROGRESS: Duration = Duration::from_secs(5);

/// How thoroughly files are looked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// The pages of SQLite's file, as at each start.
    Quick,
    /// Its indexes too, all blocks of old clicks, and all records of the click log.
    Deep,
}

/// Fails when there is no answer in time.
pub(super) async fn in_time<T>(answer: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    timeout(PATIENCE, answer).await.unwrap_or_else(|_| bail!("no answer in {PATIENCE:?}"))
}

/// Says on standard error from time to time that something is still being looked through.
pub(super) async fn showing_progress<T>(what: &str, look: impl Future<Output = T>) -> T {
    let mut look = pin!(look);
    let mut passed = Duration::ZERO;
    loop {
        match timeout(PROGRESS, look.as_mut()).await {
            Ok(found) => return found,
            Err(_) => {
                passed += PROGRESS;
                report(&format!("looking through {what}, {} s so far", passed.as_secs()));
            }
        }
    }
}
