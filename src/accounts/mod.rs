//! Accounts (the tenant), users (the login), passwords and their reset.

pub(crate) mod change;
pub mod known_networks;
pub(crate) mod mail;
pub(crate) mod mutation;
pub(crate) mod network_repo;
pub(crate) mod ops;
pub(crate) mod owner;
pub(crate) mod password_check;
pub(crate) mod query;
pub mod repo;
pub(crate) mod types;
