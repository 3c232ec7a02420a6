//! Webhooks: where an account wants its events sent. [`crate::records::webhooks::delivery`] sends them.

pub mod delivery_changes;
pub(crate) mod delivery_ops;
pub(crate) mod disabled_mail;
pub(crate) mod event;
pub(crate) mod fields;
pub(crate) mod loader;
pub(crate) mod mutation;
pub(crate) mod ops;
pub(crate) mod purge;
pub(crate) mod query;
pub(crate) mod subscription;
pub(crate) mod types;
pub(crate) mod webhook;
