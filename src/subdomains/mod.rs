//! Subdomains: one label below the service's host for each account that claims one.

pub mod event;
pub mod mutation;
pub mod ops;
pub mod query;
pub mod repo;
pub mod reserved;
pub mod state;
pub mod types;
