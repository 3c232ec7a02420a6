//! Outbox events about subdomains.

use entity::subdomain;

use crate::{
    config::Config,
    error::ApiError,
    subdomains::types::SubdomainClaim,
    work::{event_kind::EventKind, outbox::Event},
};

/// An event about the subdomain.
pub(crate) fn event(kind: EventKind, subdomain: &subdomain::Model, config: &Config) -> Result<Event, ApiError> {
    Event::new(kind, subdomain.id, &SubdomainClaim::new(subdomain.clone(), config))
}
