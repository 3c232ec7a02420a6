//! Outbox events about subdomains.

use crate::{
    config::Config,
    error::ApiError,
    subdomains::{repo::ShownSubdomain, types::SubdomainClaim},
    work::{event_kind::EventKind, outbox::Event},
};

/// An event about the subdomain.
pub(crate) fn event(kind: EventKind, shown: &ShownSubdomain, config: &Config) -> Result<Event, ApiError> {
    Event::new(kind, shown.subdomain.id, &SubdomainClaim::new(shown.clone(), config))
}
