//! Custom domains.

pub(crate) mod hosts;
pub(crate) mod repo;
pub(crate) mod state;
