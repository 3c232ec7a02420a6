//! Stores the results of attempts. Those that end at the same time share a transaction.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use entity::{delivery, delivery_attempt};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::outcome::{Outcome, is_hopeless};
use crate::{
    app::App,
    base::{
        clock::{Millis, UnixMillis},
        error::ApiError,
    },
    features::webhooks,
    platform::net::guarded_client::Exchange,
    platform::work::audit::By,
    records::webhooks::{
        delivery::{
            Status,
            repo::{self, Advance},
        },
        disabled::DisabledReason,
    },
};

/// Results of one transaction.
const BATCH: usize = 256;
/// How long to wait when the database does not take them.
const RETRY: Duration = Duration::from_millis(500);

/// One attempt that was made.
pub(crate) struct Attempted {
    /// The delivery before it.
    pub(crate) delivery: delivery::Model,
    pub(crate) at: UnixMillis,
    /// The response of the receiver, or the error.
    pub(crate) exchange: Exchange,
    /// The outcome of the attempt for the delivery and its webhook.
    pub(crate) outcome: Outcome,
}

/// A result, and the channel that is notified when it is stored.
pub(crate) type Report = (Attempted, oneshot::Sender<()>);

/// Stores results until all senders are dropped, or `stop` is cancelled while the database fails: then the attempts are made again later.
pub(crate) async fn run(app: Arc<App>, mut reports: mpsc::Receiver<Report>, stop: CancellationToken) {
    let mut batch = Vec::with_capacity(BATCH);
    while reports.recv_many(&mut batch, BATCH).await > 0 {
        let (results, waiting): (Vec<_>, Vec<_>) = batch.drain(..).unzip();
        while store(&app, &results).await.is_err() {
            if stop.is_cancelled() {
                return;
            }
            tokio::time::sleep(RETRY).await;
        }
        for told in waiting {
            // Fails if the lane was interrupted.
            let _ = told.send(());
        }
    }
}

async fn store(app: &App, results: &[Attempted]) -> Result<(), ApiError> {
    let now = app.clock.now();
    let (succeeded, failed) = tally(results.iter().map(|it| (it.delivery.webhook_id, it.at, it.outcome)));
    let tx = app.begin(By::service("store_results")).await?;
    // All locks before any update, and in the order of fan-out: otherwise the two could deadlock.
    let locked = repo::lock_counted(&tx, succeeded.iter().copied(), failed.keys().copied()).await?;
    let recovered: Vec<Uuid> = locked.into_iter().filter(|webhook| succeeded.contains(webhook)).collect();
    if !recovered.is_empty() {
        repo::note_success(&tx, recovered).await?;
    }
    for (webhook, Failures { number, since, gone }) in failed {
        let Some(webhook) = repo::note_failures(&tx, webhook, number, since).await? else { continue };
        let reason = match gone {
            true => Some(DisabledReason::Gone),
            false if is_hopeless(webhook.failing_since, webhook.failures, now) => Some(DisabledReason::Failing),
            false => None,
        };
        if let Some(reason) = reason.filter(|_| webhook.is_active) {
            webhooks::ops::disable(&tx, webhook, reason, now).await?;
        }
    }
    let existing = repo::advance(&tx, &results.iter().map(advanced).collect::<Vec<_>>()).await?;
    // A webhook that was deleted meanwhile has taken its deliveries with it.
    let attempts = results.iter().filter(|result| existing.contains(&result.delivery.id)).map(attempt).collect();
    repo::insert_attempts(&tx, attempts).await?;
    tx.commit(None).await?;
    for result in results {
        app.metrics.count_delivery_attempt(result.outcome == Outcome::Succeeded);
    }
    Ok(())
}

/// Failures of a webhook since its last success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Failures {
    number: i32,
    since: UnixMillis,
    gone: bool,
}

/// The webhooks with a success, and the webhooks with failures after their last success. A webhook that answered 410 is among the latter
/// even if it had a success in the same batch.
fn tally(results: impl Iterator<Item = (Uuid, UnixMillis, Outcome)>) -> (BTreeSet<Uuid>, BTreeMap<Uuid, Failures>) {
    let mut succeeded = BTreeSet::new();
    let mut failed: BTreeMap<Uuid, Failures> = BTreeMap::new();
    for (webhook, at, outcome) in results {
        if outcome == Outcome::Succeeded {
            succeeded.insert(webhook);
            failed.retain(|id, failures| *id != webhook || failures.gone);
        } else {
            let failures = failed.entry(webhook).or_insert(Failures { number: 0, since: at, gone: false });
            failures.number += 1;
            failures.gone |= outcome == Outcome::Gone;
        }
    }
    (succeeded, failed)
}

fn advanced(Attempted { delivery, at, exchange, outcome }: &Attempted) -> Advance {
    let ended_at = at + took(exchange);
    let (status, due_at, completed_at) = match outcome {
        Outcome::Succeeded => (Status::Succeeded, None, Some(ended_at)),
        Outcome::Retry(wait) => (Status::Retrying, Some(ended_at + wait), None),
        Outcome::Failed | Outcome::Gone => (Status::Failed, None, Some(ended_at)),
    };
    Advance {
        id: delivery.id,
        attempts: delivery.attempts.saturating_add(1),
        tries_before: delivery.tries,
        status,
        due_at,
        completed_at,
    }
}

fn attempt(Attempted { delivery, at, exchange, .. }: &Attempted) -> delivery_attempt::Model {
    delivery_attempt::Model {
        delivery_id: delivery.id,
        number: delivery.attempts.saturating_add(1),
        attempted_at: *at,
        duration_ms: i32::try_from(took(exchange)).unwrap_or(i32::MAX),
        status_code: exchange.status.map(i32::from),
        response_start: exchange.response_start.clone(),
        error: exchange.error.map(str::to_owned),
    }
}

fn took(exchange: &Exchange) -> Millis {
    i64::try_from(exchange.took.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_count_since_the_last_success_and_gone_is_gone() {
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let (retry, failed, gone, good) = (Outcome::Retry(1), Outcome::Failed, Outcome::Gone, Outcome::Succeeded);
        let tallied = |results: &[(Uuid, UnixMillis, Outcome)]| tally(results.iter().copied());
        let failures = |number, since, gone| Failures { number, since, gone };
        assert_eq!(tallied(&[]), Default::default());
        assert_eq!(tallied(&[(one, 1, retry), (one, 2, good)]), ([one].into(), BTreeMap::new()));
        assert_eq!(
            tallied(&[(one, 1, retry), (one, 2, good), (one, 3, failed), (other, 4, retry), (one, 5, retry)]),
            ([one].into(), [(one, failures(2, 3, false)), (other, failures(1, 4, false))].into())
        );
        let (succeeded, failed) = tallied(&[(one, 1, gone), (one, 2, good)]);
        assert_eq!((succeeded.contains(&one), failed[&one].gone), (true, true));
    }
}
