//! API keys: made on the dashboard, used by integrations.

pub mod event;
pub mod mutation;
pub mod ops;
pub mod presented;
pub mod query;
pub mod repo;
pub mod types;
