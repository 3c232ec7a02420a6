//! Transfers of links and custom domains to another account.

pub(crate) mod move_repo;
pub(crate) mod repo;
pub(crate) mod state;
