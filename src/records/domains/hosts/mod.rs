//! The hosts that links are served on now, beside the service's own: domains and subdomains put them there. And what accounts set
//! for these hosts, served or not.

pub(crate) mod page_repo;
pub(crate) mod repo;
pub(crate) mod settings_repo;
