//! Outbox events about links.

use crate::{
    app::App,
    base::error::ApiError,
    features::links::link::Link,
    platform::work::{event_kind::EventKind, outbox::Event},
    records::links::repo::ShownLink,
};

/// An event about the link.
pub(crate) fn event(kind: EventKind, shown: &ShownLink, app: &App) -> Result<Event, ApiError> {
    Event::new(kind, shown.link.id, &Link::new(shown.clone(), app))
}
