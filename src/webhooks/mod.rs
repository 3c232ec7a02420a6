//! Webhooks: where an account wants its events sent. How they get there is [`crate::webhooks::delivery`]'s.

pub mod delivery;
pub mod delivery_repo;
pub mod disabled;
pub mod event;
pub mod fields;
pub mod interest;
pub mod loader;
pub mod mail;
pub mod mutation;
pub mod ops;
pub mod payload;
pub mod query;
pub mod repo;
pub mod types;
pub mod webhook;
