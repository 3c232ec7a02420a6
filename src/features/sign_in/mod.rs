//! Signing in by the company's identity provider, or by the proxy in front of the service.

pub(crate) mod mutation;
pub(crate) mod ops;
pub(crate) mod proxy;
pub(crate) mod query;
pub(crate) mod types;
pub(crate) mod users;
