//! Stores the calls of API keys that were counted in memory.

use std::{sync::Arc, time::Duration};

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::platform::work::audit::By;
use crate::{app::App, base::error::ApiError, records::billing::usage::repo};

/// How long a call waits to be stored: calls share a write, and only these are lost with a killed process.
const STORE_EVERY: Duration = Duration::from_secs(5);
/// Stores the calls counted so far. If that fails, or the request that does it is cancelled, they stay counted.
pub(crate) async fn store(app: &App) -> Result<(), ApiError> {
    let taken = app.api_calls.take();
    if taken.counts().is_empty() {
        return Ok(());
    }
    let tx = app.begin(By::service("store_usage")).await?;
    repo::add(&tx, taken.counts().iter().map(|(key, calls)| (*key, 0, *calls))).await?;
    tx.commit(None).await?;
    taken.stored();
    Ok(())
}

/// Stores the counted calls at intervals until stopped, and once more at the end.
pub(crate) async fn run(app: Arc<App>, stop: CancellationToken) {
    loop {
        stop.run_until_cancelled(sleep(STORE_EVERY)).await;
        if let Err(error) = store(&app).await {
            tracing::warn!(code = error.code.as_str(), "Calls of API keys could not be stored; they are kept");
        }
        if stop.is_cancelled() {
            return;
        }
    }
}
