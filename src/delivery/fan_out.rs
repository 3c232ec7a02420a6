//! Creates the deliveries of outbox events: one for each active webhook of the account that asks for the event, or an entry in the
//! webhook's batch.

use std::{
    cell::LazyCell,
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use entity::{outbox_event, webhook};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    app::App,
    base::{clock::UnixMillis, error::ApiError},
    features::analytics::types::LinkClickPayload,
    platform::{
        db::Polling,
        work::{audit::By, event_kind::EventKind, outbox},
    },
    records::webhooks::{
        delivery::{batch::Batches, batch_repo, new_delivery, repo},
        interest::Interest,
    },
};

/// Events of one transaction.
const BATCH: u64 = 200;
/// How often to look for new events.
const POLL: Duration = Duration::from_millis(100);
/// How long to wait after a failure.
const RETRY: Duration = Duration::from_secs(1);

/// The outcome of a step.
enum Step {
    /// There may be more to do.
    Done,
    /// There was nothing to do. The next batch is to be closed at this time. `None`: no batch is open.
    Idle(Option<UnixMillis>),
}

/// Makes deliveries until told to stop.
pub(crate) async fn run(app: Arc<App>, stop: CancellationToken) {
    let mut polling = Polling::new(&app.db, &app.clock, POLL);
    while !stop.is_cancelled() {
        polling.begin();
        match step(&app).await {
            Ok(Step::Done) => app.deliveries_due.notify_one(),
            Ok(Step::Idle(closes_at)) => _ = stop.run_until_cancelled(polling.wait(closes_at)).await,
            // An outage is logged where the error is made, and the events wait.
            Err(_) => _ = stop.run_until_cancelled(sleep(RETRY)).await,
        }
    }
}

/// Finds the webhooks of some events, and closes batches whose time is over.
async fn step(app: &App) -> Result<Step, ApiError> {
    let closes_at = batch_repo::next_closing(app.db.read()).await?;
    let is_closing = closes_at.is_some_and(|closes_at| closes_at <= app.clock.now());
    if !is_closing && !outbox::is_waiting(app.db.read()).await? {
        return Ok(Step::Idle(closes_at));
    }
    let tx = app.begin(By::service("fan_out")).await?;
    let now = app.clock.now();
    let events = outbox::take_waiting(&tx, BATCH).await?;
    let closing = batch_repo::webhooks_to_close(&tx, now, BATCH).await?;
    if events.is_empty() && closing.is_empty() {
        // Another node has taken them.
        return Ok(Step::Idle(Some(now)));
    }
    let accounts: HashSet<Uuid> = events.iter().map(|event| event.account_id).collect();
    let locked = repo::lock_webhooks(&tx, accounts, closing.iter().copied()).await?;
    // The batch of a deleted webhook is closed, too.
    let batching = locked.iter().filter(|webhook| webhook.batch).map(|webhook| webhook.id).chain(closing);
    let mut batches = Batches::read(&tx, batching.collect(), now).await?;
    let mut webhooks: HashMap<Uuid, Vec<(webhook::Model, Interest)>> = HashMap::new();
    for webhook in locked.into_iter().filter(|webhook| webhook.is_active) {
        let interest = Interest::of(&webhook);
        webhooks.entry(webhook.account_id).or_default().push((webhook, interest));
    }
    let mut deliveries = Vec::new();
    for event in &events {
        for webhook in listening(webhooks.get(&event.account_id).map_or(&[], Vec::as_slice), event) {
            match webhook.batch {
                true => batches.add(webhook.id, event),
                false => deliveries.push(new_delivery(webhook.id, event.id, &event.kind, event.recorded_at, now)),
            }
        }
    }
    repo::insert(&tx, &deliveries).await?;
    let mut woken = batches.store(&tx).await?;
    woken.extend(deliveries.iter().map(|delivery| delivery.webhook_id));
    if !woken.is_empty() {
        repo::wake(&tx, woken, now).await?;
    }
    outbox::mark_fanned_out(&tx, events.iter().map(|event| event.id).collect()).await?;
    tx.commit(None).await?;
    Ok(Step::Done)
}

/// The webhooks that ask for the event and were created before it.
fn listening<'a>(webhooks: &'a [(webhook::Model, Interest)], event: &outbox_event::Model) -> Vec<&'a webhook::Model> {
    let Some(kind) = EventKind::parse(&event.kind) else { return Vec::new() };
    let is_of_bot =
        LazyCell::new(|| serde_json::from_str::<LinkClickPayload>(&event.payload).is_ok_and(|it| it.click.is_bot));
    let asked = webhooks.iter().filter(|(webhook, interest)| {
        webhook.created_at <= event.recorded_at && interest.includes(kind, event.subject_id, || *is_of_bot)
    });
    asked.map(|(webhook, _)| webhook).collect()
}
