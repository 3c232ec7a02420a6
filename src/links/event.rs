//! What others are told of links.

use entity::link;

use crate::{config::Config, error::ApiError, events::EventKind, links::types::Link, outbox::Event};

/// An event about the link.
pub fn event(kind: EventKind, link: &link::Model, config: &Config) -> Result<Event, ApiError> {
    Event::new(kind, link.id, &Link::new(link.clone(), config))
}
