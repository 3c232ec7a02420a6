//! What accounts use: clicks, counted at ingest, and calls of API keys, counted here. Both by UTC day.

pub mod repo;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio_util::sync::CancellationToken;

use crate::{
    app::App,
    clock::{DAY, Millis},
    error::ApiError,
    ids::AccountId,
};

/// How long a call waits to be stored: calls share a write, and only these are lost with a killed process.
const STORE_EVERY: Duration = Duration::from_secs(5);
/// How long days are kept, in days: a year's period and its neighbours.
pub const KEPT_DAYS: i32 = 400;

/// The UTC day of a moment, in days since 1970.
pub fn day(time: Millis) -> i32 {
    i32::try_from(time.div_euclid(DAY)).unwrap_or(i32::MAX)
}

/// An account's day.
pub type AccountDay = (AccountId, i32);

/// Calls of API keys that are not stored yet.
#[derive(Debug, Default)]
pub struct ApiCalls(Mutex<BTreeMap<AccountDay, i64>>);

impl ApiCalls {
    /// Counts one call.
    pub fn count(&self, account: AccountId, now: Millis) {
        self.add([((account, day(now)), 1)]);
    }

    fn add(&self, counts: impl IntoIterator<Item = (AccountDay, i64)>) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, calls) in counts {
            *waiting.entry(key).or_default() += calls;
        }
    }

    fn take(&self) -> BTreeMap<AccountDay, i64> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Stores the calls counted so far.
pub async fn store(app: &App) -> Result<(), ApiError> {
    let counts = app.api_calls.take();
    if counts.is_empty() {
        return Ok(());
    }
    let stored = async {
        let tx = app.db.begin().await?;
        repo::add(&tx, counts.iter().map(|(key, calls)| (*key, 0, *calls))).await?;
        tx.commit().await
    };
    if let Err(error) = stored.await {
        app.api_calls.add(counts);
        return Err(error.into());
    }
    Ok(())
}

/// Stores calls until told to stop; then what is left.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    loop {
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(STORE_EVERY) => {}
        }
        if let Err(error) = store(&app).await {
            tracing::warn!(code = error.code.as_str(), "Calls of API keys could not be stored; they are kept");
        }
        if stop.is_cancelled() {
            return;
        }
    }
}
