//! Subdomains: one label below the service's host for each account that claims one.

pub(crate) mod event;
pub(crate) mod mutation;
pub(crate) mod ops;
pub(crate) mod query;
pub(crate) mod types;
