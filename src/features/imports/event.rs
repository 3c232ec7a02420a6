//! Outbox events about imports.

use entity::import;

use crate::{
    base::{config::Config, error::ApiError},
    features::imports::types::Import,
    platform::work::{event_kind::EventKind, outbox::Event},
};

/// The event of an import that has ended.
pub(super) fn finished(import: import::Model, config: &Config) -> Result<Event, ApiError> {
    Event::new(EventKind::ImportFinished, import.id, &Import::new(import, config))
}
