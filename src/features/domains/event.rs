//! Outbox events about custom domains.

use crate::{
    base::{config::Config, error::ApiError},
    features::domains::types::CustomDomain,
    platform::work::{event_kind::EventKind, outbox::Event},
    records::domains::repo::ShownDomain,
};

/// An event about the domain.
pub(crate) fn event(kind: EventKind, shown: &ShownDomain, config: &Config) -> Result<Event, ApiError> {
    Event::new(kind, shown.domain.id, &CustomDomain::new(shown.clone(), config))
}
