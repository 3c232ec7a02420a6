//! Outbox events about custom domains.

use entity::domain;

use crate::{
    config::Config,
    domains::types::CustomDomain,
    error::ApiError,
    work::{event_kind::EventKind, outbox::Event},
};

/// An event about the domain.
pub(crate) fn event(kind: EventKind, domain: &domain::Model, config: &Config) -> Result<Event, ApiError> {
    Event::new(kind, domain.id, &CustomDomain::new(domain.clone(), config))
}
