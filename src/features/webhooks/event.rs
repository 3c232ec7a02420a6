//! Outbox events about webhooks.

use entity::webhook;

use crate::{
    base::error::ApiError,
    features::webhooks::webhook::Webhook,
    platform::work::{event_kind::EventKind, outbox::Event},
};

/// An event about the webhook.
pub(crate) fn event(kind: EventKind, webhook: &webhook::Model) -> Result<Event, ApiError> {
    Event::new(kind, webhook.id, &Webhook::from(webhook.clone()))
}
