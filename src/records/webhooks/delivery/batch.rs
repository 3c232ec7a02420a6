//! Batches: events of one kind that a webhook gets together, in one signed body. Fan-out opens a batch with its first event, and
//! closes it with its hundredth, before its body would be too long, or a second later. Nothing of a batch is sent before it is
//! closed, and from then on it stays as it is: each attempt sends the same body.

use std::collections::{HashMap, HashSet};

use entity::{batch_event, delivery, open_batch, outbox_event};
use sea_orm::{ConnectionTrait, DbErr};
use uuid::Uuid;

use super::{batch_repo as batches, new_delivery, repo};
use crate::{
    base::clock::{Millis, SECOND, UnixMillis, rfc3339},
    platform::work::{event_kind::MAX_DATA, outbox},
};

/// Events of a batch at most.
pub const MAX_EVENTS: i32 = 100;
/// Length of a batch's body at most, in bytes.
pub const MAX_BYTES: usize = 256 * 1024;
/// Bytes of a body without its events, or of an event without its data, at most.
const ENVELOPE: usize = 200;
/// How long a batch takes events.
const OPEN: Millis = SECOND;

const _: () = assert!(MAX_DATA + 2 * ENVELOPE < MAX_BYTES, "an event does not fit into a batch");

/// The open batches of some webhooks, whose rows are locked until all this is stored.
pub(crate) struct Batches {
    now: UnixMillis,
    /// By webhook and name of the events.
    open: HashMap<(Uuid, String), Batch>,
    closed: Vec<Batch>,
    events: Vec<batch_event::Model>,
}

struct Batch {
    delivery: delivery::Model,
    bytes: usize,
    closes_at: UnixMillis,
    is_stored: bool,
    is_changed: bool,
}

impl Batch {
    fn has_room(&self, bytes: usize) -> bool {
        ENVELOPE + self.bytes + bytes <= MAX_BYTES
    }

    fn as_open(&self) -> open_batch::Model {
        open_batch::Model {
            delivery_id: self.delivery.id,
            webhook_id: self.delivery.webhook_id,
            event: self.delivery.event.clone(),
            bytes: i32::try_from(self.bytes).unwrap_or(i32::MAX),
            closes_at: self.closes_at,
        }
    }
}

impl Batches {
    /// The batches of these webhooks that take events.
    pub(crate) async fn read(tx: &impl ConnectionTrait, webhooks: Vec<Uuid>, now: UnixMillis) -> Result<Self, DbErr> {
        let stored = batches::open(tx, webhooks).await?.into_iter().map(|(open, delivery)| {
            let bytes = usize::try_from(open.bytes).unwrap_or_default();
            let batch = Batch { delivery, bytes, closes_at: open.closes_at, is_stored: true, is_changed: false };
            ((open.webhook_id, open.event), batch)
        });
        Ok(Batches { now, open: stored.collect(), closed: Vec::new(), events: Vec::new() })
    }

    /// Adds the event to the batch of its kind for the webhook.
    pub(crate) fn add(&mut self, webhook: Uuid, event: &outbox_event::Model) {
        let bytes = outbox::body(event).len() + 1;
        let key = (webhook, event.kind.clone());
        let mut batch = match self.open.remove(&key) {
            Some(batch) if batch.has_room(bytes) => batch,
            full => {
                self.closed.extend(full);
                let delivery = new_batch(webhook, &event.kind, event.recorded_at);
                Batch { delivery, bytes: 0, closes_at: self.now + OPEN, is_stored: false, is_changed: false }
            }
        };
        let size = batch.delivery.batch_size.unwrap_or_default() + 1;
        batch.delivery.batch_size = Some(size);
        batch.bytes += bytes;
        batch.is_changed = true;
        self.events.push(batch_event::Model { delivery_id: batch.delivery.id, event_id: event.id });
        if size < MAX_EVENTS {
            self.open.insert(key, batch);
        } else {
            self.closed.push(batch);
        }
    }

    /// Stores what was added, and closes the batches whose time is over. Answers the webhooks that have something to deliver now.
    pub(crate) async fn store(self, tx: &impl ConnectionTrait) -> Result<HashSet<Uuid>, DbErr> {
        let Batches { now, open, mut closed, events } = self;
        let (overdue, open): (Vec<_>, Vec<_>) = open.into_values().partition(|batch| batch.closes_at <= now);
        closed.extend(overdue);
        for batch in &mut closed {
            batch.delivery.due_at = Some(now);
        }
        let changed = || closed.iter().chain(open.iter().filter(|batch| batch.is_changed));
        let deliveries = |is_stored: bool| -> Vec<delivery::Model> {
            changed().filter(|batch| batch.is_stored == is_stored).map(|batch| batch.delivery.clone()).collect()
        };
        repo::insert(tx, &deliveries(false)).await?;
        batches::update(tx, &deliveries(true)).await?;
        batches::insert_events(tx, events).await?;
        batches::close(tx, closed.iter().filter(|batch| batch.is_stored).map(|batch| batch.delivery.id)).await?;
        batches::keep_open(tx, open.iter().filter(|batch| batch.is_changed).map(Batch::as_open).collect()).await?;
        Ok(closed.into_iter().map(|batch| batch.delivery.webhook_id).collect())
    }
}

/// A batch without events, which is not due yet.
fn new_batch(webhook: Uuid, kind: &str, recorded_at: UnixMillis) -> delivery::Model {
    // An id of its own: webhooks without batches get the event under the event's id.
    let delivery = new_delivery(webhook, Uuid::now_v7(), kind, recorded_at, recorded_at);
    delivery::Model { batch_size: Some(0), due_at: None, ..delivery }
}

/// A batch of one event, due at once.
pub(crate) fn batch_of_one(
    webhook: Uuid,
    event: Uuid,
    kind: &str,
    recorded_at: UnixMillis,
) -> (delivery::Model, batch_event::Model) {
    let delivery =
        delivery::Model { batch_size: Some(1), due_at: Some(recorded_at), ..new_batch(webhook, kind, recorded_at) };
    let event = batch_event::Model { delivery_id: delivery.id, event_id: event };
    (delivery, event)
}

/// The body of a batch: `{type, timestamp, data}` with the events as data. `None`: not all of them are kept any more.
pub(crate) async fn body(db: &impl ConnectionTrait, delivery: &delivery::Model) -> Result<Option<String>, DbErr> {
    let events = batches::events(db, &[delivery.id], 0, u64::from(MAX_EVENTS.unsigned_abs())).await?;
    let events = events.into_values().next().unwrap_or_default();
    if i32::try_from(events.len()).ok() != delivery.batch_size {
        return Ok(None);
    }
    let data: Vec<String> = events.iter().map(outbox::body).collect();
    let timestamp = rfc3339(delivery.created_at);
    Ok(Some(format!(r#"{{"type":"{}","timestamp":"{timestamp}","data":[{}]}}"#, delivery.event, data.join(","))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batches(now: UnixMillis) -> Batches {
        Batches { now, open: HashMap::new(), closed: Vec::new(), events: Vec::new() }
    }

    fn event(kind: &str, length: usize) -> outbox_event::Model {
        outbox_event::Model {
            id: Uuid::now_v7(),
            account_id: Uuid::nil(),
            kind: kind.to_owned(),
            subject_id: Uuid::nil(),
            payload: format!("\"{}\"", "x".repeat(length)),
            recorded_at: 0,
            fanned_out: false,
        }
    }

    #[test]
    fn a_batch_has_events_of_one_kind_for_one_webhook_and_at_most_100() {
        let (mut batches, [one, other]) = (batches(5), [Uuid::from_u128(1), Uuid::from_u128(2)]);
        for number in 0..250 {
            batches.add(one, &event(if number % 2 == 0 { "link.created" } else { "link.deleted" }, 1));
            batches.add(other, &event("link.created", 1));
        }
        let sizes = |batches: Vec<&Batch>| {
            let mut sizes: Vec<_> = batches.iter().map(|batch| batch.delivery.batch_size).collect();
            sizes.sort_unstable();
            sizes
        };
        assert_eq!(sizes(batches.closed.iter().collect()), [Some(100); 4]);
        assert_eq!(sizes(batches.open.values().collect()), [Some(25), Some(25), Some(50)]);
        assert!(batches.open.values().all(|batch| batch.closes_at == 5 + OPEN));
        assert_eq!(batches.events.len(), 500);
    }

    #[test]
    fn a_batch_is_closed_before_its_body_is_too_long() {
        let mut batches = batches(0);
        for _ in 0..100 {
            batches.add(Uuid::nil(), &event("link.clicked", MAX_DATA - 2));
        }
        let lengths: Vec<usize> = batches.closed.iter().chain(batches.open.values()).map(|it| it.bytes).collect();
        assert!(lengths.len() > 7 && lengths.iter().all(|bytes| bytes + ENVELOPE <= MAX_BYTES), "{lengths:?}");
        assert!(batches.closed.iter().all(|batch| batch.bytes + MAX_DATA + 2 * ENVELOPE > MAX_BYTES));
    }
}
