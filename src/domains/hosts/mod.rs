//! The hosts that links are served on now, beside the service's own. Domains and subdomains put them there.

pub(crate) mod repo;
pub(crate) mod route;
