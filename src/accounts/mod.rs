//! Accounts (the tenant), users (the login), passwords and their reset.

pub mod known_networks;
pub mod mail;
pub mod mutation;
pub mod network_repo;
pub mod ops;
pub mod owner;
pub mod password_check;
pub mod query;
pub mod repo;
pub mod types;
