//! What the operator has blocked and suspended.

pub(crate) mod repo;
