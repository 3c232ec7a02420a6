//! Webhooks: where an account wants its events sent. [`crate::webhooks::delivery`] sends them.

pub mod delivery;
pub(crate) mod delivery_ops;
pub(crate) mod delivery_repo;
pub(crate) mod disabled;
pub(crate) mod event;
pub(crate) mod fields;
pub(crate) mod interest;
pub(crate) mod loader;
pub(crate) mod mail;
pub(crate) mod mutation;
pub(crate) mod ops;
pub mod payload;
pub(crate) mod query;
pub(crate) mod repo;
pub(crate) mod types;
pub(crate) mod webhook;
