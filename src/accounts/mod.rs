//! Accounts (the tenant), users (the login), passwords and their reset.

pub mod mail;
pub mod mutation;
pub mod ops;
pub mod query;
pub mod repo;
pub mod types;
