//! Accounts, their users, and the networks that users are known from.

pub(crate) mod mail;
pub(crate) mod network_repo;
pub(crate) mod proof_repo;
pub mod repo;
