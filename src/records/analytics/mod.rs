//! Clicks and what they add up to.

pub(crate) mod purge;
pub(crate) mod reading;
pub(crate) mod retention_repo;
pub(crate) mod rollup_repo;
