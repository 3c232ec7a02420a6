//! Outbox events about API keys.

use entity::api_key;

use crate::{
    api_keys::types::ApiKey,
    error::ApiError,
    work::{event_kind::EventKind, outbox::Event},
};

/// An event about the key.
pub(crate) fn event(kind: EventKind, key: &api_key::Model) -> Result<Event, ApiError> {
    Event::new(kind, key.id, &ApiKey::from(key.clone()))
}
