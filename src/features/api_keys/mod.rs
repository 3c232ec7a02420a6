//! API keys: made on the dashboard, used by integrations.

pub(crate) mod event;
pub(crate) mod mutation;
pub(crate) mod ops;
pub(crate) mod query;
pub(crate) mod revocation;
pub(crate) mod types;
