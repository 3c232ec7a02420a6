//! Rules of idempotency keys.

use std::pin::Pin;

use entity::idempotency_key;
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    app::{
        App,
        change::{Change, Pending},
    },
    base::{
        clock::{HOUR, SECOND, UnixMillis},
        error::ApiError,
    },
    platform::{
        idempotency::{
            once::{LIFETIME, Once, forgotten},
            repo,
        },
        work::audit::Act,
    },
};

/// Bytes of answers that are kept for one account: those to some 70,000 new links, or to ten times as many in bulks of 100.
pub(crate) const MAX_BYTES: i64 = 32 << 20;
/// Bytes of a row without its answer, with its part of the indexes.
const ROW: usize = 150;
/// Keys deleted at once.
const SWEEP_BATCH: u64 = 2_000;

/// A change that is made once.
type Work<'a, T> = Pin<Box<dyn Future<Output = Result<Pending<'a, T>, ApiError>> + Send + 'a>>;

/// Executes `work` of a mutation once for the request's key, and commits its change together with its value as the stored answer. A request that
/// was executed before gets the stored value instead. Fails while the request is executed elsewhere, if another request has the key,
/// or if the account has too many stored answers. Work that fails, or changes nothing, stores no answer. `None`: the request has no
/// key.
pub(crate) fn execute<'a, T: Serialize + DeserializeOwned + Send + 'a>(
    app: &'a App,
    act: &'a Act,
    work: impl Future<Output = Result<Pending<'a, T>, ApiError>> + Send + 'a,
) -> impl Future<Output = Result<T, ApiError>> + Send {
    // Boxed, since the large future would be part of each future that awaits it: in debug builds these overflowed the stack.
    let work: Work<'a, T> = Box::pin(work);
    async move {
        let Some(once) = act.once.as_deref() else { return Ok(work.await?.commit().await?) };
        if let Some(answer) = answer_before(app, once).await? {
            return Ok(answer);
        }
        check_room(app, once).await?;
        match executed(app, once, work).await {
            Ok(value) => Ok(value),
            // The same request may have been executed meanwhile; or this one was committed, and the database's response was lost.
            Err(error) => match answer_before(app, once).await {
                Ok(Some(answer)) => Ok(answer),
                Ok(None) | Err(_) => Err(error),
            },
        }
    }
}

async fn executed<T: Serialize>(app: &App, once: &Once, work: Work<'_, T>) -> Result<T, ApiError> {
    let pending = work.await?;
    if let Some(change) = &pending.change {
        let answer = serde_json::to_vec(&pending.value).map_err(ApiError::internal)?;
        store(app, change, once, &answer).await?;
    }
    Ok(pending.commit().await?)
}

/// The stored answer of the request. `None`: there is none. Fails when another request has the key.
async fn answer_before<T: DeserializeOwned>(app: &App, once: &Once) -> Result<Option<T>, ApiError> {
    let Some(stored) = repo::find(app.db.read(), once, forgotten(app.clock.now())).await? else { return Ok(None) };
    if stored.fingerprint != once.fingerprint {
        return Err(once.reused());
    }
    let answer = app.seals.open(once, &stored.answer);
    let answer = answer.ok_or_else(|| ApiError::internal("the secret that sealed an answer is gone"))?;
    let answer = serde_json::from_slice(&answer).map_err(ApiError::internal)?;
    once.note_replay();
    Ok(Some(answer))
}

/// Fails when the account has as many answers as may be kept for it.
async fn check_room(app: &App, once: &Once) -> Result<(), ApiError> {
    let now = app.clock.now();
    let kept = repo::hours(app.db.read(), once.account, hour(forgotten(now))).await?;
    if kept.iter().map(|(_, bytes)| bytes).sum::<i64>() < MAX_BYTES {
        return Ok(());
    }
    let oldest = kept.first().map_or(0, |(oldest, _)| i64::from(*oldest));
    let wait = (oldest + 1) * HOUR + LIFETIME - now;
    let message = format!(
        "The account has {} MiB of answers to idempotency keys, as many as are kept. Try again later, or without a key.",
        MAX_BYTES >> 20
    );
    let seconds = u64::try_from(wait).unwrap_or_default().div_ceil(SECOND.unsigned_abs());
    Err(ApiError { message: message.into(), ..ApiError::rate_limited(seconds) })
}

async fn store(app: &App, tx: &Change<'_>, once: &Once, answer: &[u8]) -> Result<(), ApiError> {
    let answer = app.seals.seal(once, answer)?;
    let now = app.clock.now();
    let bytes = i64::try_from(answer.len() + ROW).unwrap_or(i64::MAX);
    let key = idempotency_key::Model {
        account_id: once.account.0,
        key: once.hash.to_vec(),
        fingerprint: once.fingerprint.to_vec(),
        answer,
        created_at: now,
    };
    if !repo::insert(tx, key, forgotten(now)).await? {
        return Err(once.in_progress());
    }
    repo::add_bytes(tx, once.account, hour(now), bytes).await?;
    Ok(())
}

/// Deletes expired keys.
pub(crate) async fn sweep(app: &App) -> Result<(), ApiError> {
    let since = forgotten(app.clock.now());
    while repo::delete_keys(app.db.write(), since, SWEEP_BATCH).await? {}
    repo::delete_hours(app.db.write(), hour(since)).await?;
    Ok(())
}

/// The hour of a moment, in hours since 1970.
fn hour(time: UnixMillis) -> i32 {
    i32::try_from(time.div_euclid(HOUR)).unwrap_or(i32::MAX)
}
