//! API keys.

pub(crate) mod presented;
pub(crate) mod repo;
