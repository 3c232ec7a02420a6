//! Outbox events about custom domains.

use crate::{
    config::Config,
    domains::{repo::ShownDomain, types::CustomDomain},
    error::ApiError,
    work::{event_kind::EventKind, outbox::Event},
};

/// An event about the domain.
pub(crate) fn event(kind: EventKind, shown: &ShownDomain, config: &Config) -> Result<Event, ApiError> {
    Event::new(kind, shown.domain.id, &CustomDomain::new(shown.clone(), config))
}
