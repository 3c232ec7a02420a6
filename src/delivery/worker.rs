//! Leases webhooks that have something to deliver, and makes their deliveries: several of a webhook at once while it responds well,
//! one at a time if it fails or hangs.

use std::{
    collections::{HashSet, VecDeque},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use entity::{delivery, outbox_event, webhook};
use futures_util::stream::{FuturesUnordered, StreamExt};
use parking_lot::Mutex;
use sea_orm::DbErr;
use tokio::{
    sync::{Semaphore, SemaphorePermit, mpsc, oneshot},
    time::{Instant, sleep},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

use super::{
    exchanges::Exchanges,
    outcome::{self, Outcome},
    results::{self, Attempted, Report},
};
use crate::{
    app::App,
    base::{
        clock::{Millis, SECOND, UnixMillis},
        error::ApiError,
    },
    platform::{
        db::Polling,
        net::guarded_client::{EXCHANGE_TIMEOUT, Exchange, Message},
        work::outbox,
    },
    records::webhooks::delivery::{batch, message::message_id, repo, signature},
};

/// Webhooks served at once by a node.
const MAX_LANES: usize = 512;
/// Exchanges at once with one webhook that answers.
const MAX_WIDTH: usize = 8;
/// Deliveries read at once for a webhook.
const BATCH: u64 = 64;
/// How long a lane serves a webhook, including waits for a permit, before the next webhook has its turn.
const SLICE: Duration = Duration::from_secs(10);
/// The webhook's row is read again before an attempt if it is older than this, so that a new URL or `isActive: false` takes effect.
const REFRESH: Duration = Duration::from_millis(200);
/// How long a node may deliver for a webhook, in milliseconds. The slice, the last exchange and storing its result fit in, and no exchange
/// begins after the slice. After a crash of the node, another one continues within a minute.
const LEASE: Millis = 50 * SECOND;
/// How often to look for what has become due.
const POLL: Duration = Duration::from_millis(200);
/// How long lanes may take to end when the service stops.
const WIND_UP: Duration = Duration::from_millis(600);

const _: () =
    assert!(SLICE.as_secs() + EXCHANGE_TIMEOUT.as_secs() + 20 < (LEASE / SECOND) as u64, "a lease is too short");

/// State that the lanes of this node share; a lane delivers to one webhook.
struct Node {
    app: Arc<App>,
    id: Uuid,
    exchanges: Exchanges,
    results: mpsc::Sender<Report>,
    /// Webhooks that have a lane. A webhook whose lease ended meanwhile, as when the machine was suspended, gets no second lane.
    served: Mutex<HashSet<Uuid>>,
    /// Whether this node may have leases without a lane, since the database did not confirm a claim or a release.
    has_strays: AtomicBool,
}

/// The entry of a webhook in [`Node::served`], removed when dropped.
struct Served<'a>(&'a Node, Uuid);

impl Drop for Served<'_> {
    fn drop(&mut self) {
        self.0.served.lock().remove(&self.1);
    }
}

/// Delivers until told to stop.
pub(crate) async fn run(app: Arc<App>, stop: CancellationToken) {
    // The id of the data directory, which one process at a time uses: leases under this id are of a process that has ended.
    let id = app.clicks.log.id();
    while let Err(error) = repo::release_all_but(app.db.write(), id, Vec::new()).await {
        tracing::warn!(%error, "Leases of webhooks could not be taken back yet");
        if stop.run_until_cancelled(sleep(Duration::from_secs(1))).await.is_none() {
            return;
        }
    }
    let (results, reports) = mpsc::channel(app.config.delivery_exchanges);
    let storing = tokio::spawn(results::run(Arc::clone(&app), reports, stop.clone()));
    let node = Arc::new(Node {
        app: Arc::clone(&app),
        id,
        exchanges: Exchanges::new(app.config.delivery_exchanges),
        results,
        served: Mutex::default(),
        has_strays: AtomicBool::new(false),
    });
    let places = Arc::new(Semaphore::new(MAX_LANES));
    let lanes = TaskTracker::new();
    let mut polling = Polling::new(&app.db, &app.clock, POLL);
    // Delivering ends when results are no longer stored: unrecorded deliveries would be sent again and again.
    while !stop.is_cancelled() && !node.results.is_closed() {
        polling.begin();
        node.release_strays().await;
        let now = app.clock.now();
        let Looked { claimed, due } = node.look(now, places.available_permits()).await;
        let found = !claimed.is_empty();
        for webhook in claimed {
            let (node, stop, place) = (Arc::clone(&node), stop.clone(), Arc::clone(&places).try_acquire_owned());
            lanes.spawn(async move {
                node.serve(webhook, &stop).await;
                drop(place);
                node.app.deliveries_due.notify_one();
            });
        }
        if !found {
            tokio::select! {
                () = stop.cancelled() => {}
                () = app.deliveries_due.notified() => {}
                () = polling.wait(due) => {}
            }
        }
    }
    if !stop.is_cancelled() {
        tracing::error!(
            "Results of deliveries are no longer stored: this node delivers no more until it is started again"
        );
    }
    lanes.close();
    let _ = tokio::time::timeout(WIND_UP, lanes.wait()).await;
    if repo::release_all_but(app.db.write(), id, Vec::new()).await.is_err() {
        tracing::info!("Leases of webhooks are given back at the next start");
    }
    storing.abort();
    // Until the task has ended, it holds resources that the next start needs.
    let _ = storing.await;
}

/// The outcome of a look for webhooks.
#[derive(Default)]
struct Looked {
    /// Webhooks whose lease this node has now.
    claimed: Vec<Uuid>,
    /// If there are none: when the next delivery is due, or a retry. `None`: not before another commit.
    due: Option<UnixMillis>,
}

impl Node {
    /// Leases webhooks that have something to deliver, at most `free`.
    async fn look(&self, now: UnixMillis, free: usize) -> Looked {
        if free == 0 {
            // A lane that ends notifies the loop.
            return Looked::default();
        }
        let looked = async {
            let due = repo::next_due(self.app.db.read(), now).await?;
            let claimed = match due {
                Some(due) if due <= now => repo::claim(&self.app.db, self.id, now, now + LEASE, free as u64).await?,
                _ => Vec::new(),
            };
            Ok::<_, DbErr>(Looked { claimed, due })
        };
        let mut looked = looked.await.unwrap_or_else(|_| {
            // The claim may have been committed.
            self.has_strays.store(true, Ordering::Relaxed);
            Looked::default()
        });
        if self.has_strays.load(Ordering::Relaxed) {
            looked.due = Some(now);
        }
        looked
    }

    /// Makes the due deliveries of one webhook, and begins none after a [`SLICE`].
    async fn serve(&self, webhook: Uuid, stop: &CancellationToken) {
        if !self.served.lock().insert(webhook) {
            // Another lane of this node serves the webhook: the new lease extends its own.
            return;
        }
        let served = Served(self, webhook);
        if let Err(error) = self.deliver_due(webhook, stop).await {
            tracing::warn!(webhook.id = %webhook, code = error.code.as_str(), "Deliveries wait: they could not be read");
        }
        // Before the lease is released, so that the next lane can add its entry.
        drop(served);
        if repo::release(&self.app.db, webhook, self.id, self.app.clock.now()).await.is_err() {
            self.has_strays.store(true, Ordering::Relaxed);
        }
    }

    /// Releases the leases without a lane, so that their deliveries continue once the database is available, not when the leases end.
    async fn release_strays(&self) {
        if self.has_strays.swap(false, Ordering::Relaxed) {
            let served = self.served.lock().iter().copied().collect();
            if repo::release_all_but(self.app.db.write(), self.id, served).await.is_err() {
                self.has_strays.store(true, Ordering::Relaxed);
            }
        }
    }

    async fn deliver_due(&self, webhook: Uuid, stop: &CancellationToken) -> Result<(), ApiError> {
        let (db, started) = (self.app.db.read(), Instant::now());
        let Some(found) = repo::leased(db, webhook, self.id).await? else { return Ok(()) };
        let (mut webhook, mut read_at) = (Arc::new(found), started);
        let mut queue = VecDeque::from(repo::due(db, webhook.id, self.app.clock.now(), BATCH).await?);
        // The events of a batch are read when it is sent: so many at once are large.
        let single = queue.iter().filter(|delivery| delivery.batch_size.is_none());
        let events = outbox::events(db, single.map(|delivery| delivery.event_id)).await?;
        let mut in_flight = FuturesUnordered::new();
        let mut width = 1;
        let may_begin = || started.elapsed() < SLICE && !stop.is_cancelled();
        loop {
            let mut first = match in_flight.is_empty() && !queue.is_empty() && may_begin() {
                true => stop.run_until_cancelled(self.exchanges.first(started + SLICE)).await.flatten(),
                false => None,
            };
            // After the wait for a permit: the attempts below are sent at once.
            let now = Instant::now();
            if !queue.is_empty() && now - read_at >= REFRESH {
                match repo::leased(db, webhook.id, self.id).await {
                    Ok(Some(found)) => (webhook, read_at) = (Arc::new(found), now),
                    // Switched off, deleted, another node's, or not to be read: what is under way ends.
                    Ok(None) | Err(_) => queue.clear(),
                }
            }
            while in_flight.len() < width && !queue.is_empty() && may_begin() {
                let Some(permit) = first.take().or_else(|| self.exchanges.another()) else { break };
                let Some(delivery) = queue.pop_front() else { break };
                let event = events.get(&delivery.event_id);
                in_flight.push(self.attempt(Arc::clone(&webhook), delivery, event, permit));
            }
            match in_flight.next().await {
                Some(Some(Outcome::Succeeded)) => width = (width + 1).min(MAX_WIDTH),
                Some(Some(Outcome::Retry(_) | Outcome::Failed)) => width = 1,
                // The receiver answered 410, or the result could not be stored.
                Some(Some(Outcome::Gone) | None) => queue.clear(),
                None => return Ok(()),
            }
        }
    }

    /// Makes one attempt; the permit is released after the exchange. Returns the outcome once it is stored. `None`: it could not be stored.
    async fn attempt(
        &self,
        webhook: Arc<webhook::Model>,
        delivery: delivery::Model,
        event: Option<&outbox_event::Model>,
        permit: SemaphorePermit<'_>,
    ) -> Option<Outcome> {
        if self.results.is_closed() {
            return None;
        }
        let body = match delivery.batch_size {
            None => event.map(outbox::body),
            Some(_) => batch::body(self.app.db.read(), &delivery).await.ok()?,
        };
        let at = self.app.clock.now();
        let late = delivery.due_at.map_or(0, |due| at - due);
        self.app.metrics.observe_delivery_delay(Duration::from_millis(u64::try_from(late).unwrap_or_default()));
        let (exchange, outcome) = match body {
            Some(body) => {
                let exchange = self.send(&webhook, &delivery, body, at).await.ok()?;
                let attempts = usize::try_from(delivery.tries).unwrap_or_default() + 1;
                let outcome = outcome::decide(exchange.status, attempts, rand::random(), exchange.retry_after);
                (exchange, outcome)
            }
            None => {
                let error = Some("What is to be sent is no longer kept.");
                (Exchange { error, ..Exchange::default() }, Outcome::Failed)
            }
        };
        drop(permit);
        if outcome != Outcome::Succeeded {
            tracing::debug!(
                webhook.id = %webhook.id, delivery.id = %delivery.id, status = exchange.status, error = exchange.error,
                "An attempt of a delivery failed"
            );
        }
        let (told, stored) = oneshot::channel();
        self.results.send((Attempted { delivery, at, exchange, outcome }, told)).await.ok()?;
        stored.await.ok()?;
        Some(outcome)
    }

    async fn send(
        &self,
        webhook: &webhook::Model,
        delivery: &delivery::Model,
        body: String,
        at: UnixMillis,
    ) -> Result<Exchange, ApiError> {
        let old = webhook.old_secret.as_deref().filter(|_| webhook.old_secret_until.is_some_and(|until| at < until));
        let (id, timestamp) = (message_id(delivery.event_id), at / SECOND);
        let secrets = std::iter::once(webhook.secret.as_str()).chain(old);
        let signature = signature::sign(secrets, &id, timestamp, &body)?;
        let message = Message { url: &webhook.url, id: &id, timestamp, signature: &signature, body };
        Ok(self.app.guarded_client.send(message, at).await)
    }
}
