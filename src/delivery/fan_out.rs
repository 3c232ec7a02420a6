//! Outbox → deliveries: one for each active webhook of the account that asks for the event.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use entity::{delivery, outbox_event, webhook};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{Status, repo};
use crate::{app::App, clock::Millis, db::Polling, error::ApiError, ids::DeliveryId, outbox};

/// Events of one transaction.
const BATCH: u64 = 200;
/// How often to look for new events.
const POLL: Duration = Duration::from_millis(100);
/// How long to wait after a failure.
const RETRY: Duration = Duration::from_secs(1);

/// Makes deliveries until told to stop.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    let mut polling = Polling::new(&app.db, &app.clock, POLL);
    while !stop.is_cancelled() {
        polling.begin();
        match step(&app).await {
            Ok(true) => app.deliveries_due.notify_one(),
            Ok(false) => _ = stop.run_until_cancelled(polling.wait(None)).await,
            // An outage is logged where the error is made, and the events wait.
            Err(_) => _ = stop.run_until_cancelled(tokio::time::sleep(RETRY)).await,
        }
    }
}

/// One batch; answers whether there was anything to do.
async fn step(app: &App) -> Result<bool, ApiError> {
    if !outbox::is_waiting(app.db.read()).await? {
        return Ok(false);
    }
    let tx = app.db.begin().await?;
    let events = outbox::take_waiting(&tx, BATCH).await?;
    if events.is_empty() {
        return Ok(false);
    }
    let accounts: HashSet<Uuid> = events.iter().map(|event| event.account_id).collect();
    let mut webhooks: HashMap<Uuid, Vec<webhook::Model>> = HashMap::new();
    for webhook in repo::lock_active_webhooks(&tx, accounts).await? {
        webhooks.entry(webhook.account_id).or_default().push(webhook);
    }
    let now = app.clock.now();
    let listening = |event: &outbox_event::Model| {
        let webhooks = webhooks.get(&event.account_id).map(Vec::as_slice).unwrap_or_default();
        webhooks.iter().filter(|webhook| listens(webhook, event)).map(|webhook| webhook.id).collect::<Vec<_>>()
    };
    let deliveries: Vec<delivery::Model> = events
        .iter()
        .flat_map(|event| {
            listening(event)
                .into_iter()
                .map(|webhook| new_delivery(webhook, event.id, &event.kind, event.recorded_at, now))
        })
        .collect();
    let woken: HashSet<Uuid> = deliveries.iter().map(|delivery| delivery.webhook_id).collect();
    repo::insert(&tx, &deliveries).await?;
    if !woken.is_empty() {
        repo::wake(&tx, woken, now).await?;
    }
    outbox::mark_fanned_out(&tx, events.iter().map(|event| event.id).collect()).await?;
    tx.commit().await?;
    Ok(true)
}

/// Whether the webhook asked for the event, and before it happened.
fn listens(webhook: &webhook::Model, event: &outbox_event::Model) -> bool {
    webhook.created_at <= event.recorded_at && webhook.events.split(' ').any(|name| name == event.kind)
}

/// A delivery of the event to the webhook, due at once.
pub fn new_delivery(webhook: Uuid, event: Uuid, kind: &str, recorded_at: Millis, now: Millis) -> delivery::Model {
    delivery::Model {
        id: DeliveryId::new().0,
        webhook_id: webhook,
        event_id: event,
        event: kind.to_owned(),
        status: Status::Pending.as_str().to_owned(),
        attempts: 0,
        tries: 0,
        due_at: Some(now),
        created_at: recorded_at,
        completed_at: None,
    }
}
