//! What identity providers, and proxies, call users.

pub(crate) mod repo;
