//! Sessions of users.

pub(crate) mod renewal;
pub(crate) mod repo;
