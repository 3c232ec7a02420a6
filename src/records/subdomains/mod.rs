//! Subdomains.

pub(crate) mod repo;
pub(crate) mod reserved;
pub(crate) mod state;
