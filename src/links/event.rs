//! Outbox events about links.

use crate::{
    app::App,
    error::ApiError,
    links::{link::Link, repo::ShownLink},
    work::{event_kind::EventKind, outbox::Event},
};

/// An event about the link.
pub(crate) fn event(kind: EventKind, shown: &ShownLink, app: &App) -> Result<Event, ApiError> {
    Event::new(kind, shown.link.id, &Link::new(shown.clone(), app))
}
