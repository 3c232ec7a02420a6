//! Outbox events about subdomains.

use crate::{
    base::{config::Config, error::ApiError},
    features::subdomains::types::SubdomainClaim,
    platform::work::{event_kind::EventKind, outbox::Event},
    records::subdomains::repo::ShownSubdomain,
};

/// An event about the subdomain.
pub(crate) fn event(kind: EventKind, shown: &ShownSubdomain, config: &Config) -> Result<Event, ApiError> {
    Event::new(kind, shown.subdomain.id, &SubdomainClaim::new(shown.clone(), config))
}
