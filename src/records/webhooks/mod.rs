//! Webhooks and their deliveries.

pub mod delivery;
pub(crate) mod delivery_repo;
pub(crate) mod disabled;
pub(crate) mod interest;
pub(crate) mod mail;
pub(crate) mod repo;
