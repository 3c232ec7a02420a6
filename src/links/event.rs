//! What others are told of links.

use entity::link;

use crate::{app::App, error::ApiError, events::EventKind, links::types::Link, outbox::Event};

/// An event about the link.
pub fn event(kind: EventKind, link: &link::Model, app: &App) -> Result<Event, ApiError> {
    Event::new(kind, link.id, &Link::new(link.clone(), app))
}
