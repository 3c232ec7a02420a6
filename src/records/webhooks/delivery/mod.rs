//! Delivery of events to webhooks: outbox → one delivery for each webhook that asked, or a place in one of its batches → signed,
//! sent, tried again by a schedule until it succeeds or the schedule ends. At least once: what was sent and not yet noted is sent
//! again, under the same `webhook-id`.
//!
//! A webhook is leased, not a delivery: one node at a time delivers for it, a few at once, so a receiver that hangs holds
//! up itself alone, and finding work does not read through the backlog of others.

pub mod batch;
pub(crate) mod batch_repo;
pub(crate) mod message;
pub(crate) mod repo;
pub mod schedule;
pub(crate) mod signature;

use async_graphql::Enum;
use entity::delivery;
use uuid::Uuid;

use crate::base::{clock::UnixMillis, ids::DeliveryId};

/// How far a delivery is.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[graphql(name = "DeliveryStatus")]
pub(crate) enum Status {
    /// Not attempted yet, or asked for again.
    Pending,
    /// An attempt failed, and another will follow.
    Retrying,
    /// The receiver answered with a 2xx status.
    Succeeded,
    /// All attempts failed, or the receiver is gone.
    Failed,
}

impl Status {
    pub(crate) const ALL: [Status; 4] = [Status::Pending, Status::Retrying, Status::Succeeded, Status::Failed];

    /// As it is stored.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Status::Pending => "PENDING",
            Status::Retrying => "RETRYING",
            Status::Succeeded => "SUCCEEDED",
            Status::Failed => "FAILED",
        }
    }

    /// Parses a stored status. `None`: unknown text.
    pub(crate) fn parse(text: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.as_str() == text)
    }
}

/// A delivery of the event to the webhook, due at once.
pub(crate) fn new_delivery(
    webhook: Uuid,
    event: Uuid,
    kind: &str,
    recorded_at: UnixMillis,
    now: UnixMillis,
) -> delivery::Model {
    delivery::Model {
        id: DeliveryId::new().0,
        webhook_id: webhook,
        event_id: event,
        event: kind.to_owned(),
        batch_size: None,
        status: Status::Pending.as_str().to_owned(),
        attempts: 0,
        tries: 0,
        due_at: Some(now),
        created_at: recorded_at,
        completed_at: None,
        asked_again_at: None,
    }
}
