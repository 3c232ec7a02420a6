//! Links that the operator has blocked, and accounts that are suspended.

pub(crate) mod repo;
