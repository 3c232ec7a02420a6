//! Subscriptions, invoices and usage of accounts.

pub(crate) mod repo;
pub(crate) mod state;
pub(crate) mod status;
pub(crate) mod usage;
