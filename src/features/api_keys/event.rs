//! Outbox events about API keys.

use entity::api_key;

use crate::{
    base::error::ApiError,
    features::api_keys::types::ApiKey,
    platform::work::{event_kind::EventKind, outbox::Event},
};

/// An event about the key.
pub(crate) fn event(kind: EventKind, key: &api_key::Model) -> Result<Event, ApiError> {
    Event::new(kind, key.id, &ApiKey::from(key.clone()))
}
